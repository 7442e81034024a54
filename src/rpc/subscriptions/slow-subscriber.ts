import type { Channel, Cursor } from './channel.js';
import type { EventSink } from './subscriber.js';

/** Why a subscription ends whose client does not read. Quoted in docs/rpc.md. */
export const TOO_SLOW = 'you read too slowly';

/**
 * Why a subscription must end: its next events are gone, or it is more than `allowedLag` behind because its client does
 * not read. A lag of the node itself does not count. A connection that takes up too many unread bytes is cut off by
 * itself (`web-socket/socket-connection.ts`).
 * @returns undefined if it may continue
 */
export function lossOf(
  channel: Channel,
  cursor: Cursor,
  allowedLag: bigint,
  sink: EventSink,
): string | undefined {
  if (cursor.at < channel.tail) return channel.lossAt(cursor);
  return channel.head - cursor.at > allowedLag && sink.isCongested ? TOO_SLOW : undefined;
}
