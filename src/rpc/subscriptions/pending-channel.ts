import { type Channel, type Cursor, notification, type Page } from './channel.js';

/** Source of the transactions that enter the pool. */
export interface PendingFeed {
  /**
   * Starts or stops the feed.
   * @param listener called with the JSON of a PendingSummary for each transaction that enters the pool, or with
   *   `undefined` in place of transactions left out under load; undefined to stop
   */
  listen(listener: ((transactions: readonly (string | undefined)[]) => void) | undefined): void;
}

/** Maximum number and total length of the transactions kept for subscribers who are behind. */
const MAX_KEPT = 4_096;
const MAX_KEPT_CHARACTERS = 4 * 1024 * 1024;
const PAGE_EVENTS = 64;

/** The transactions that enter the pool. It keeps the last few thousand. */
export class PendingChannel {
  readonly #feed: PendingFeed;
  readonly #height: () => bigint;
  /** JSON of the kept transactions; the first one has the number {@link #first}. */
  #kept: string[] = [];
  #first = 0n;
  #characters = 0;
  #users = 0;

  /** @param height returns the height of the tip */
  constructor(feed: PendingFeed, height: () => bigint) {
    this.#feed = feed;
    this.#height = height;
  }

  /** The channel for subscriptions with this id. */
  withId(id: string): Channel {
    if (this.#users++ === 0) this.#feed.listen((transactions) => this.#add(transactions));
    const self = this;
    return {
      id,
      topic: 'pending_txs',
      maxLag: BigInt(MAX_KEPT),
      get head() {
        return self.#first + BigInt(self.#kept.length);
      },
      get tail() {
        return self.#first;
      },
      heightOf: () => this.#height() + 1n,
      read: (cursor) => this.#page(id, cursor),
      close: () => this.#close(),
    };
  }

  #add(transactions: readonly (string | undefined)[]): void {
    for (const json of transactions) {
      if (json === undefined) {
        // Every subscriber has missed it.
        this.#first += BigInt(this.#kept.length) + 1n;
        this.#kept = [];
        this.#characters = 0;
      } else {
        this.#kept.push(json);
        this.#characters += json.length;
      }
    }
    let surplus = 0;
    while (this.#kept.length - surplus > MAX_KEPT || this.#characters > MAX_KEPT_CHARACTERS) {
      this.#characters -= this.#kept[surplus]?.length ?? 0;
      surplus++;
    }
    if (surplus > 0) this.#kept.splice(0, surplus);
    this.#first += BigInt(surplus);
  }

  #page(id: string, { at }: Cursor): Page {
    const start = Number(at - this.#first);
    const events = this.#kept.slice(start, start + PAGE_EVENTS).map((json) => notification(id, json));
    return {
      events,
      next: { at: at + BigInt(events.length) },
      bytes: events.reduce((sum, { length }) => sum + length, 0),
    };
  }

  #close(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#feed.listen(undefined);
    this.#first += BigInt(this.#kept.length);
    this.#kept = [];
    this.#characters = 0;
  }
}
