import { latin1 } from '../../storage/latin1.js';
import type { StoreReader } from '../../storage/store.js';
import { indexedLogs, type LogPosition } from '../contract-store.js';
import type { EventSelection } from '../event-bloom.js';

/** Maximum index scans per page; with more pairs of contract and first topic, all events of the contracts. */
const MAX_SCANS = 100;

/** The part of the index of events with a given contract, first topic, or both. */
interface IndexScan {
  readonly contract?: Uint8Array;
  readonly topic0?: Uint8Array;
}

/** The scans that find all events of a selection, and perhaps others; none without contract and topic. */
export function scansFor({ contracts = [], topics = [] }: EventSelection): readonly IndexScan[] {
  const firstTopics = distinct(topics[0] ?? []);
  if (contracts.length === 0) return firstTopics.map((topic0) => ({ topic0 }));
  if (firstTopics.length === 0 || contracts.length * firstTopics.length > MAX_SCANS) {
    return contracts.map((contract) => ({ contract }));
  }
  return contracts.flatMap((contract) => firstTopics.map((topic0) => ({ contract, topic0 })));
}

/** The events that scans find in a range of heights, in order of execution; see {@link indexedLogs}. */
export function scannedLogs(
  store: StoreReader,
  scans: readonly IndexScan[],
  range: { readonly from: bigint; readonly to: bigint },
  after: LogPosition | undefined,
): IterableIterator<LogPosition> {
  return merge(scans.map((scan) => indexedLogs(store, scan, range, after)));
}

function distinct(topics: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(topics.map((topic) => [latin1(topic), topic])).values()];
}

function compare(a: LogPosition, b: LogPosition): number {
  if (a.height !== b.height) return a.height < b.height ? -1 : 1;
  return a.txIndex - b.txIndex || a.logIndex - b.logIndex;
}

/** Merges ascending scans. No two of them contain the same position. */
function* merge(scans: readonly IterableIterator<LogPosition>[]): IterableIterator<LogPosition> {
  const [only] = scans;
  if (only !== undefined && scans.length === 1) {
    yield* only;
    return;
  }
  const heads: { place: LogPosition; readonly rest: IterableIterator<LogPosition> }[] = [];
  try {
    for (const rest of scans) {
      const { value, done } = rest.next();
      if (done !== true) heads.push({ place: value, rest });
    }
    for (;;) {
      let first = heads[0];
      if (first === undefined) return;
      for (const head of heads) if (compare(head.place, first.place) < 0) first = head;
      yield first.place;
      const { value, done } = first.rest.next();
      if (done === true) heads.splice(heads.indexOf(first), 1);
      else first.place = value;
    }
  } finally {
    for (const { rest } of heads) rest.return?.();
  }
}
