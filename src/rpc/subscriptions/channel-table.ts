import { LRUCache } from 'lru-cache';
import { filterText } from '../log-filter.js';
import type { SocketCounts } from '../metrics/socket-counts.js';
import { BlockChannel, type BlockPage, type BlockSource } from './block-channel.js';
import type { Channel } from './channel.js';
import { PendingChannel, type PendingFeed } from './pending-channel.js';
import { RecentEvents } from './recent-events.js';
import { logLookups, type SubscribeRequest } from './subscribe-params.js';
import type { SubscribingCaller } from './subscriber.js';
import type { Subscription } from './subscription.js';
import type { Lease, SubscriptionQuota } from './subscription-quota.js';

export interface EventSource extends BlockSource {
  readonly pending: PendingFeed;
}

export interface OpenChannel {
  readonly key: string;
  readonly channel: Channel;
  readonly users: Set<Subscription>;
  readonly lookups: number;
  readonly shares: Map<string, Share>;
}

interface Share {
  /** The slots of the channel's lookups: they count once in all, and for each client. */
  readonly lease: Lease;
  users: number;
}

export interface ChannelTableParts {
  /** In blocks; see `Limits`. */
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
  readonly #recent = new RecentEvents();
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
   * Counts for each of its clients: otherwise one could leave it to others that have no room for it.
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
    const { room, counts } = this.#parts;
    const { client } = caller;
    const known = this.#channels.get(key);
    if (known !== undefined) {
      const { lookups, shares } = known;
      const share = shares.get(client) ?? { lease: room.share('logLookups', lookups, caller), users: 0 };
      shares.set(client, share);
      share.users++;
      return known;
    }
    const lookups = logLookups(request);
    const lease = room.take('logLookups', lookups, caller);
    const opened = {
      key,
      lookups,
      channel: this.#create(request, source),
      users: new Set<Subscription>(),
      shares: new Map([[client, { lease, users: 1 }]]),
    };
    counts.logLookups += lookups;
    this.#channels.set(key, opened);
    return opened;
  }

  /** Removes a subscription. @returns true if it was the last of its channel, which is then closed */
  release(opened: OpenChannel, subscription: Subscription): boolean {
    const { key, users, shares, lookups, channel } = opened;
    const { client } = subscription;
    const share = shares.get(client);
    users.delete(subscription);
    if (share === undefined || --share.users > 0) return false;
    shares.delete(client);
    if (shares.size > 0) {
      share.lease.leave();
      return false;
    }
    share.lease.release();
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
      const shared = { pages: this.#pages, recent: this.#recent };
      return new BlockChannel(id, { topic, filter }, source, shared, this.#parts.maxSubscriptionLag);
    }
    this.#pending ??= new PendingChannel(source.pending, () => source.chain.tip.header.height);
    return this.#pending.withId(id);
  }
}
