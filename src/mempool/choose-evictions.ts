import type { GappedBook, GappedEnd } from './lanes/gapped-book.js';
import type { Heap } from './lanes/heap.js';
import { HeapWalk } from './lanes/heap-walk.js';
import type { Entry, Lane, Sender } from './lanes/sender-lanes.js';

/** What some of the pool takes of it, or what has to be freed in it. */
export interface PoolShare {
  readonly transactions: number;
  /** Encoded size. */
  readonly bytes: number;
}

/** What has to be freed. */
interface Needed extends PoolShare {
  /** Among those behind gaps; 0 for a ready newcomer. */
  readonly gappedPlaces: number;
}

/** The newcomer that needs room. */
export interface Newcomer {
  /** What it pays: the least tip of it and of those that have to be included before it. */
  readonly worth: bigint;
  readonly ready: boolean;
  /** What its sender has waiting; undefined where that is nothing. */
  readonly sender: Sender | undefined;
  /** The lane that it enters, in which none up to it leaves: that could leave the newcomer behind a gap. */
  readonly lane: Lane | undefined;
  /** Its place in that lane. */
  readonly position: number;
  /** The places behind gaps that its sender has with it. */
  readonly places: number;
}

/** Where a full pool makes room: at the ends of lanes only, so that no gap comes of it. */
export interface Ends {
  readonly gapped: GappedBook;
  /** The lanes by what the last ready one is worth, the lowest first, then the newest. */
  readonly ready: Heap<Lane>;
}

/**
 * Chooses what leaves for a newcomer: first of what waits behind gaps, for a ready newcomer whatever that pays; then, for
 * a ready newcomer only, ready ones that are worth less. Nothing is changed yet.
 * @returns undefined where not enough can be freed
 */
export function chooseEvictions(
  needed: Needed,
  newcomer: Newcomer,
  { gapped, ready }: Ends,
  baseFee: bigint,
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
    if (end === undefined || !yieldsTo(end, newcomer, baseFee)) break;
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
    if (next !== undefined) readyWalk.add(next, next.worth(baseFee), -next.arrival);
  }
  return leaving;
}

/** Whether one behind a gap leaves for the newcomer. */
function yieldsTo({ sender, entry, places }: GappedEnd, newcomer: Newcomer, baseFee: bigint): boolean {
  if (newcomer.ready) return true;
  if (sender !== newcomer.sender && places !== newcomer.places) return places > newcomer.places;
  return entry.tip(baseFee) < newcomer.worth;
}
