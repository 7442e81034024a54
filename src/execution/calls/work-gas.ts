import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';

/** Gas of work for calls that no contract does: at most 4 ns per gas, as for code. */
export const WORK_GAS = Object.freeze({
  /** Per byte of interface text compiled, of callers or of contracts that the thread does not know. */
  text_byte: 800n,
  /** Per byte of bodies and receipts fetched from the store. */
  fetched_byte: 2n,
  /** Per entry of an index examined for a page of events or contracts, whether it is listed or not. */
  scanned: 1_000n,
});

/** The gas of the interface texts that a thread compiles for one call. */
export class TextGas {
  readonly #interfaces: Pick<ContractInterfaces, 'compiledBytes'>;
  #before = 0;

  constructor(interfaces: Pick<ContractInterfaces, 'compiledBytes'>) {
    this.#interfaces = interfaces;
  }

  begin(): void {
    this.#before = this.#interfaces.compiledBytes;
  }

  /** Since {@link begin}. */
  get used(): bigint {
    return WORK_GAS.text_byte * BigInt(this.#interfaces.compiledBytes - this.#before);
  }
}
