import type { Caller } from '../../async/caller.js';
import type { LogPosition } from '../../ledger/contract-store.js';
import type { Topic } from '../topics.js';

/** The position of a subscription in its channel. */
export interface Cursor {
  /** Height of the next block to report; for pending transactions, the number of the next one. */
  readonly at: bigint;
  /** The last event of that block that has been reported already. */
  readonly after?: LogPosition;
}

/** Some consecutive events of a channel. */
export interface Page {
  /** Encoded notifications, shared by all subscribers of the channel. */
  readonly events: readonly Uint8Array[];
  readonly next: Cursor;
  readonly bytes: number;
}

/** The events of one topic and filter, with the subscription id that their notifications carry. */
export interface Channel {
  readonly id: string;
  readonly topic: Topic;
  /** The position of the next event to come. */
  readonly head: bigint;
  /** Number of events, or of blocks, that a subscriber may be behind once it has caught up. */
  readonly maxLag: bigint;
  /** The oldest readable position. */
  readonly tail: bigint;
  /** Why the events at a cursor before {@link tail} are gone, as human-readable text. */
  lossAt(cursor: Cursor): string;
  /** The `from_height` that resumes a dropped subscription. */
  heightOf(cursor: Cursor): bigint;
  /**
   * The events at a cursor before {@link head}.
   * @param caller the client that the read is counted for, if the page is not cached
   * @throws RpcError and errors known to `domain-errors.ts`
   */
  read(cursor: Cursor, caller: Caller): Page | Promise<Page>;
  /** Called when the channel has no subscribers left. */
  close(): void;
}

/** @param results JSON texts @param next the position after them */
export function pageOf(subscription: string, results: readonly string[], next: Cursor): Page {
  const events = results.map((result) => Buffer.from(notification(subscription, `"result":${result}`)));
  return { events, next, bytes: events.reduce((sum, { length }) => sum + length, 0) };
}

/** The notification of a subscription that has ended. @param reason human-readable text */
export function dropNotice(subscription: string, fromHeight: bigint, reason: string): string {
  const dropped = `{"from_height":${fromHeight},"reason":${JSON.stringify(reason)}}`;
  return notification(subscription, `"dropped":${dropped}`);
}

function notification(subscription: string, member: string): string {
  const params = `{"subscription":${JSON.stringify(subscription)},${member}}`;
  return `{"jsonrpc":"2.0","method":"subscription","params":${params}}`;
}
