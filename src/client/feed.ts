import type { CallOptions } from './call-options.js';
import type { LogFilter, TopicEvents } from './subscription.js';

/** The topics of {@link Feed}s. */
export type FeedTopic = Exclude<keyof TopicEvents, 'pending_txs'>;

/** One answer to a poll. */
export interface FeedPage<T> {
  readonly items: readonly T[];
  /** Where the feed is now: behind the chain's end, at it, or at a height that is yet to come. */
  readonly place: 'behind' | 'at the end' | 'ahead';
}

/**
 * A sequence of events that knows its position: it can be read by calls and continued by a subscription, in turns,
 * without gap or repeat.
 */
export interface Feed<K extends FeedTopic, T> {
  readonly topic: K;
  /** For the topic `logs`. */
  readonly filter?: LogFilter;
  /** The next height to subscribe from; undefined before the first poll. */
  readonly next: bigint | undefined;
  /** Reads at most `room` further events. @throws ClientError `bad_answer`; the errors of the calls */
  poll(room: number, options: CallOptions): Promise<FeedPage<T>>;
  /** Takes an event of a subscription; undefined if it has no item. @throws ClientError `bad_answer` */
  take(event: TopicEvents[K]): T | undefined;
  /** Called with a height below which a subscription has reported everything. */
  advanceTo(height: bigint): void;
}
