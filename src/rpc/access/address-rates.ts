import { createHmac, randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  drain,
  fill,
  leakTimeNs,
  monotonicNs,
  type Rate,
  type RateState,
  rateState,
} from './leaky-bucket.js';

/** Buckets per row, a power of two. */
const CELLS = 32_768;
const KEY_BYTES = 32;
const MAX_CACHED_CLIENTS = 4_096;

type Cells = readonly [first: number, second: number];

/**
 * Rate limits by client address, counted across all threads that use the same memory. Memory does not grow with the
 * number of clients: each is counted in two buckets, chosen by a secret keyed hash, and the emptier of the two decides.
 * A client never gets more than its rate, and less only if other clients fill both of its buckets.
 */
export class AddressRates {
  readonly #words: BigInt64Array;
  readonly #key: Buffer;
  readonly #now: () => bigint;
  readonly #cells = new LRUCache<string, Cells>({ max: MAX_CACHED_CLIENTS });

  /**
   * @param memory from {@link memory}
   * @param now monotonic nanoseconds, the same in all threads
   */
  constructor(memory: SharedArrayBuffer, now: () => bigint = monotonicNs) {
    this.#key = Buffer.from(new Uint8Array(memory, 0, KEY_BYTES));
    this.#words = new BigInt64Array(memory, KEY_BYTES);
    this.#now = now;
  }

  /** Allocates memory that several threads can share. */
  static memory(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(KEY_BYTES + 8 * 2 * CELLS);
    randomFillSync(new Uint8Array(memory, 0, KEY_BYTES));
    return memory;
  }

  /** Charges a client unless the charge would exceed its rate. @param client a key such as `paid 192.0.2.1` */
  charge(client: string, units: number, rate: Rate): RateState {
    const [first, second] = this.#cellsOf(client);
    const now = this.#now();
    const ns = leakTimeNs(units, rate);
    const filled = min(fill(this.#words, first, now, ns), fill(this.#words, second, now, ns));
    if (filled <= leakTimeNs(rate.burst, rate)) return rateState(rate, filled, 0n);
    this.#drain(first, second, ns);
    return rateState(rate, filled - ns, ns);
  }

  /** Refunds a charge. */
  refund(client: string, units: number, rate: Rate): void {
    const [first, second] = this.#cellsOf(client);
    this.#drain(first, second, leakTimeNs(units, rate));
  }

  #drain(first: number, second: number, ns: bigint): void {
    drain(this.#words, first, ns);
    drain(this.#words, second, ns);
  }

  #cellsOf(client: string): Cells {
    const known = this.#cells.get(client);
    if (known !== undefined) return known;
    const hash = createHmac('sha256', this.#key).update(client).digest();
    const cells: Cells = [hash.readUInt32LE(0) % CELLS, CELLS + (hash.readUInt32LE(4) % CELLS)];
    this.#cells.set(client, cells);
    return cells;
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
