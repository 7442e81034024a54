import type { LRUCache } from 'lru-cache';
import type { Caller } from '../../async/caller.js';
import type { CommittedChain } from '../../chain/committed-chain.js';
import type { Reads } from '../../execution/calls/reads.js';
import { EVENT_SEPARATOR, type EventQuery } from '../../ledger/queries/events.js';
import type { Topic } from '../topics.js';
import { type Channel, type Cursor, notification, type Page } from './channel.js';
import type { LogFilter } from './subscribe-params.js';

/** Maximum size of a page: length, number of events, and number of blocks covered. */
const PAGE_BYTES = 32 * 1024;
const PAGE_EVENTS = 256;
const PAGE_BLOCKS = 1_024n;

export interface BlockSource {
  readonly chain: Pick<CommittedChain, 'tip' | 'finalizedHeight' | 'firstHeight'>;
  readonly reads: Pick<Reads, 'read'>;
}

/** A channel of blocks or contract events. It reads the store, so every stored height is readable at any time. */
export class BlockChannel implements Channel {
  readonly id: string;
  readonly topic: Topic;
  readonly maxLag: bigint;
  readonly #filter: LogFilter;
  readonly #source: BlockSource;
  readonly #pages: LRUCache<string, Page>;
  /** Pages being read, for subscribers who need the same one. */
  readonly #pending = new Map<string, Promise<Page>>();

  /** @param pages shared by all channels @param maxLag in blocks */
  constructor(
    id: string,
    { topic, filter }: { readonly topic: Topic; readonly filter: LogFilter },
    source: BlockSource,
    pages: LRUCache<string, Page>,
    maxLag: number,
  ) {
    this.maxLag = BigInt(maxLag);
    this.id = id;
    this.topic = topic;
    this.#filter = filter;
    this.#source = source;
    this.#pages = pages;
  }

  get head(): bigint {
    return this.#newest + 1n;
  }

  get tail(): bigint {
    return this.#source.chain.firstHeight;
  }

  heightOf({ at }: Cursor): bigint {
    return at;
  }

  read(cursor: Cursor, caller: Caller): Page | Promise<Page> {
    const { at, after } = cursor;
    const place = `${this.id} ${at} ${after?.txIndex ?? ''} ${after?.logIndex ?? ''}`;
    return this.#pages.get(place) ?? this.#pending.get(place) ?? this.#load(place, cursor, caller);
  }

  close(): void {
    // The cache evicts the pages of a closed channel over time.
  }

  get #newest(): bigint {
    const { chain } = this.#source;
    return this.topic === 'finalized_blocks' ? chain.finalizedHeight : chain.tip.header.height;
  }

  #load(place: string, cursor: Cursor, caller: Caller): Promise<Page> {
    const page = this.#source.reads
      .read({ kind: 'events', query: this.#query(cursor) }, caller)
      .then((text) => {
        const loaded = this.#page(text);
        this.#pages.set(place, loaded);
        return loaded;
      })
      .finally(() => this.#pending.delete(place));
    this.#pending.set(place, page);
    return page;
  }

  #query({ at, after }: Cursor): EventQuery {
    const newest = this.#newest;
    const last = at + PAGE_BLOCKS - 1n;
    const { contract, topics = [] } = this.#filter;
    return {
      of: this.topic === 'logs' ? 'logs' : 'blocks',
      from: at,
      to: last < newest ? last : newest,
      ...(after === undefined ? {} : { after }),
      ...(contract === undefined ? {} : { contract }),
      topics,
      limit: PAGE_EVENTS,
      maxLength: PAGE_BYTES,
      finalizedHeight: this.#source.chain.finalizedHeight,
    };
  }

  #page(text: string): Page {
    const [next = '', ...results] = text.split(EVENT_SEPARATOR);
    const events = results.map((result) => notification(this.id, result));
    return {
      events,
      next: cursorOf(next),
      bytes: events.reduce((sum, { length }) => sum + length, 0),
    };
  }
}

function cursorOf(text: string): Cursor {
  const [at = '', txIndex, logIndex] = text.split(' ');
  const height = BigInt(at);
  if (txIndex === undefined || logIndex === undefined) return { at: height };
  return { at: height, after: { height, txIndex: Number(txIndex), logIndex: Number(logIndex) } };
}
