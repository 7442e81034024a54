import type { Sha256 } from '../../crypto/crypto.js';
import { EMPTY_ACCOUNT } from '../../ledger/accounts.js';
import { ledger } from '../../ledger/codecs.js';
import { forkedRawAt, slotNameBytes, storedBlob } from '../../ledger/forked-state.js';
import { accountKey, recordKey, slotKey } from '../../ledger/state-keys.js';
import { readBe64 } from '../../storage/big-endian.js';
import { readRawAt, valueOfRaw } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { slotName } from '../access-recorder.js';
import type { AccountEntry, StateEntry, StateSource } from '../state-source.js';
import { bucketOf, type ChangeTable } from './change-table.js';

interface Kept<E extends StateEntry> {
  readonly entry: E;
  readonly bucket: number;
  /** The height at which the entry was written; −1 if the key was not in the state. */
  readonly written: number;
  /** The greatest height at which the entry is known to be valid. */
  seen: number;
}

export interface StateCacheOptions {
  readonly store: StoreReader;
  readonly crypto: Sha256;
  readonly changes: ChangeTable;
  /** Maximum number of cached accounts; 16,384 if absent. */
  readonly accounts?: number;
  /** Maximum number of cached slots; 65,536 if absent. */
  readonly slots?: number;
  /** Maximum size of the cached slot values in bytes; 64 MiB if absent. */
  readonly slotBytes?: number;
}

/**
 * Caches accounts and slots that view calls read, across blocks that did not change them. An entry is valid at a
 * later height if `change-table.ts` says so, and at an earlier one from its write on. Evicts the oldest first.
 */
export class StateCache {
  readonly #store: StoreReader;
  readonly #crypto: Sha256;
  readonly #accounts: EntryCache<AccountEntry>;
  readonly #slots: EntryCache<StateEntry>;
  #latest: HeightState | undefined;

  constructor(options: StateCacheOptions) {
    this.#store = options.store;
    this.#crypto = options.crypto;
    this.#accounts = new EntryCache(options.changes, options.accounts ?? 16_384, Number.POSITIVE_INFINITY);
    this.#slots = new EntryCache(
      options.changes,
      options.slots ?? 65_536,
      options.slotBytes ?? 64 * 1024 * 1024,
    );
  }

  /** Returns the state after a committed block. Reading it throws StateUnavailableError once it is pruned. */
  at(height: bigint): StateSource {
    if (this.#latest?.height !== height) this.#latest = new HeightState(this, height);
    return this.#latest;
  }

  account(address: string, height: bigint, heightNumber: number): AccountEntry {
    const kept = this.#accounts.find(address, heightNumber);
    if (kept !== undefined) return kept;
    const name = Buffer.from(address, 'hex');
    const key = accountKey(this.#crypto, name);
    const raw =
      readRawAt(this.#store, key, height) ??
      forkedRawAt(this.#store, this.#crypto, { name, key }, height, 'show');
    const record = raw === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(valueOfRaw(raw));
    return this.#accounts.keep(address, { key, raw, record }, heightNumber);
  }

  slot(
    contract: Uint8Array,
    slot: Uint8Array,
    height: bigint,
    heightNumber: number,
    name = slotName(contract, slot),
  ): StateEntry {
    const kept = this.#slots.find(name, heightNumber);
    if (kept !== undefined) return kept;
    const key = slotKey(this.#crypto, contract, slot);
    let raw = readRawAt(this.#store, key, height);
    if (raw === undefined && this.#store.base !== undefined) {
      const forked = { name: slotNameBytes(contract, slot), key };
      raw = forkedRawAt(this.#store, this.#crypto, forked, height, 'show');
    }
    return this.#slots.keep(name, { key, raw }, heightNumber);
  }

  /** Returns a consensus record, uncached because contracts cannot read it. */
  record(name: Uint8Array, height: bigint): StateEntry {
    const key = recordKey(this.#crypto, name);
    return { key, raw: readRawAt(this.#store, key, height) };
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return storedBlob(this.#store, 'code', hash);
  }
}

class HeightState implements StateSource {
  readonly height: bigint;
  readonly #cache: StateCache;
  readonly #heightNumber: number;

  constructor(cache: StateCache, height: bigint) {
    this.#cache = cache;
    this.height = height;
    this.#heightNumber = Number(height);
  }

  account(address: string): AccountEntry {
    return this.#cache.account(address, this.height, this.#heightNumber);
  }

  slot(contract: Uint8Array, slot: Uint8Array, name?: string): StateEntry {
    return this.#cache.slot(contract, slot, this.height, this.#heightNumber, name);
  }

  record(name: Uint8Array): StateEntry {
    return this.#cache.record(name, this.height);
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return this.#cache.code(hash);
  }
}

/** Limited in number and bytes. Reads take half the time of `lru-cache` (`npm run bench -- caches`). */
class EntryCache<E extends StateEntry> {
  readonly #changes: ChangeTable;
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** In the order in which they were read. */
  readonly #kept = new Map<string, Kept<E>>();
  #bytes = 0;

  constructor(changes: ChangeTable, maxEntries: number, maxBytes: number) {
    this.#changes = changes;
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  find(name: string, height: number): E | undefined {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    const { seen } = kept;
    if (seen === height) return kept.entry;
    if (seen < height) {
      if (this.#changes.lastChange(kept.bucket) > seen) return undefined;
      kept.seen = height;
      return kept.entry;
    }
    return kept.written >= 0 && kept.written <= height ? kept.entry : undefined;
  }

  /** Caches an entry read at a height, unless a later one is cached already, and returns it. */
  keep(name: string, entry: E, height: number): E {
    const before = this.#kept.get(name);
    if (before !== undefined) {
      if (before.seen > height) return entry;
      this.#drop(name, before);
    }
    const written = entry.raw === undefined ? -1 : Number(readBe64(entry.raw, 0));
    this.#kept.set(name, { entry, bucket: bucketOf(entry.key), written, seen: height });
    this.#bytes += bytesOf(entry);
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest, kept);
    }
    return entry;
  }

  #drop(name: string, { entry }: Kept<E>): void {
    this.#kept.delete(name);
    this.#bytes -= bytesOf(entry);
  }
}

function bytesOf({ raw }: StateEntry): number {
  return raw?.length ?? 0;
}
