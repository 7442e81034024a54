/**
 * How a part that has a native and a pure implementation is chosen at start.
 * - `auto`: the native one where it loads, else its twin from `native-free/`, which is logged;
 * - `require`: the native one, or the start fails;
 * - `off`: always the twin.
 */
export type NativeMode = 'auto' | 'require' | 'off';

/** The parts that have a native implementation, by the names that {@link NativeChoice} gives them. */
export const NATIVE_PARTS = ['http', 'store', 'sha256 pairs', 'ed25519', 'secp256k1', 'bls12-381'] as const;

/** Told once per part which implementation serves, and why when it is not the native one. */
export type NativeReport = (choice: NativeChoice) => void;

export interface NativeChoice {
  /** One of {@link NATIVE_PARTS}. */
  readonly part: string;
  /** The package or twin that serves. */
  readonly implementation: string;
  readonly native: boolean;
  /** Why the native one was not taken; absent when it was. */
  readonly reason?: string;
}
