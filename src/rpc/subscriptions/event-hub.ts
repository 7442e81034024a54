import { LRUCache } from 'lru-cache';
import type { Caller } from '../../async/caller.js';
import { type Sliced, SlicedWork } from '../../async/sliced-work.js';
import { isSlot, SlotPool } from '../../async/slot-pool.js';
import type { BoundedLog } from '../../config/bounded-log.js';
import { overloaded, toRpcError } from '../domain-errors.js';
import { limitExceeded, RpcError } from '../errors.js';
import type { RpcLimits } from '../limits.js';
import { checkTopics } from '../methods/logs.js';
import { expectStored } from '../methods/page-arguments.js';
import type { SocketCounts } from '../metrics/socket-counts.js';
import { BlockChannel, type BlockSource } from './block-channel.js';
import { type Channel, dropNotice, type Page } from './channel.js';
import { ConnectionSubscriber } from './connection-subscriber.js';
import { PendingChannel, type PendingFeed } from './pending-channel.js';
import { filterText, type SubscribeRequest } from './subscribe-params.js';
import type { ConnectionSubscriptions, EventSink } from './subscriber.js';
import { Subscription } from './subscription.js';

export interface EventSource extends BlockSource {
  readonly pending: PendingFeed;
}

export interface EventHubParts {
  readonly limits: Pick<
    RpcLimits,
    'maxSubscriptions' | 'maxSubscriptionsPerConnection' | 'maxSubscriptionLag' | 'maxResumeHeights'
  >;
  readonly counts: SocketCounts;
  readonly log: BoundedLog;
  /** Memory of `SlotPool`, for the subscriptions of all threads; by default private to this instance. */
  readonly slots?: SharedArrayBuffer;
}

/** Time per event loop tick for sending events: calls and, on the main thread, blocks come first. */
const TICK_BUDGET_MS = 2;
/** Interval of checks for a new tip, which another thread publishes in shared memory. */
const POLL_MS = 10;
/** Retry interval of subscriptions that could not continue, such as after a read that was refused under load. */
const RETRY_MS = 500;
/** Maximum memory of encoded pages, in bytes. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Approximate memory of a page beyond its events, in bytes. */
const PAGE_OVERHEAD = 256;

/**
 * Delivers the events of one thread's subscriptions.
 *
 * A subscription is a cursor in a channel: the hub reads the page at the cursor, sends it, and moves the cursor.
 * Resuming at an old height and following the tip work the same way, so past and live events join without a gap. All
 * subscribers of a channel share its encoded pages; a slow subscriber holds no memory but its cursor, and is dropped
 * with a notice if it falls too far behind. Clients share the sending time equally, regardless of their number of
 * subscriptions.
 */
