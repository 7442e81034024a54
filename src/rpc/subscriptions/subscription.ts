import type { Channel, Cursor, Page } from './channel.js';
import type { EventSink } from './subscriber.js';

export interface SubscriptionOptions {
  readonly channel: Channel;
  /** The key under which the subscriber's work is counted. */
  readonly client: string;
  readonly sink: EventSink;
  readonly cursor: Cursor;
  /** See {@link Subscription.isLost}. */
  readonly allowedLag: bigint;
  readonly onEnd: () => void;
}

type State = 'new' | 'active' | 'over';

/** A receiver of a channel's events, at its place in the channel. */
export class Subscription {
  readonly channel: Channel;
  readonly client: string;
  readonly sink: EventSink;
  /** True while it waits for its turn to send. */
  isDue = false;
  /** True while its next page is being read. */
  isReading = false;
  /** Its next page, once read. */
  loaded: Page | undefined;
  readonly #onEnd: () => void;
  #cursor: Cursor;
  #allowedLag: bigint;
  #state: State = 'new';

  constructor({ channel, client, sink, cursor, allowedLag, onEnd }: SubscriptionOptions) {
    this.channel = channel;
    this.client = client;
    this.sink = sink;
    this.#cursor = cursor;
    this.#allowedLag = allowedLag;
    this.#onEnd = onEnd;
  }

  get cursor(): Cursor {
    return this.#cursor;
  }

  /** True from the answer that tells its id to its end. */
  get isActive(): boolean {
    return this.#state === 'active';
  }

  get isGone(): boolean {
    return this.#state === 'over';
  }

  get isBehind(): boolean {
    return this.#cursor.at < this.channel.head;
  }

  /**
   * True if its next events are gone, or if its client has let it fall too far behind. A lag of the node itself does not
   * count.
   */
  get isLost(): boolean {
    const { head, tail } = this.channel;
    if (this.#cursor.at < tail) return true;
    return head - this.#cursor.at > this.#allowedLag && this.sink.isCongested;
  }

  activate(): void {
    if (this.#state === 'new') this.#state = 'active';
  }

  moveTo(next: Cursor): void {
    this.loaded = undefined;
    this.#cursor = next;
    // A resumed subscription begins further behind.
    if (!this.isBehind) this.#allowedLag = this.channel.maxLag;
  }

  end(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#onEnd();
  }
}
