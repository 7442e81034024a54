import type { Channel, Cursor, Page } from './channel.js';
import type { EventReplay } from './event-replay.js';
import { lossOf } from './slow-subscriber.js';
import type { EventSink } from './subscriber.js';

export interface SubscriptionOptions {
  readonly channel: Channel;
  /** Key of the client that the subscriber's work counts against. */
  readonly client: string;
  readonly sink: EventSink;
  readonly cursor: Cursor;
  /** See {@link lossOf}. */
  readonly allowedLag: bigint;
  /** Undefined if it begins with events to come. */
  readonly replay: EventReplay | undefined;
  readonly onEnd: () => void;
}

type State = 'new' | 'active' | 'over';

/** A receiver of a channel's events, at its place in the channel. */
export class Subscription {
  readonly channel: Channel;
  readonly client: string;
  readonly sink: EventSink;
  isDue = false;
  isReading = false;
  loaded: Page | undefined;
  readonly #onEnd: () => void;
  #cursor: Cursor;
  #allowedLag: bigint;
  #replay: EventReplay | undefined;
  #state: State = 'new';

  constructor({ channel, client, sink, cursor, allowedLag, replay, onEnd }: SubscriptionOptions) {
    this.channel = channel;
    this.client = client;
    this.sink = sink;
    this.#cursor = cursor;
    this.#allowedLag = allowedLag;
    this.#replay = replay;
    this.#onEnd = onEnd;
  }

  get cursor(): Cursor {
    return this.#cursor;
  }

  /** True from the answer with its id until its end. */
  get isActive(): boolean {
    return this.#state === 'active';
  }

  get isGone(): boolean {
    return this.#state === 'over';
  }

  get isBehind(): boolean {
    return this.#cursor.at < this.channel.head;
  }

  /** Undefined once it has caught up. */
  get replay(): EventReplay | undefined {
    return this.#replay;
  }

  get isLongReplay(): boolean {
    return this.#state !== 'over' && this.#replay?.isLong === true;
  }

  /** Why it must end; undefined if it may continue. */
  get loss(): string | undefined {
    return lossOf(this.channel, this.#cursor, this.#allowedLag, this.sink);
  }

  activate(): void {
    if (this.#state === 'new') this.#state = 'active';
  }

  moveTo(next: Cursor): void {
    this.loaded = undefined;
    this.#cursor = next;
    this.#replay?.sent();
    if (this.isBehind) return;
    // A resumed subscription has a larger allowance until it has caught up.
    this.#allowedLag = this.channel.maxLag;
    this.#replay?.end();
    this.#replay = undefined;
  }

  end(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#replay?.end();
    this.#onEnd();
  }
}
