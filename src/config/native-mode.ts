/**
 * Choice between the native implementation of a part and its fallback from `native-free/`.
 * - `auto`: the native one if it loads, otherwise the fallback, with a log record;
 * - `require`: the native one; startup fails without it;
 * - `off`: always the fallback.
 *
 * Each part chooses for itself: `crypto/choose-implementation.ts`, `storage/open-store.ts`, `rpc/http/open-http-server.ts`.
 */
export type NativeMode = 'auto' | 'require' | 'off';

/** The reason for a fallback under `off`. */
export const NATIVE_OFF = 'native parts are off';

/** Parts with a native implementation, as named in {@link NativeChoice}. */
export const NATIVE_PARTS = ['http', 'store', 'sha256 pairs', 'ed25519', 'secp256k1', 'bls12-381'] as const;

/** Called once per part with the chosen implementation. */
export type NativeReport = (choice: NativeChoice) => void;

export interface NativeChoice {
  /** One of {@link NATIVE_PARTS}. */
  readonly part: string;
  /** Package name of the implementation, native or fallback. */
  readonly implementation: string;
  readonly native: boolean;
  /** Reason for the fallback; absent for native implementations. */
  readonly reason?: string;
}
