import { LRUCache } from 'lru-cache';
import { type Channel, type Cursor, type Page, pageOf } from './channel.js';
import { TOO_SLOW } from './slow-subscriber.js';

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
/** Maximum memory of encoded pages, in bytes, and that of a page beyond its events. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const PAGE_OVERHEAD = 256;
const LEFT_OUT = 'more transactions entered the pool than the node reports';

/** The transactions that enter the pool. It keeps the last few thousand. */
export class PendingChannel {
  readonly #feed: PendingFeed;
  readonly #height: () => bigint;
  /** JSON of the kept transactions; the first one has the number {@link #first}. */
  #kept: string[] = [];
  #first = 0n;
  /** Every transaction before this number is lost because the node left some out. */
  #leftOutBefore = 0n;
  /** Pages of all channels, for subscribers who read the same transactions. */
  readonly #pages = new LRUCache<string, Page>({
    maxSize: MAX_PAGE_BYTES,
    sizeCalculation: ({ bytes }) => bytes + PAGE_OVERHEAD,
  });
  #characters = 0;
  #users = 0;

  /** @param height returns the height of the tip */
  constructor(feed: PendingFeed, height: () => bigint) {
    this.#feed = feed;
    this.#height = height;
  }

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
      lossAt: ({ at }) => (at < self.#leftOutBefore ? LEFT_OUT : TOO_SLOW),
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
        this.#leftOutBefore = this.#first;
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
    const count = Math.min(PAGE_EVENTS, this.#kept.length - start);
    const place = `${id} ${at} ${count}`;
    const known = this.#pages.get(place);
    if (known !== undefined) return known;
    const page = pageOf(id, this.#kept.slice(start, start + count), { at: at + BigInt(count) });
    this.#pages.set(place, page);
    return page;
  }

  #close(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#feed.listen(undefined);
    this.#first += BigInt(this.#kept.length);
    this.#kept = [];
    this.#characters = 0;
    this.#pages.clear();
  }
}
