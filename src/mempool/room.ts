import type { Entry } from './entry.js';
import type { Heap } from './heap.js';
import { HeapWalk, type Step } from './heap-walk.js';
import type { Lane } from './lane.js';

/** What some of the pool takes of it, or what has to be freed in it. */
export interface PoolShare {
  readonly transactions: number;
  /** Encoded size. */
  readonly bytes: number;
}

/** The newcomer that needs room. */
interface Newcomer {
  readonly tip: bigint;
  readonly ready: boolean;
  /** The lane that it enters, which is spared: losing its tail could leave the newcomer behind a gap. */
  readonly lane: Lane | undefined;
}

/**
 * The lanes by their last transactions, by tip, the lowest first, then the newest: where a full pool makes room. Only
 * tails leave, so no gap is made by it. Those behind a gap go before the ready ones.
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
  needed: PoolShare,
  newcomer: Newcomer,
  tails: Tails,
  baseFee: bigint,
): Entry[] | undefined {
  const tailOf = (lane: Lane) => (lane === newcomer.lane ? undefined : lane.tail);
  const gapped = new HeapWalk<Lane, Entry>(tails.gapped, tailOf);
  const ready = new HeapWalk<Lane, Entry>(tails.ready, tailOf);
  const isCheaper = (step: Step<Entry> | undefined) => step !== undefined && step.key < newcomer.tip;

  const leaving: Entry[] = [];
  let bytes = 0;
  while (leaving.length < needed.transactions || bytes < needed.bytes) {
    let from: HeapWalk<Lane, Entry>;
    if (isCheaper(gapped.peek())) from = gapped;
    else if (newcomer.ready && isCheaper(ready.peek())) from = ready;
    else return undefined;
    const entry = from.next()?.value;
    if (entry === undefined) return undefined;
    leaving.push(entry);
    bytes += entry.bytes;
    const next = entry.lane.before(entry);
    if (next !== undefined) (next.ready ? ready : gapped).add(next, next.tip(baseFee), -next.arrival);
  }
  return leaving;
}

/** The least tip of those that a ready newcomer could take the place of. */
export function lowestTip(tails: Tails): bigint | undefined {
  const gapped = tails.gapped.first?.key;
  const ready = tails.ready.first?.key;
  if (gapped === undefined) return ready;
  return ready === undefined || gapped < ready ? gapped : ready;
}
