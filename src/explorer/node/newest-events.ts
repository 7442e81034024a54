import { RpcCallError } from '../../client/client.js';
import type { GetLogsArgs, GetLogsResult, Log } from '../../generated/node-rpc-v1.js';

/** A place between events: all events before it are older. */
export interface EventPlace {
  readonly height: bigint;
  readonly txIndex: number;
  readonly logIndex: number;
}

export interface NewestEvents {
  /** Newest first. */
  readonly logs: readonly Log[];
  /** The oldest block that was searched. */
  readonly searchedTo: bigint;
  /** Where older events may be; absent once there are none. */
  readonly next?: EventPlace;
}

/** Number of blocks in the first range. */
const FIRST_BLOCKS = 1_000n;
/** Each range is this many times as long as the one before, while events are too few. */
const GROWTH = 8n;
/** Maximum number of events in the answer for several blocks, and for a single one. */
const RANGE_LIMIT = 250;
const BLOCK_LIMIT = 1_000;
/** Maximum number of ranges searched for one page, and of further answers for a single block. */
const MAX_RANGES = 24;
const MAX_BLOCK_ANSWERS = 60;

/** The place after all events of a block. */
export function endOf(height: bigint): EventPlace {
  return { height: height + 1n, txIndex: 0, logIndex: 0 };
}

/**
 * The newest events before a place. Nodes list events in order of execution only, so this asks for ranges of blocks
 * from there back: longer ones where events are rare, shorter ones where they are dense. It ends early after a bounded
 * number of requests, with a place where it can go on.
 * @param getLogs asks for events of the filter that the caller has chosen
 * @param onSearched called with the oldest height that has been searched
 */
export async function newestEvents(
  getLogs: (
    range: Pick<GetLogsArgs, 'from_height' | 'to_height' | 'limit' | 'cursor'>,
  ) => Promise<GetLogsResult>,
  before: EventPlace,
  limit: number,
  onSearched: (height: bigint) => void = () => undefined,
): Promise<NewestEvents> {
  const found: Log[] = [];
  let oldest = 0n;
  let blocks = FIRST_BLOCKS;
  let to = before.txIndex === 0 && before.logIndex === 0 ? before.height - 1n : before.height;
  for (let ranges = 0; ranges < MAX_RANGES; ranges++) {
    if (to < oldest) return { logs: found, searchedTo: oldest };
    const from = to - blocks + 1n > oldest ? to - blocks + 1n : oldest;
    let page: GetLogsResult;
    try {
      page = await getLogs({
        from_height: from,
        to_height: to,
        limit: from === to ? BLOCK_LIMIT : RANGE_LIMIT,
      });
    } catch (error) {
      const stored = oldestIn(error);
      if (stored === undefined || stored <= from) throw error;
      oldest = stored;
      continue;
    }
    if (page.next_cursor !== undefined && from < to) {
      blocks = shorter(blocks, from, page, limit);
      continue;
    }
    let { logs } = page;
    for (let more = 0; page.next_cursor !== undefined && more < MAX_BLOCK_ANSWERS; more++) {
      page = await getLogs({
        from_height: from,
        to_height: to,
        limit: BLOCK_LIMIT,
        cursor: page.next_cursor,
      });
      logs = [...logs, ...page.logs];
    }
    if (page.next_cursor !== undefined) {
      throw new Error(`Block ${from} has more events than this page can search.`);
    }
    for (let at = logs.length - 1; at >= 0; at--) {
      const log = logs[at];
      if (log === undefined || !isBefore(log, before)) continue;
      found.push(log);
      if (found.length === limit) return { logs: found, searchedTo: log.height, next: placeOf(log) };
    }
    onSearched(from);
    to = from - 1n;
    blocks *= GROWTH;
  }
  return to < oldest
    ? { logs: found, searchedTo: oldest }
    : { logs: found, searchedTo: to + 1n, next: endOf(to) };
}

/** A shorter range after one whose answer was cut: one that holds about twice the events that are wanted. */
function shorter(blocks: bigint, from: bigint, { logs, searched_to }: GetLogsResult, limit: number): bigint {
  const covered = searched_to === undefined ? 1n : searched_to - from + 1n;
  const dense = logs.length === 0 ? covered : (covered * BigInt(2 * limit)) / BigInt(logs.length);
  const half = blocks / 2n;
  const less = dense < half ? dense : half;
  return less > 1n ? less : 1n;
}

function placeOf({ height, tx_index, log_index }: Log): EventPlace {
  return { height, txIndex: tx_index, logIndex: log_index };
}

function isBefore(log: Log, { height, txIndex, logIndex }: EventPlace): boolean {
  if (log.height !== height) return log.height < height;
  return log.tx_index === txIndex ? log.log_index < logIndex : log.tx_index < txIndex;
}

/** The oldest height that the node has, from its refusal of an older one: it may have started from a snapshot. */
function oldestIn(error: unknown): bigint | undefined {
  if (!(error instanceof RpcCallError) || error.kind !== 'state_unavailable') return undefined;
  const { oldest } = error.data;
  return typeof oldest === 'number' || typeof oldest === 'string' ? BigInt(oldest) : undefined;
}
