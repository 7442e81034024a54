import { WebSocket } from 'ws';
import { defined } from '../../base/defined.js';
import { errorMessage } from '../../base/errors.js';
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
      defined({ ...filter, from_height: from, to_height: to, cursor, limit: Math.min(PAGE, left) }),
      defined({ signal }),
    );
    yield* page.logs;
    left -= page.logs.length;
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}

/** Blocks that a subscription may catch up with; more are read as pages first. */
const CATCH_UP_BLOCKS = 500n;

export interface FollowOptions {
  /** First block; default: the next one. */
  readonly from?: bigint;
  /** Ends after this many events; default never. */
  readonly limit?: number;
  readonly signal: AbortSignal;
  readonly onLog: (log: Log) => void;
  /** Called with the reason of each lost connection. */
  readonly onRetry: (reason: string) => void;
}

/**
 * Reports the events from a block on, then new ones, without gap or repeat, until the signal or the limit.
 * @throws RpcCallError if the node refuses for good; ClientError
 */
export async function followLogs(
  client: Client,
  filter: LogFilter,
  { from, limit = Number.POSITIVE_INFINITY, signal, onLog, onRetry }: FollowOptions,
): Promise<void> {
  let left = limit;
  const report = (log: Log): void => {
    left--;
    onLog(log);
  };
  let next = from ?? (await tipOf(client)) + 1n;
  for (let tip = await tipOf(client); tip - next > CATCH_UP_BLOCKS; tip = await tipOf(client)) {
    for await (const log of logHistory(client, filter, { from: next, to: tip, limit: left, signal })) {
      report(log);
    }
    next = tip + 1n;
    if (left <= 0) return;
  }
  if (signal.aborted || left <= 0) return;
  const subscription = client.subscribe(
    'logs',
    {
      filter: filter.filter,
      fromHeight: next,
      webSocket: WebSocket,
      onRetry: (error) => onRetry(errorMessage(error)),
    },
    (log) => {
      report(log);
      if (left <= 0) subscription.close();
    },
  );
  const close = () => subscription.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    await subscription.ended;
  } finally {
    signal.removeEventListener('abort', close);
  }
}

async function tipOf(client: Client): Promise<bigint> {
  return (await client.status()).tip.height;
}
