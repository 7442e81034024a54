import type { PoolLimits } from '../pool-types.js';
import type { Prices } from '../prices.js';
import { Heap } from './heap.js';
import { HeapWalk } from './heap-walk.js';
import type { Entry, Lane, Sender } from './sender-lanes.js';

/** Gapped transactions cost their sender nothing, so they may take only 1/4 of the pool's places. */
const SHARE = 4;

/** Number of bits, more than any tip has; shifts a number of places past every tip. */
const TIP_BITS = 130n;
const ABOVE_TIPS = 1n << (TIP_BITS - 1n);

/** The transaction with which an account yields places behind gaps: its cheapest one at the end of a lane. */
export interface GappedEnd {
  readonly sender: Sender;
  readonly entry: Entry;
  /** Places behind gaps that the account has, including this one. */
  readonly places: number;
}

/**
 * The transactions waiting behind nonce gaps. They are counted in *places*: one for each transaction, and more for a
 * long one, in proportion to its share of the pool's bytes, so that one count bounds both number and bytes.
 *
 * 1. All gapped transactions may take a quarter of the pool together; if a new gap raised their number above that, it
 *    may stay but not grow.
 * 2. The account with the most places yields first; among equals, the one with the cheapest transaction at the end of a
 *    lane. That transaction is evicted.
 * 3. A transaction waits behind a gap for at most the time to live, counted from its arrival or from the gap's opening.
 */
export class GappedBook {
  readonly #limits: PoolLimits;
  readonly #now: () => number;
  /** Longest-waiting first. */
  readonly #entries = new Set<Entry>();
  readonly #senders = new Heap<Sender>('highest');
  #places = 0;
  #time = Number.NEGATIVE_INFINITY;
  #prices: Prices;

  constructor(limits: PoolLimits, prices: Prices, now: () => number) {
    this.#limits = limits;
    this.#prices = prices;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get share(): number {
    return gappedPlaces(this.#limits.maxTransactions);
  }

  /** Number of places for a transaction of this encoded size. */
  placesOf(bytes: number): number {
    const { maxTransactions, maxBytes } = this.#limits;
    return Math.max(1, Math.ceil((bytes * maxTransactions) / maxBytes));
  }

  /** Number of places to free before `further` more can be taken. */
  excess(further: number): number {
    return Math.min(further, this.#places + further - this.share);
  }

  add(entry: Entry): void {
    // The clock may be set back, but the order by age must hold.
    this.#time = Math.max(this.#time, this.#now());
    entry.gapped = true;
    entry.gappedSinceMs = this.#time;
    this.#entries.add(entry);
    this.#count(entry, 1);
  }

  remove(entry: Entry): void {
    if (!entry.gapped) return;
    entry.gapped = false;
    this.#entries.delete(entry);
    this.#count(entry, -1);
  }

  /** Call after an account's gapped transactions have changed. */
  settle(sender: Sender): void {
    if (sender.gappedPlaces === 0) {
      this.#senders.remove(sender.gappedNode);
      return;
    }
    const end = new SenderEnds(sender, this.#prices).end;
    if (end !== undefined) this.#senders.put(sender.gappedNode, this.#rank(end), -end.entry.arrival);
  }

  setPrices(prices: Prices): void {
    this.#prices = prices;
    this.#senders.rekey((sender) => {
      const { end } = new SenderEnds(sender, prices);
      return end === undefined ? 0n : this.#rank(end);
    });
  }

  overdue(): Entry[] {
    const found: Entry[] = [];
    if (this.#entries.size === 0) return found;
    const last = this.#now() - this.#limits.gappedTtlMs;
    for (const entry of this.#entries) {
      if (entry.gappedSinceMs > last) break;
      found.push(entry);
    }
    return found;
  }

  /** Entries in eviction order. @param spared lane in which nothing up to `position` is evicted */
  *walk(spared: Lane | undefined, position: number): Generator<GappedEnd> {
    const own = spared?.sender;
    const walk = new HeapWalk<Sender, SenderEnds>(this.#senders, (sender) =>
      sender === own ? undefined : new SenderEnds(sender, this.#prices),
    );
    const add = (ends: SenderEnds): void => {
      const { end } = ends;
      if (end !== undefined) walk.add(ends, this.#rank(end), -end.entry.arrival);
    };
    // The spared lane's sender is added separately, because its rank depends on the spared part.
    if (own !== undefined) add(new SenderEnds(own, this.#prices, spared, position));
    for (let ends = walk.peek()?.value; ends !== undefined; ends = walk.peek()?.value) {
      if (ends.end !== undefined) yield ends.end;
      walk.next();
      ends.cancel((bytes) => this.placesOf(bytes));
      add(ends);
    }
  }

  #count({ bytes, lane: { sender } }: Entry, sign: 1 | -1): void {
    const places = sign * this.placesOf(bytes);
    this.#places += places;
    sender.gappedPlaces += places;
  }

  #rank({ places, entry }: GappedEnd): bigint {
    return (BigInt(places) << TIP_BITS) + ABOVE_TIPS - entry.tip(this.#prices);
  }
}

/** Maximum number of places for gapped transactions in a pool. */
export function gappedPlaces(maxTransactions: number): number {
  return Math.ceil(maxTransactions / SHARE);
}

/** The gapped ends of an account's lanes, updated as transactions are evicted. */
class SenderEnds {
  end: GappedEnd | undefined;
  readonly #ends: Entry[] = [];
  #places: number;

  constructor(
    readonly sender: Sender,
    readonly prices: Prices,
    readonly spared?: Lane,
    readonly position = 0,
  ) {
    this.#places = sender.gappedPlaces;
    for (const { tail } of sender.lanes.values()) if (this.#mayGo(tail)) this.#ends.push(tail);
    this.#choose();
  }

  cancel(placesOf: (bytes: number) => number): void {
    if (this.end === undefined) return;
    const { entry } = this.end;
    this.#places -= placesOf(entry.bytes);
    const before = entry.lane.before(entry);
    const at = this.#ends.indexOf(entry);
    if (this.#mayGo(before)) this.#ends[at] = before;
    else this.#ends.splice(at, 1);
    this.#choose();
  }

  #mayGo(entry: Entry | undefined): entry is Entry {
    if (!entry?.gapped) return false;
    return entry.lane !== this.spared || entry.position > this.position;
  }

  #choose(): void {
    let cheapest: Entry | undefined;
    let lowest = 0n;
    for (const entry of this.#ends) {
      const tip = entry.tip(this.prices);
      if (cheapest && (tip > lowest || (tip === lowest && entry.arrival < cheapest.arrival))) continue;
      cheapest = entry;
      lowest = tip;
    }
    this.end = cheapest && { sender: this.sender, entry: cheapest, places: this.#places };
  }
}
