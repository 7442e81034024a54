import { LRUCache } from 'lru-cache';
import type { SocketCounts } from '../metrics/socket-counts.js';
import { BlockChannel, type BlockPage, type BlockSource } from './block-channel.js';
import type { Channel } from './channel.js';
import { PendingChannel, type PendingFeed } from './pending-channel.js';
import { filterText, logLookups, type SubscribeRequest } from './subscribe-params.js';
import type { SubscribingCaller } from './subscriber.js';
import type { Subscription } from './subscription.js';
import type { Lease, SubscriptionQuota } from './subscription-quota.js';

export interface EventSource extends BlockSource {
  readonly pending: PendingFeed;
}

/** A channel with subscriptions. */
export interface OpenChannel {
  readonly key: string;
  readonly channel: Channel;
  readonly users: Set<Subscription>;
  readonly lookups: number;
  /** The slots of its lookups, which count for the client {@link payer}. */
  readonly lease: Lease;
  payer: string;
}

export interface ChannelTableParts {
  /** In blocks; see `RpcLimits`. */
  readonly maxSubscriptionLag: number;
  readonly counts: SocketCounts;
  readonly room: SubscriptionQuota;
}

/** Maximum memory of encoded pages, in bytes. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Approximate memory of a page beyond its events, in bytes. */
const PAGE_OVERHEAD = 256;

/** The channels with subscriptions, by topic, filter and ordinal. */
export class ChannelTable {
  readonly #parts: ChannelTableParts;
  readonly #pages = new LRUCache<string, BlockPage>({
    maxSize: MAX_PAGE_BYTES,
    sizeCalculation: ({ bytes }) => bytes + PAGE_OVERHEAD,
  });
  readonly #channels = new Map<string, OpenChannel>();
  #pending: PendingChannel | undefined;
  #lastId = 0;

  constructor(parts: ChannelTableParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#channels.size;
  }

  values(): Iterable<OpenChannel> {
    return this.#channels.values();
  }

  /**
   * The channel for a subscription. A new one counts for the caller until the last of its subscriptions has ended.
   * @throws RpcError overloaded
   */
  open(
    request: SubscribeRequest,
    ordinal: number,
    source: EventSource,
    caller: SubscribingCaller,
  ): OpenChannel {
    const { topic, filter } = request;
    const key = `${topic} ${filterText(filter)} ${ordinal}`;
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const { room, counts } = this.#parts;
    const lookups = logLookups(request);
    const lease = room.take('logLookups', lookups, caller);
    const channel = this.#create(request, source);
    const opened = {
      ...{ key, channel, lease, lookups, payer: caller.client },
      users: new Set<Subscription>(),
    };
    counts.logLookups += lookups;
    this.#channels.set(key, opened);
    return opened;
  }

  /** Removes a subscription. @returns true if it was the last of its channel, which is then closed */
  release(opened: OpenChannel, subscription: Subscription): boolean {
    const { key, users, lease, lookups, channel } = opened;
    users.delete(subscription);
    const [next] = users;
    if (next !== undefined) {
      if (opened.payer === subscription.client && next.client !== opened.payer) {
        opened.payer = next.client;
        lease.moveTo(next);
      }
      return false;
    }
    lease.release();
    this.#parts.counts.logLookups -= lookups;
    this.#channels.delete(key);
    channel.close();
    if (this.#channels.size === 0) this.#pages.clear();
    return true;
  }

  #create({ topic, filter }: SubscribeRequest, source: EventSource): Channel {
    this.#lastId++;
    const id = String(this.#lastId);
    if (topic !== 'pending_txs') {
      return new BlockChannel(id, { topic, filter }, source, this.#pages, this.#parts.maxSubscriptionLag);
    }
    this.#pending ??= new PendingChannel(source.pending, () => source.chain.tip.header.height);
    return this.#pending.withId(id);
  }
}
