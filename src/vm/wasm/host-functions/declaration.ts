import type { HostOperationValue } from '../../engine.js';
import type { HostCrypto } from '../../host-crypto.js';
import type { Activation } from '../activation.js';
import type { EngineLimits } from '../engine-limits.js';

/** The wasm type of a value that crosses the host interface. */
export type ValueType = 'i32' | 'i64';

/** What a function without a result returns is ignored. */
type ValueOf<T extends ValueType | undefined> = T extends 'i64' ? bigint : T extends 'i32' ? number : unknown;
type ArgumentsOf<P extends readonly ValueType[]> = { -readonly [I in keyof P]: ValueOf<P[I]> };

/** The price of a host function. Every number is consensus, as in `schedule.ts`. */
export interface HostPrice {
  readonly base: number;
  /** Gas for each unit of a parameter: a length in bytes or a count. */
  readonly perUnit?: readonly { readonly parameter: number; readonly gas: number }[];
  /** Gas for each unit of a result above zero: bytes copied or found. */
  readonly perResult?: number;
  /** Gas for each byte of the slot's previous value, see {@link HostBinding.chargeStored}. */
  readonly perStored?: number;
}

/** Services shared by the host functions of a thread. */
export interface HostServices {
  /** Returns the running frame, which the host function serves. */
  readonly active: () => Activation;
  readonly crypto: HostCrypto;
  readonly limits: EngineLimits;
}

/** Services available to an implementation. */
export interface HostBinding extends HostServices {
  /** Charges `perStored` for each byte of a stored value. @throws OutOfGasSignal if the call has less */
  readonly chargeStored: (call: Activation, bytes: number) => void;
  /**
   * Reports the operation and its cost to the frame's observer. Call it only if there is one: building the report costs
   * more than the work.
   * @param args as the contract passed them
   * @param shown the arguments in the report
   * @param stored length in bytes of the slot's previous value; 0 if absent
   */
  readonly report: (
    call: Activation,
    args: readonly (number | bigint)[],
    shown: Readonly<Record<string, HostOperationValue>>,
    result?: HostOperationValue,
    stored?: number,
  ) => void;
}

/** A host function: its type, its price, and its implementation. */
export interface HostFunctionDeclaration<
  P extends readonly ValueType[] = readonly ValueType[],
  R extends ValueType | undefined = ValueType | undefined,
> {
  readonly params: P;
  /** Undefined if there is no result. */
  readonly result: R;
  readonly price: HostPrice;
  /** Creates the function that all instances of a thread import. */
  readonly bind: (host: HostBinding) => (...args: ArgumentsOf<P>) => ValueOf<R>;
}

/** A declaration of any type, as a table of declarations holds it. */
export interface AnyHostFunction extends Omit<HostFunctionDeclaration, 'bind'> {
  readonly bind: (host: HostBinding) => (...args: never[]) => unknown;
}

/** Declares a host function: the wasm types of its parameters and result determine those of its implementation. */
export function declare<const P extends readonly ValueType[], R extends ValueType | undefined>(
  declaration: HostFunctionDeclaration<P, R>,
): HostFunctionDeclaration<P, R> {
  return declaration;
}

/** Declares a host function without parameters that returns a fact about the running frame. */
export function fact<R extends ValueType>(result: R, base: number, read: (call: Activation) => ValueOf<R>) {
  return declare({
    params: [],
    result,
    price: { base },
    bind:
      ({ active, report }) =>
      () => {
        const call = active();
        const value = read(call);
        if (call.observer !== undefined) report(call, [], {}, value);
        return value;
      },
  });
}

/**
 * Returns the cost of a call: the charges by the wrapper of `support-functions.ts` and by the implementation.
 * @param resultUnits bytes copied or found
 * @param storedBytes length of the slot's previous value
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
