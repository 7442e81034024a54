import type { AccountRecord } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { rawOf } from '../../storage/state.js';
import { slotName } from '../access-recorder.js';
import { type AccountEntry, LayeredState, type StateEntry } from '../state-source.js';
import type { WorldState } from '../world-state.js';

const NO_KEY = new Uint8Array(0);

/** A state source overlaid with the writes of states built on it; never stored, they have no keys. */
export class Overlay extends LayeredState {
  readonly #accounts = new Map<string, AccountEntry>();
  readonly #slots = new Map<string, StateEntry>();
  readonly #codes = new Map<string, Uint8Array>();
  readonly #idls = new Map<string, Uint8Array>();

  override account(address: string): AccountEntry {
    return this.#accounts.get(address) ?? this.source.account(address);
  }

  override slot(contract: Uint8Array, slot: Uint8Array, name = slotName(contract, slot)): StateEntry {
    return this.#slots.get(name) ?? this.source.slot(contract, slot, name);
  }

  override code(hash: Uint8Array): Uint8Array | undefined {
    return this.#codes.get(toHex(hash)) ?? this.source.code(hash);
  }

  /** Returns an absorbed interface text, by its hash. */
  idl(hash: Uint8Array): Uint8Array | undefined {
    return this.#idls.get(toHex(hash));
  }

  /** Absorbs the writes of a state built on this one. */
  absorb(state: WorldState): void {
    for (const [address, record] of state.writtenAccounts()) this.#accounts.set(address, entryOf(record));
    for (const { contract, slot, value } of state.writtenSlots()) {
      // The height is never read.
      const raw = value === undefined ? undefined : rawOf(0n, value);
      this.#slots.set(slotName(contract, slot), { key: NO_KEY, raw });
    }
    for (const { hash, bytes } of state.codes()) this.#codes.set(toHex(hash), bytes);
    for (const { hash, bytes } of state.idls()) this.#idls.set(toHex(hash), bytes);
  }
}

function entryOf(record: AccountRecord): AccountEntry {
  return { key: NO_KEY, raw: undefined, record };
}
