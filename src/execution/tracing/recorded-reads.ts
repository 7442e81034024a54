import type { AccountRecord } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { valueOfRaw } from '../../storage/state.js';
import type { AccountEntry, StateEntry, StateSource } from '../state-source.js';
import type { TraceBudget } from './trace-budget.js';

const ACCOUNT_BYTES = 120;
const SLOT_BYTES = 100;

export interface ReadSlot {
  readonly contract: Uint8Array;
  readonly slot: Uint8Array;
  /** Undefined if the slot had no value. */
  readonly value: Uint8Array | undefined;
}

/** A state source that records the values read. */
export class RecordedReads implements StateSource {
  /** By address, 40 lowercase hex digits. */
  readonly accounts = new Map<string, AccountRecord>();
  /** By contract and slot, in hex. */
  readonly slots = new Map<string, ReadSlot>();
  readonly #source: StateSource;
  readonly #budget: TraceBudget;

  constructor(source: StateSource, budget: TraceBudget) {
    this.#source = source;
    this.#budget = budget;
  }

  account(address: string): AccountEntry {
    const entry = this.#source.account(address);
    if (!this.accounts.has(address) && this.#budget.take(ACCOUNT_BYTES)) {
      this.accounts.set(address, entry.record);
    }
    return entry;
  }

  slot(contract: Uint8Array, slot: Uint8Array): StateEntry {
    const entry = this.#source.slot(contract, slot);
    const name = toHex(contract) + toHex(slot);
    if (!this.slots.has(name)) {
      const value = entry.raw === undefined ? undefined : valueOfRaw(entry.raw);
      if (this.#budget.take(SLOT_BYTES + 2 * (value?.length ?? 0))) {
        this.slots.set(name, { contract, slot, value });
      }
    }
    return entry;
  }

  record(name: Uint8Array): StateEntry {
    return this.#source.record(name);
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return this.#source.code(hash);
  }
}
