import type { LRUCache } from 'lru-cache';
import type { Caller } from '../../async/caller.js';
import { isAsync } from '../../async/maybe-async.js';
import type { CommittedChain } from '../../chain/committed-chain.js';
import { EVENT_SEPARATOR, type EventQuery } from '../../ledger/queries/events.js';
import { contractsOf } from '../log-filter.js';
import type { Topic } from '../topics.js';
import { type Channel, type Cursor, type Page, pageOf } from './channel.js';
import type { EventReads, RecentEvents } from './recent-events.js';
import type { SubscribeRequest } from './subscribe-params.js';

/** Maximum size of a page: length, number of events, and number of blocks covered. */
const PAGE_BYTES = 32 * 1024;
const PAGE_EVENTS = 256;
const PAGE_BLOCKS = 1_024n;

export interface BlockPage extends Page {
  /** True if a limit ended it, so that it does not grow with the chain. */
  readonly isFull: boolean;
}

export interface BlockSource {
  readonly chain: Pick<CommittedChain, 'tip' | 'finalizedHeight' | 'firstHeight'>;
  readonly reads: EventReads;
}

export interface SharedReads {
  readonly pages: LRUCache<string, BlockPage>;
  readonly recent: RecentEvents;
}

/** A channel of blocks or contract events. It reads the store, so every stored height is readable at any time. */
export class BlockChannel implements Channel {
  readonly id: string;
  readonly topic: Topic;
  readonly maxLag: bigint;
  readonly #selection: Pick<EventQuery, 'contracts' | 'topics'>;
  readonly #source: BlockSource;
  readonly #shared: SharedReads;
  /** Pages being read, for subscribers who need the same one. */
  readonly #pending = new Map<string, Promise<BlockPage>>();

  /** @param shared by all channels @param maxLag in blocks */
  constructor(
    id: string,
    { topic, filter }: Pick<SubscribeRequest, 'topic' | 'filter'>,
    source: BlockSource,
    shared: SharedReads,
    maxLag: number,
  ) {
    this.maxLag = BigInt(maxLag);
    this.id = id;
    this.topic = topic;
    this.#selection = { contracts: contractsOf(filter), topics: filter.topics ?? [] };
    this.#source = source;
    this.#shared = shared;
  }

  get head(): bigint {
    return this.#newest + 1n;
  }

  get tail(): bigint {
    return this.#source.chain.firstHeight;
  }

  lossAt({ at }: Cursor): string {
    return `the node no longer keeps block ${at}`;
  }

  heightOf({ at }: Cursor): bigint {
    return at;
  }

  read(cursor: Cursor, caller: Caller): Page | Promise<Page> {
    const { at, after } = cursor;
    const place = `${this.id} ${at} ${after?.txIndex ?? ''} ${after?.logIndex ?? ''}`;
    const known = this.#shared.pages.get(place);
    // A page read at an earlier tip is shorter: who resumes here would pay for many of them.
    if (known !== undefined && (known.isFull || known.next.at > this.#lastOfPage(at))) return known;
    return this.#pending.get(place) ?? this.#ask(place, cursor, caller);
  }

  close(): void {
    // The cache evicts the pages of a closed channel over time.
  }

  get #newest(): bigint {
    const { chain } = this.#source;
    return this.topic === 'finalized_blocks' ? chain.finalizedHeight : chain.tip.header.height;
  }

  /** The last block of a page that begins at a block, if no other limit ends it. */
  #lastOfPage(at: bigint): bigint {
    const newest = this.#newest;
    const last = at + PAGE_BLOCKS - 1n;
    return last < newest ? last : newest;
  }

  /** Reads the page only if blocks of it may have events of the filter. */
  #ask(place: string, cursor: Cursor, caller: Caller): Page | Promise<Page> {
    const { at, after } = cursor;
    if (this.topic !== 'logs' || after !== undefined) return this.#load(place, cursor, caller);
    const range = { from: at, to: this.#lastOfPage(at) };
    const nothing: Page = { events: [], next: { at: range.to + 1n }, bytes: 0 };
    const mayHave = this.#shared.recent.mayHave(this.#selection, range, this.#source.reads, caller);
    const page = (may: boolean | undefined) =>
      may === false ? nothing : (this.#pending.get(place) ?? this.#load(place, cursor, caller));
    return isAsync(mayHave) ? mayHave.then(page) : page(mayHave);
  }

  #load(place: string, cursor: Cursor, caller: Caller): Promise<BlockPage> {
    const query = this.#query(cursor);
    const page = this.#source.reads
      .read({ kind: 'events', query }, caller)
      .then((text) => {
        const loaded = this.#page(text, query);
        this.#shared.pages.set(place, loaded);
        return loaded;
      })
      .finally(() => this.#pending.delete(place));
    this.#pending.set(place, page);
    return page;
  }

  #query({ at, after }: Cursor): EventQuery {
    return {
      of: this.topic === 'logs' ? 'logs' : 'blocks',
      from: at,
      to: this.#lastOfPage(at),
      ...(after === undefined ? {} : { after }),
      ...this.#selection,
      limit: PAGE_EVENTS,
      maxLength: PAGE_BYTES,
      finalizedHeight: this.#source.chain.finalizedHeight,
    };
  }

  #page(text: string, { to }: EventQuery): BlockPage {
    const [position = '', ...results] = text.split(EVENT_SEPARATOR);
    const next = cursorOf(position);
    return { ...pageOf(this.id, results, next), isFull: next.at <= to };
  }
}

function cursorOf(text: string): Cursor {
  const [at = '', txIndex, logIndex] = text.split(' ');
  const height = BigInt(at);
  if (txIndex === undefined || logIndex === undefined) return { at: height };
  return { at: height, after: { height, txIndex: Number(txIndex), logIndex: Number(logIndex) } };
}
