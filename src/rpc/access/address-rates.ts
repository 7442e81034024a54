import { createHmac, randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  drain,
  emptyTime,
  fill,
  leakTimeNs,
  monotonicNs,
  type Rate,
  type RateState,
  raise,
  rateState,
} from '../../async/gcra.js';
import type { Cells, CountedClient, UnreportedUses } from './address-reporter.js';

/** Buckets per row, a power of two. */
const CELLS = 32_768;
const KEY_BYTES = 32;
const MAX_CACHED_CLIENTS = 4_096;

/** State of a client's buckets for a later {@link AddressRates.raise}. */
export type CellsMark = readonly [firstNs: bigint, secondNs: bigint];

/**
 * Rate limits by client address, counted across all threads that use the same memory. Memory does not grow with the
 * number of clients: each is counted in two buckets, chosen by a secret keyed hash, and the emptier of the two decides.
 * A client never gets more than its rate, and less only if other clients fill both of its buckets.
 */
export class AddressRates {
  readonly #words: BigInt64Array;
  readonly #key: Buffer;
  readonly #now: () => bigint;
  readonly #uses: UnreportedUses | undefined;
  /** A client that loses its place here loses its few unreported units too. */
  readonly #clients = new LRUCache<string, CountedClient>({ max: MAX_CACHED_CLIENTS });

  /** @param uses counts charges for other nodes; absent if each node has its own rates */
  constructor(memory: SharedArrayBuffer, now: () => bigint = monotonicNs, uses?: UnreportedUses) {
    this.#uses = uses;
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
    const counted = this.#counted(client);
    const ns = leakTimeNs(units, rate);
    const filled = this.#fill(counted, ns);
    if (filled <= leakTimeNs(rate.burst, rate)) {
      this.#uses?.add(counted, units, rate.burst);
      return rateState(rate, filled, 0n);
    }
    this.#drain(counted, ns);
    return rateState(rate, filled - ns, ns);
  }

  /** Charges a client for work that is done, even beyond its rate. */
  chargeWork(client: string, units: number, rate: Rate): RateState {
    const counted = this.#counted(client);
    const filled = this.#fill(counted, leakTimeNs(units, rate));
    this.#uses?.add(counted, units, rate.burst);
    return rateState(rate, filled, 0n);
  }

  refund(client: string, units: number, rate: Rate): void {
    const counted = this.#counted(client);
    this.#drain(counted, leakTimeNs(units, rate));
    this.#uses?.add(counted, -units, rate.burst);
  }

  /** Remembers the levels of two buckets before a count elsewhere; see {@link raise}. */
  mark([first, second]: Cells): CellsMark {
    const now = this.#now();
    return [emptyTime(this.#words, first, now), emptyTime(this.#words, second, now)];
  }

  /**
   * Raises a client's buckets to a level that was counted elsewhere, if that is higher.
   * @param mark from {@link mark}, before the count; charges since then are kept
   * @param levelNs time until the bucket elsewhere is empty
   */
  raise([first, second]: Cells, [firstNs, secondNs]: CellsMark, levelNs: bigint): void {
    const emptyAt = this.#now() + levelNs;
    raise(this.#words, first, firstNs, emptyAt);
    raise(this.#words, second, secondNs, emptyAt);
  }

  #fill({ cells: [first, second] }: CountedClient, ns: bigint): bigint {
    const now = this.#now();
    return min(fill(this.#words, first, now, ns), fill(this.#words, second, now, ns));
  }

  #drain({ cells: [first, second] }: CountedClient, ns: bigint): void {
    drain(this.#words, first, ns);
    drain(this.#words, second, ns);
  }

  #counted(client: string): CountedClient {
    const known = this.#clients.get(client);
    if (known !== undefined) return known;
    const hash = createHmac('sha256', this.#key).update(client).digest();
    const cells: Cells = [hash.readUInt32LE(0) % CELLS, CELLS + (hash.readUInt32LE(4) % CELLS)];
    const counted = { client, cells, unreported: 0, isDue: false };
    this.#clients.set(client, counted);
    return counted;
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
