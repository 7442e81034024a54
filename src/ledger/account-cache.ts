import type { Crypto } from '../crypto/crypto.js';
import type { AccountRecord } from '../generated/ledger.js';
import { rawOf, valueOfRaw } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import { EMPTY_ACCOUNT } from './accounts.js';
import { ledger } from './codecs.js';
import { forkedRaw } from './forked-state.js';
import type { AddressHex } from './hex-types.js';
import { accountKey } from './state-keys.js';

/** An account in the state after the last committed block. */
export interface CachedAccount {
  /** State key, 32 bytes. */
  readonly key: Uint8Array;
  /** Raw entry in column `state`; undefined for an account outside the state. */
  readonly raw: Uint8Array | undefined;
  readonly record: AccountRecord;
  /** The account's API JSON, cached by its renderer; a change replaces the entry with it. */
  cachedJson: string | undefined;
}

export interface AccountChange {
  readonly address: AddressHex;
  readonly record: AccountRecord;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** borsh(AccountRecord); undefined if the account left the state. */
  readonly value: Uint8Array | undefined;
}

/**
 * Accounts in use, after the last committed block: they are read far more often than they change. Single-threaded;
 * evicts the oldest entries first.
 *
 * Hand-written: a read takes a sixth of the time `lru-cache` needs (`npm run bench -- caches`), though a change takes
 * up to four times as long. Moreover, no entry may be evicted while the block that it was prefetched for executes.
 */
export class AccountCache {
  readonly #store: StoreReader;
  readonly #crypto: Crypto;
  readonly #capacity: number;
  readonly #entries = new Map<AddressHex, CachedAccount>();

  /** @param capacity maximum number of accounts; up to twice as many between two blocks */
  constructor(store: StoreReader, crypto: Crypto, capacity: number) {
    this.#store = store;
    this.#crypto = crypto;
    this.#capacity = capacity;
  }

  get(address: AddressHex): CachedAccount {
    const cached = this.#entries.get(address);
    if (cached !== undefined) return cached;
    const name = Buffer.from(address, 'hex');
    const key = accountKey(this.#crypto, name);
    const own = this.#store.get('state', key);
    const raw = own ?? forkedRaw(this.#store, this.#crypto, { name, key }, 'show');
    const entry = this.#keep(address, key, raw);
    // Callers may look up any number of addresses between two blocks.
    if (this.#entries.size > 2 * this.#capacity) this.trim();
    return entry;
  }

  account(address: AddressHex): AccountRecord {
    return this.get(address).record;
  }

  /** Loads accounts into the cache with one read of the store. */
  prefetch(addresses: Iterable<AddressHex>): void {
    // A fork may have to ask another chain for each of them; `get` does.
    if (this.#store.base !== undefined) return;
    const missing = [...new Set(addresses)].filter((address) => !this.#entries.has(address));
    if (missing.length === 0) return;
    const keys = missing.map((address) => accountKey(this.#crypto, Buffer.from(address, 'hex')));
    const raws = this.#store.getMany('state', keys);
    missing.forEach((address, place) => {
      const key = keys[place];
      if (key !== undefined) this.#keep(address, key, raws[place]);
    });
  }

  commit(height: bigint, changes: readonly AccountChange[]): void {
    for (const { address, key, value, record } of changes) {
      const raw = value === undefined ? undefined : rawOf(height, value);
      this.#entries.delete(address);
      this.#entries.set(address, { key, raw, record, cachedJson: undefined });
    }
    this.trim();
  }

  /** Evicts the oldest entries beyond the capacity. Not safe while a prefetched block is executing. */
  trim(): void {
    for (const address of this.#entries.keys()) {
      if (this.#entries.size <= this.#capacity) return;
      this.#entries.delete(address);
    }
  }

  #keep(address: AddressHex, key: Uint8Array, raw: Uint8Array | undefined): CachedAccount {
    const record = raw === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(valueOfRaw(raw));
    const entry = { key, raw, record, cachedJson: undefined };
    this.#entries.set(address, entry);
    return entry;
  }
}
