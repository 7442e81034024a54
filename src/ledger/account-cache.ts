import type { Crypto } from '../crypto/crypto.js';
import type { AccountRecord } from '../generated/ledger.js';
import { rawOf, splitRaw } from '../storage/state.js';
import type { StoreReader } from '../storage/store.js';
import { EMPTY_ACCOUNT } from './accounts.js';
import { ledger } from './codecs.js';
import type { AddressHex } from './hex-types.js';
import { accountKey } from './state-keys.js';

/** An account as the last committed block left it. */
export interface CachedAccount {
  /** Its state key, 32 bytes. */
  readonly key: Uint8Array;
  /** The entry in column `state`; undefined where the account is not in the state. */
  readonly raw: Uint8Array | undefined;
  readonly record: AccountRecord;
  /** The account as callers are shown it, kept here by who shows it: an entry is replaced when the account changes. */
  cachedJson: string | undefined;
}

/** What a block made of an account. */
export interface AccountChange {
  readonly address: AddressHex;
  readonly record: AccountRecord;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** borsh(AccountRecord), or undefined where the account is no longer in the state. */
  readonly value: Uint8Array | undefined;
}

/**
 * The accounts in use, as of the last committed block, kept in memory: admission, execution and `account` read them far
 * more often than they change. Single-threaded; the oldest entries leave first.
 *
 * By hand: a read takes a sixth of what it takes with `lru-cache` (`npm run bench:caches`), though a change takes up to four
 * times as long; and no entry may leave while the block that it was prefetched for is executed.
 */
export class AccountCache {
  readonly #store: StoreReader;
  readonly #crypto: Crypto;
  readonly #capacity: number;
  readonly #entries = new Map<AddressHex, CachedAccount>();

  /** @param capacity the most accounts kept; twice as many while blocks are far apart */
  constructor(store: StoreReader, crypto: Crypto, capacity: number) {
    this.#store = store;
    this.#crypto = crypto;
    this.#capacity = capacity;
  }

  get(address: AddressHex): CachedAccount {
    const cached = this.#entries.get(address);
    if (cached !== undefined) return cached;
    const key = accountKey(this.#crypto, Buffer.from(address, 'hex'));
    const entry = this.#keep(address, key, this.#store.get('state', key));
    // Callers may ask for any number of addresses between two blocks.
    if (this.#entries.size > 2 * this.#capacity) this.trim();
    return entry;
  }

  account(address: AddressHex): AccountRecord {
    return this.get(address).record;
  }

  /** Brings accounts into the cache with one read of the store. */
  prefetch(addresses: Iterable<AddressHex>): void {
    const missing = [...new Set(addresses)].filter((address) => !this.#entries.has(address));
    if (missing.length === 0) return;
    const keys = missing.map((address) => accountKey(this.#crypto, Buffer.from(address, 'hex')));
    const raws = this.#store.getMany('state', keys);
    missing.forEach((address, place) => {
      const key = keys[place];
      if (key !== undefined) this.#keep(address, key, raws[place]);
    });
  }

  /** Takes over what a block that is now committed changed. */
  commit(height: bigint, changes: readonly AccountChange[]): void {
    for (const { address, key, value, record } of changes) {
      const raw = value === undefined ? undefined : rawOf(height, value);
      this.#entries.delete(address);
      this.#entries.set(address, { key, raw, record, cachedJson: undefined });
    }
    this.trim();
  }

  /** Gives up the oldest entries beyond the capacity; not while a block that was prefetched is executed. */
  trim(): void {
    let surplus = this.#entries.size - this.#capacity;
    if (surplus <= 0) return;
    for (const address of this.#entries.keys()) {
      this.#entries.delete(address);
      surplus -= 1;
      if (surplus === 0) return;
    }
  }

  #keep(address: AddressHex, key: Uint8Array, raw: Uint8Array | undefined): CachedAccount {
    const record = raw === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(splitRaw(raw).value);
    const entry = { key, raw, record, cachedJson: undefined };
    this.#entries.set(address, entry);
    return entry;
  }
}