export class EventHub {
  readonly #parts: EventHubParts;
  readonly #slots: SlotPool;
  readonly #work = new SlicedWork({ tickBudgetMs: TICK_BUDGET_MS });
  readonly #pages = new LRUCache<string, Page>({
    maxSize: MAX_PAGE_BYTES,
    sizeCalculation: ({ bytes }) => bytes + PAGE_OVERHEAD,
  });
  /** Channels with subscriptions, by topic, filter and ordinal. */
  readonly #channels = new Map<string, { readonly channel: Channel; readonly users: Set<Subscription> }>();
  readonly #clients = new Map<string, ClientQueue>();
  #source: EventSource | undefined;
  #pending: PendingChannel | undefined;
  #lastId = 0;
  #polling: NodeJS.Timeout | undefined;
  #seen = new Map<Channel, bigint>();
  #retriedMs = 0;

  constructor(parts: EventHubParts) {
    this.#parts = parts;
    this.#slots = new SlotPool(parts.slots);
  }

  /** Starts serving subscriptions, once there is a chain. */
  open(source: EventSource): void {
    this.#source = source;
  }

  /** The subscriptions of a new connection. */
  readonly subscriptionsOf = (sink: EventSink): ConnectionSubscriptions =>
    new ConnectionSubscriber(sink, {
      max: this.#parts.limits.maxSubscriptionsPerConnection,
      create: (request, ordinal, caller) => this.#create(request, ordinal, caller, sink),
      wake: (subscription) => this.#wake(subscription),
      drop: (subscription, reason) => this.#drop(subscription, reason),
    });

  /** @throws RpcError */
  #create(request: SubscribeRequest, ordinal: number, caller: Caller, sink: EventSink): Subscription {
    const source = this.#source;
    if (source === undefined) {
      const reason = 'this node has no state yet';
      throw new RpcError('not_ready', reason, { reasons: [reason] });
    }
    const { topic, filter, fromHeight } = request;
    checkTopics(filter.topics ?? [], 'params.filter.topics');
    const { maxSubscriptions } = this.#parts.limits;
    if (fromHeight !== undefined) this.#checkResume(source, fromHeight);
    const slot = this.#slots.tryAcquire(maxSubscriptions, caller);
    if (!isSlot(slot)) throw overloaded();
    const key = `${topic} ${filterText(filter)} ${ordinal}`;
    const { channel, users } = this.#channel(key, request, source);
    const { client } = caller;
    const at = fromHeight ?? channel.head;
    const subscription = new Subscription({
      ...{ channel, client, sink },
      cursor: { at },
      allowedLag: channel.head - at + channel.maxLag,
      onEnd: () => {
        this.#slots.release(slot);
        this.#parts.counts.subscriptions[topic]--;
        this.#release(key, subscription);
      },
    });
    users.add(subscription);
    this.#parts.counts.subscriptions[topic]++;
    this.#polling ??= setInterval(() => this.#poll(), POLL_MS).unref();
    return subscription;
  }

  /** @throws RpcError */
  #checkResume({ chain }: EventSource, from: bigint): void {
    const tip = chain.tip.header.height;
    if (from > tip + 1n) {
      throw new RpcError('not_found', `block ${from} does not exist yet; the next one is ${tip + 1n}`, {
        next: tip + 1n,
      });
    }
    const { maxResumeHeights } = this.#parts.limits;
    if (tip - from >= BigInt(maxResumeHeights)) {
      throw limitExceeded(
        'resume_heights',
        maxResumeHeights,
        tip - from + 1n,
        'blocks from params.from_height to the tip',
      );
    }
    if (from < chain.firstHeight) expectStored(chain, from);
  }

  #channel(key: string, { topic, filter }: SubscribeRequest, source: EventSource) {
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const { maxSubscriptionLag } = this.#parts.limits;
    this.#lastId++;
    const id = String(this.#lastId);
    let channel: Channel;
    if (topic === 'pending_txs') {
      this.#pending ??= new PendingChannel(source.pending, () => source.chain.tip.header.height);
      channel = this.#pending.withId(id);
    } else {
      channel = new BlockChannel(id, { topic, filter }, source, this.#pages, maxSubscriptionLag);
    }
    const opened = { channel, users: new Set<Subscription>() };
    this.#channels.set(key, opened);
    return opened;
  }

  #release(key: string, subscription: Subscription): void {
    const opened = this.#channels.get(key);
    if (opened === undefined) return;
    opened.users.delete(subscription);
    if (opened.users.size > 0) return;
    this.#channels.delete(key);
    this.#seen.delete(opened.channel);
    opened.channel.close();
    if (this.#channels.size > 0) return;
    clearInterval(this.#polling);
    this.#polling = undefined;
    this.#pages.clear();
  }

  /** Wakes the subscriptions of channels with new events. */
  #poll(): void {
    const now = performance.now();
    const isRetry = now - this.#retriedMs >= RETRY_MS;
    if (isRetry) this.#retriedMs = now;
    for (const { channel, users } of this.#channels.values()) {
      const { head } = channel;
      if (!isRetry && this.#seen.get(channel) === head) continue;
      this.#seen.set(channel, head);
      for (const subscription of users) if (subscription.isBehind) this.#wake(subscription);
    }
  }

  #wake(subscription: Subscription): void {
    if (subscription.isDue || !subscription.isActive) return;
    subscription.isDue = true;
    const { client } = subscription;
    let queue = this.#clients.get(client);
    if (queue === undefined) {
      queue = { due: [], isRunning: false };
      this.#clients.set(client, queue);
    }
    queue.due.push(subscription);
    if (!queue.isRunning) this.#run(client, queue);
  }

  /** Runs a client's due subscriptions. */
  #run(client: string, queue: ClientQueue): void {
    queue.isRunning = true;
    const caller: Caller = { client, isGone: false };
    this.#work
      .run(this.#advanceAll(queue), caller)
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'failed to send events'))
      .then(() => {
        queue.isRunning = false;
        if (queue.due.length > 0) this.#run(client, queue);
        else if (this.#clients.get(client) === queue) this.#clients.delete(client);
      })
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'failed to send events'));
  }

  *#advanceAll(queue: ClientQueue): Sliced<void> {
    while (queue.due.length > 0) {
      const due = queue.due.splice(0);
      for (const subscription of due) {
        subscription.isDue = false;
        try {
          this.#advance(subscription);
        } catch (error) {
          this.#failed(subscription, error);
        }
        yield;
      }
    }
  }

  /** Sends a subscription's next page. */
  #advance(subscription: Subscription): void {
    if (!subscription.isActive || !subscription.isBehind) return;
    if (subscription.isLost) {
      this.#drop(subscription, 'you read too slowly');
      return;
    }
    if (subscription.isReading || subscription.sink.isCongested) return;
    const { channel, cursor, loaded } = subscription;
    // Others may wait for the same page, so the read goes on without this subscriber.
    const page = loaded ?? channel.read(cursor, { client: subscription.client, isGone: false });
    if (!(page instanceof Promise)) {
      this.#deliver(subscription, page);
      return;
    }
    subscription.isReading = true;
    page.then(
      (read) => {
        subscription.isReading = false;
        // Thousands may wait for the same page; each sends it in its turn.
        subscription.loaded = read;
        this.#wake(subscription);
      },
      (error: unknown) => {
        subscription.isReading = false;
        this.#failed(subscription, error);
      },
    );
  }

  #deliver(subscription: Subscription, { events, next }: Page): void {
    if (!subscription.isActive) return;
    subscription.sink.sendEvents(events);
    subscription.moveTo(next);
    if (subscription.isBehind) this.#wake(subscription);
  }

  #failed(subscription: Subscription, error: unknown): void {
    if (!subscription.isActive) return;
    const refusal = toRpcError(error, 'the events of a subscription', this.#parts.log);
    // Otherwise the node is busy, and `#poll` tries again.
    if (!refusal.retryable) this.#drop(subscription, refusal.message);
  }

  #drop(subscription: Subscription, reason: string): void {
    if (!subscription.isActive) return;
    const { channel, cursor, sink } = subscription;
    subscription.end();
    this.#parts.counts.dropped++;
    sink.sendNotice(dropNotice(channel.id, channel.heightOf(cursor), reason));
  }
}

/** A client's subscriptions that may have something to send. */
interface ClientQueue {
  readonly due: Subscription[];
  isRunning: boolean;
}
