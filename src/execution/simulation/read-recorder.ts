import { toHex } from '../../idl/hex.js';
import type { AccountEntry, StateEntry, StateSource } from '../state-source.js';

/**
 * A state source that records reads. Below a `WorldState` it records exactly the reads that an execution depends on,
 * because reads of the execution's own writes do not reach the source.
 */
export class ReadRecorder implements StateSource {
  /** Addresses, 40 lowercase hex digits. */
  readonly accounts = new Set<string>();
  /** By contract and slot, 104 lowercase hex digits. */
  readonly slots = new Set<string>();
  readonly #source: StateSource;

  constructor(source: StateSource) {
    this.#source = source;
  }

  account(address: string): AccountEntry {
    this.accounts.add(address);
    return this.#source.account(address);
  }

  slot(contract: Uint8Array, slot: Uint8Array): StateEntry {
    this.slots.add(slotHex(contract, slot));
    return this.#source.slot(contract, slot);
  }

  record(name: Uint8Array): StateEntry {
    return this.#source.record(name);
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return this.#source.code(hash);
  }
}

/**
 * Returns contract ‖ slot, 104 lowercase hex digits. The text sorts after the contract's address and can be parsed.
 */
export function slotHex(contract: Uint8Array, slot: Uint8Array): string {
  return toHex(contract) + toHex(slot);
}
