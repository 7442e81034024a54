import type { HostOperationValue } from '../../engine.js';
import type { HostCrypto } from '../../host-crypto.js';
import type { Activation } from '../activation.js';
import type { EngineLimits } from '../limits.js';

/** How a value goes over the host interface. */
export type ValueType = 'i32' | 'i64';

type ValueOf<T extends ValueType> = T extends 'i64' ? bigint : number;
type ArgumentsOf<P extends readonly ValueType[]> = { -readonly [I in keyof P]: ValueOf<P[I]> };
type ResultOf<R extends ValueType | undefined> = R extends ValueType ? ValueOf<R> : undefined;

/** What a call of a host function costs. Every number is consensus, as in `schedule.ts`. */
export interface HostPrice {
  readonly base: number;
  /** Gas for each unit of a parameter: a length in bytes or a number of things. */
  readonly perUnit?: readonly { readonly parameter: number; readonly gas: number }[];
  /** Gas for each unit of a result above zero: bytes copied or found. */
  readonly perResult?: number;
  /** Gas for each byte of the value that the slot had: what the implementation charges with {@link HostBinding.chargeStored}. */
  readonly perStored?: number;
}

/** What the host functions of a thread share. */
export interface HostServices {
  /** The frame that runs: whose call a host function serves. */
  readonly active: () => Activation;
  readonly crypto: HostCrypto;
  readonly limits: EngineLimits;
}

/** What an implementation works with. */
export interface HostBinding extends HostServices {
  /**
   * Charges `perStored` for each byte of a stored value.
   * @throws OutOfGasSignal where the call has less
   */
  readonly chargeStored: (call: Activation, bytes: number) => void;
  /**
   * Tells the frame's observer of the operation, and what it cost. To be called only where there is an observer: putting
   * together what it is told costs more than the work.
   * @param args as the contract passed them
   * @param shown what the observer is told of them
   * @param stored bytes of the value that the slot had; 0 if absent
   */
  readonly report: (
    call: Activation,
    args: readonly (number | bigint)[],
    shown: Readonly<Record<string, HostOperationValue>>,
    result?: HostOperationValue,
    stored?: number,
  ) => void;
}

/** A host function: how contracts import it, what a call costs, and what it does. */
export interface HostFunctionDeclaration<
  P extends readonly ValueType[] = readonly ValueType[],
  R extends ValueType | undefined = ValueType | undefined,
> {
  readonly params: P;
  /** Undefined where there is no result. */
  readonly result: R;
  readonly price: HostPrice;
  /** Makes the function that all instances of a thread import. */
  readonly bind: (host: HostBinding) => (...args: ArgumentsOf<P>) => ResultOf<R>;
}

/** As a table of declarations holds it, whatever its types are. */
export interface AnyHostFunction extends Omit<HostFunctionDeclaration, 'bind'> {
  readonly bind: (host: HostBinding) => (...args: never[]) => number | bigint | undefined;
}

/** Declares a host function: the wasm types of its parameters and result give those of its implementation. */
export function declare<const P extends readonly ValueType[], R extends ValueType | undefined>(
  declaration: HostFunctionDeclaration<P, R>,
): HostFunctionDeclaration<P, R> {
  return declaration;
}

/**
 * What a call costs: what the wrapper charges that `support-functions.ts` writes, and what the implementation does.
 * @param resultUnits bytes copied or found
 * @param storedBytes of the value that the slot had
 */
export function priceOf(
  { base, perUnit = [], perResult = 0, perStored = 0 }: HostPrice,
  args: readonly (number | bigint)[],
  resultUnits: number,
  storedBytes: number,
): number {
  let gas = base + perResult * resultUnits + perStored * storedBytes;
  for (const { parameter, gas: each } of perUnit) gas += each * (Number(args[parameter] ?? 0) >>> 0);
  return gas;
}
