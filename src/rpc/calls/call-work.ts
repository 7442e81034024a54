import type { CallAllowance } from '../../async/caller.js';

export const UNIT_GAS = 100_000;
/** Characters of parameters and result that one compute unit pays for. */
export const UNIT_BYTES = 4_096;

/** Gas per millisecond of a call that was ended, whose gas is unknown: compiled code takes at most 4 ns per gas. */
const GAS_PER_MS = 250_000;

/** Gas of each entry of a list in a method's parameters, where entries cost more than their bytes. */
const ENTRY_GAS: ReadonlyMap<string, { readonly list: string; readonly gas: number }> = new Map([
  ['accounts', { list: 'addresses', gas: 10_000 }],
  // A signature check.
  ['tx_submit_bundle', { list: 'transactions', gas: 500_000 }],
]);

/** What a call does beyond its `@cost`: the gas that workers report, which also counts for the token's limits. */
export class CallWork implements CallAllowance {
  readonly #limits: CallAllowance | undefined;
  #gas = 0;

  constructor(limits?: CallAllowance) {
    this.#limits = limits;
  }

  get gas(): number | undefined {
    return this.#limits?.gas;
  }

  get ms(): number | undefined {
    return this.#limits?.ms;
  }

  use(ms: number, gas: number | undefined): void {
    this.#limits?.use(ms, gas);
    this.#gas += gas ?? ms * GAS_PER_MS;
  }

  noteWork(gas: number): void {
    this.#gas += gas;
  }

  countEntries(method: string, params: unknown): void {
    const entry = ENTRY_GAS.get(method);
    if (entry === undefined) return;
    const list = (params as Readonly<Record<string, unknown>>)[entry.list];
    if (Array.isArray(list)) this.#gas += list.length * entry.gas;
  }

  /** Compute units of the work. @param bytes length of the parameters and of the result */
  units(bytes: number): number {
    return Math.floor(this.#gas / UNIT_GAS) + Math.floor(bytes / UNIT_BYTES);
  }
}
