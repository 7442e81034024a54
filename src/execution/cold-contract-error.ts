import type { ContractRecord } from '../generated/ledger.js';

/** Thrown where a thread that serves requests would have to load the code or the interface of a contract. */
export class ColdContractError extends Error {
  override readonly name = 'ColdContractError';

  constructor(readonly record: ContractRecord) {
    super('the contract is not loaded');
  }
}
