import type { Crypto } from '../crypto/crypto.js';
import type { AccountRecord } from '../generated/ledger.js';
import { EMPTY_ACCOUNT } from '../ledger/accounts.js';
import { ledger } from '../ledger/codecs.js';
import { forkedRaw, slotNameBytes, storedBlob } from '../ledger/forked-state.js';
import { accountKey, recordKey, slotKey } from '../ledger/state-keys.js';
import { valueOfRaw } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';

export interface StateEntry {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The entry in column `state`, with its height; undefined if the key is not in the state. */
  readonly raw: Uint8Array | undefined;
}

export interface AccountEntry extends StateEntry {
  readonly record: AccountRecord;
}

/** The state that execution starts from. Addresses as text are 40 lowercase hex digits. */
export interface StateSource {
  /** Returns an account, with an empty record if it is not in the state. */
  account(address: string): AccountEntry;
  /** @param name the slot's, see `slotName`, if the caller has it */
  slot(contract: Uint8Array, slot: Uint8Array, name?: string): StateEntry;
  /** Returns a consensus record by its name; see `ledger/state-keys.ts`. */
  record(name: Uint8Array): StateEntry;
  code(hash: Uint8Array): Uint8Array | undefined;
}

/** A state on top of another, which answers what a subclass does not. */
export abstract class LayeredState implements StateSource {
  constructor(protected readonly source: StateSource) {}

  account(address: string): AccountEntry {
    return this.source.account(address);
  }

  slot(contract: Uint8Array, slot: Uint8Array, name?: string): StateEntry {
    return this.source.slot(contract, slot, name);
  }

  record(name: Uint8Array): StateEntry {
    return this.source.record(name);
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return this.source.code(hash);
  }
}

/** The state after the last committed block, read from the store; accounts are cached without limit. */
export class CommittedState implements StateSource {
  readonly #store: StoreReader;
  readonly #crypto: Crypto;
  readonly #accounts = new Map<string, AccountEntry>();

  constructor(store: StoreReader, crypto: Crypto) {
    this.#store = store;
    this.#crypto = crypto;
  }

  account(address: string): AccountEntry {
    let entry = this.#accounts.get(address);
    if (entry === undefined) {
      const name = Buffer.from(address, 'hex');
      const key = accountKey(this.#crypto, name);
      const raw =
        this.#store.get('state', key) ?? forkedRaw(this.#store, this.#crypto, { name, key }, 'execute');
      const record = raw === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(valueOfRaw(raw));
      entry = { key, raw, record };
      this.#accounts.set(address, entry);
    }
    return entry;
  }

  slot(contract: Uint8Array, slot: Uint8Array): StateEntry {
    const key = slotKey(this.#crypto, contract, slot);
    const own = this.#store.get('state', key);
    if (own !== undefined || this.#store.base === undefined) return { key, raw: own };
    const name = slotNameBytes(contract, slot);
    return { key, raw: forkedRaw(this.#store, this.#crypto, { name, key }, 'execute') };
  }

  record(name: Uint8Array): StateEntry {
    const key = recordKey(this.#crypto, name);
    return { key, raw: this.#store.get('state', key) };
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return storedBlob(this.#store, 'code', hash);
  }
}
