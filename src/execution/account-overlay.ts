import type { AccountRecord } from '../generated/ledger.js';

/** The accounts at some height, by address (40 lowercase hex digits). An unknown address has the empty record. */
export interface AccountSource {
  account(address: string): AccountRecord;
}

/** Accounts as they stand after writes that are not committed yet. Records are replaced, never changed in place. */
export class AccountOverlay implements AccountSource {
  readonly #source: AccountSource;
  readonly #written = new Map<string, AccountRecord>();

  constructor(source: AccountSource) {
    this.#source = source;
  }

  account(address: string): AccountRecord {
    return this.#written.get(address) ?? this.#source.account(address);
  }

  write(address: string, record: AccountRecord): void {
    this.#written.set(address, record);
  }

  /** What was written, in the order of each address's first write. */
  written(): IterableIterator<[address: string, record: AccountRecord]> {
    return this.#written.entries();
  }
}
