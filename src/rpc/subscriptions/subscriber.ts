import type { Caller } from '../../async/caller.js';
import type { Meter } from '../access/meter.js';
import type { SubscribeRequest } from './subscribe-params.js';

export interface SubscribingCaller extends Caller {
  /** Charges past events; undefined if they are free. */
  readonly meter?: Meter | undefined;
}

/** The connection of a call, as seen by the methods `subscribe` and `unsubscribe`. */
export interface Subscriber {
  /** Creates a subscription, whose events begin after the answer. @returns its id @throws RpcError */
  subscribe(request: SubscribeRequest, caller: SubscribingCaller): string;
  /** @returns false if the connection has no such subscription */
  unsubscribe(id: string): boolean;
  /** The height to resume a subscription at: all events below it precede this answer. Undefined for no such id. */
  positionOf(id: string): bigint | undefined;
}

/** The connection as a receiver of events. */
export interface EventSink {
  /** True once the connection has ended. */
  readonly isOver: boolean;
  /** True while the peer should get no further events, because it has not read earlier ones. */
  readonly isCongested: boolean;
  /** Sends encoded notifications, which must not change afterwards. */
  sendEvents(events: readonly Uint8Array[]): void;
  sendNotice(text: string): void;
}
