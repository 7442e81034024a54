import type { Client } from '../../client/client.js';
import type { Log } from '../../generated/node-rpc-v1.js';
import type { LogFilter } from './log-filter.js';

/** Events asked for at once; nodes allow 10,000 unless configured otherwise. */
const PAGE = 1_000;

export interface LogRange {
  readonly from: bigint;
  /** Default: the tip. */
  readonly to?: bigint;
  /** Most events; default all. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Yields the events of a range of blocks in order, page by page. */
export async function* logHistory(
  client: Client,
  { filter }: LogFilter,
  { from, to, limit = Number.POSITIVE_INFINITY, signal }: LogRange,
): AsyncGenerator<Log, void, undefined> {
  let cursor: string | undefined;
  let left = limit;
  while (left > 0) {
    const page = await client.call(
      'get_logs',
      {
        ...filter,
        from_height: from,
        ...(to !== undefined && { to_height: to }),
        ...(cursor !== undefined && { cursor }),
        limit: Math.min(PAGE, left),
      },
      { ...(signal !== undefined && { signal }) },
    );
    yield* page.logs;
    left -= page.logs.length;
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}
