import { drawnBefore, type Entry, type FeeBasis } from './entry.js';
import { type Heap, HeapWalk } from './heap.js';
import type { Lane } from './lane.js';

/** What has to be freed for a newcomer. */
export interface RoomNeeded {
  readonly transactions: number;
  readonly bytes: number;
}

/** The newcomer that needs room. */
export interface Newcomer {
  readonly tip: bigint;
  readonly ready: boolean;
  /** The lane that it enters, which is spared: losing its tail could leave the newcomer behind a gap. */
  readonly lane: Lane | undefined;
}

/**
 * The lanes' last transactions, the cheapest first: where a full pool makes room. Only tails leave, so no gap is made
 * by it. Those behind a gap go before the ready ones.
 */
export interface Tails {
  readonly gapped: Heap<Lane>;
  readonly ready: Heap<Lane>;
}

/**
 * Chooses what leaves for a newcomer, each cheaper than it: gapped ones first, and ready ones for a ready newcomer
 * only. Nothing is changed yet.
 * @returns undefined where not enough can be freed
 */
export function findRoom(
  needed: RoomNeeded,
  newcomer: Newcomer,
  tails: Tails,
  basis: FeeBasis,
): Entry[] | undefined {
  const cheaperFirst = (a: Entry, b: Entry) => drawnBefore(b, a, basis);
  const tailOf = (lane: Lane) => (lane === newcomer.lane ? undefined : lane.tail);
  const gapped = new HeapWalk<Lane, Entry>(tails.gapped, tailOf, cheaperFirst);
  const ready = new HeapWalk<Lane, Entry>(tails.ready, tailOf, cheaperFirst);
  const isCheaper = (entry: Entry | undefined) => entry !== undefined && entry.tip(basis) < newcomer.tip;

  const leaving: Entry[] = [];
  let bytes = 0;
  while (leaving.length < needed.transactions || bytes < needed.bytes) {
    let from: HeapWalk<Lane, Entry>;
    if (isCheaper(gapped.peek())) from = gapped;
    else if (newcomer.ready && isCheaper(ready.peek())) from = ready;
    else return undefined;
    const entry = from.next();
    if (entry === undefined) return undefined;
    leaving.push(entry);
    bytes += entry.bytes;
    const next = entry.lane.before(entry);
    if (next !== undefined) (next.ready ? ready : gapped).add(next);
  }
  return leaving;
}

/** The least tip of those that a ready newcomer could take the place of. */
export function lowestTip(tails: Tails, basis: FeeBasis): bigint | undefined {
  const gapped = tails.gapped.peek()?.tail?.tip(basis);
  const ready = tails.ready.peek()?.tail?.tip(basis);
  if (gapped === undefined) return ready;
  return ready === undefined || gapped < ready ? gapped : ready;
}
