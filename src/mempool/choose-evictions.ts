import type { GappedBook, GappedEnd } from './lanes/gapped-book.js';
import type { Heap } from './lanes/heap.js';
import { HeapWalk } from './lanes/heap-walk.js';
import type { Entry, Lane, Sender } from './lanes/sender-lanes.js';
import type { Prices } from './prices.js';

/** A share of the pool, or an amount to free. */
export interface PoolShare {
  readonly transactions: number;
  /** Encoded size. */
  readonly bytes: number;
}

interface Needed extends PoolShare {
  /** Places behind gaps; 0 for a ready transaction. */
  readonly gappedPlaces: number;
}

export interface Newcomer {
  /** The lowest tip of the new transaction and its predecessors in the lane. */
  readonly worth: bigint;
  readonly ready: boolean;
  /** The sender's pooled transactions; undefined if there are none. */
  readonly sender: Sender | undefined;
  /**
   * The lane that the transaction enters. Nothing up to `position` is evicted there, as that could put the
   * transaction behind a gap.
   */
  readonly lane: Lane | undefined;
  /** The transaction's position in that lane. */
  readonly position: number;
  /** Places behind gaps that the sender would have, including this transaction's. */
  readonly places: number;
}

/** The ends of lanes. A full pool makes room only there, so that no gap arises. */
export interface Ends {
  readonly gapped: GappedBook;
  /** Lanes by the worth of their last ready transaction, lowest first, then newest first. */
  readonly ready: Heap<Lane>;
}

/**
 * Chooses transactions to evict for a new one: first gapped ones, which yield to a ready one at any price; then, only
 * for a ready one, ready ones that are worth less. Changes nothing yet.
 * @returns undefined if too little can be freed
 */
export function chooseEvictions(
  needed: Needed,
  newcomer: Newcomer,
  { gapped, ready }: Ends,
  prices: Prices,
): Entry[] | undefined {
  const leaving: Entry[] = [];
  let bytes = 0;
  let places = 0;
  const missing = () =>
    leaving.length < needed.transactions || bytes < needed.bytes || places < needed.gappedPlaces;
  const placesOf = (size: number) => gapped.placesOf(size);

  const walk = gapped.walk(newcomer.lane, newcomer.position);
  while (missing()) {
    const end = walk.peek();
    if (end === undefined || !yieldsTo(end, newcomer, prices)) break;
    walk.next(placesOf);
    leaving.push(end.entry);
    bytes += end.entry.bytes;
    places += placesOf(end.entry.bytes);
  }
  if (!missing()) return leaving;
  if (!newcomer.ready) return undefined;

  const readyWalk = new HeapWalk<Lane, Entry>(ready, (lane) =>
    lane === newcomer.lane ? undefined : lane.readyEnd,
  );
  while (missing()) {
    const step = readyWalk.next();
    if (step === undefined || step.key >= newcomer.worth) return undefined;
    const entry = step.value;
    leaving.push(entry);
    bytes += entry.bytes;
    const next = entry.lane.before(entry);
    if (next !== undefined) readyWalk.add(next, next.worth(prices), -next.arrival);
  }
  return leaving;
}

/** True if a gapped transaction yields to the new one. */
function yieldsTo({ sender, entry, places }: GappedEnd, newcomer: Newcomer, prices: Prices): boolean {
  if (newcomer.ready) return true;
  if (sender !== newcomer.sender && places !== newcomer.places) return places > newcomer.places;
  return entry.tip(prices) < newcomer.worth;
}
