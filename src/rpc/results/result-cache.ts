import { LRUCache } from 'lru-cache';
import type { FixedHeights } from './immutable-results.js';

export interface KeptResult {
  readonly json: string;
  readonly heights: FixedHeights;
  /** The ETag; absent until the first request for it. */
  tag?: Promise<string>;
}

interface Entry extends KeptResult {
  readonly owner: string;
  readonly bytes: number;
}

/** Approximate bytes of an entry without its key and text. */
const ENTRY_BYTES = 400;
/** A result is kept only if it takes at most this share of the cache. */
const MAX_SHARE_OF_ENTRY = 1 / 16;
const MAX_SHARE_OF_CLIENT = 1 / 4;
/** Time within which a call must be repeated for its result to be kept, in milliseconds. */
const REPEAT_MS = 60_000;
/** Number of calls remembered for that, some 200 bytes each. */
const MAX_REMEMBERED = 8_192;
const WIDE_CHARACTER = /[\u0100-\uffff]/;

/**
 * A cache of results that never change, bounded in bytes. It evicts the least recently used results.
 *
 * A stranger may send as many different calls as it pays for, so:
 * - A result is admitted when its call is repeated within a minute. Calls that are made once evict nothing.
 * - A client whose results take a quarter of the cache evicts its own oldest ones. Results that others use stay.
 */
export class ResultCache {
  readonly #kept: LRUCache<string, Entry>;
  readonly #seen = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REPEAT_MS, perf: performance });
  /** Keys in order of admission, and their bytes, by client. */
  readonly #owners = new Map<string, { readonly keys: Map<string, number>; bytes: number }>();
  readonly #maxBytes: number;
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ owner, bytes }, key) => this.#disown(owner, key, bytes),
    });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  get entries(): number {
    return this.#kept.size;
  }

  get(key: string): KeptResult | undefined {
    return this.#kept.get(key);
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  /** Records a call. Returns true if the same call came within the last minute, so its result is worth keeping. */
  isWanted(key: string): boolean {
    if (this.#seen.has(key)) return true;
    this.#seen.set(key, true);
    return false;
  }

  keep(key: string, { json, heights }: KeptResult, client: string): void {
    // The search also flattens the string, so that later answers copy it faster.
    const bytes = json.length * (WIDE_CHARACTER.test(json) ? 2 : 1) + 2 * key.length + ENTRY_BYTES;
    if (bytes > this.#maxBytes * MAX_SHARE_OF_ENTRY) return;
    this.#kept.delete(key);
    const owned = this.#owners.get(client);
    for (const oldest of owned?.keys.keys() ?? []) {
      if ((owned?.bytes ?? 0) + bytes <= this.#maxBytes * MAX_SHARE_OF_CLIENT) break;
      this.#kept.delete(oldest);
    }
    const owner = this.#owners.get(client) ?? { keys: new Map<string, number>(), bytes: 0 };
    this.#owners.set(client, owner);
    owner.keys.set(key, bytes);
    owner.bytes += bytes;
    this.#kept.set(key, { json, heights, owner: client, bytes });
    this.#seen.delete(key);
  }

  #disown(client: string, key: string, bytes: number): void {
    const owner = this.#owners.get(client);
    if (owner?.keys.delete(key) !== true) return;
    owner.bytes -= bytes;
    if (owner.keys.size === 0) this.#owners.delete(client);
  }
}
