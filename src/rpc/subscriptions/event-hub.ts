import { isAsync, type MaybeAsync, settle } from '../../async/maybe-async.js';
import { type Sliced, SlicedWork } from '../../async/sliced-work.js';
import type { BoundedLog } from '../../config/bounded-log.js';
import type { Limits } from '../../config/limits.js';
import { toRpcError } from '../domain-errors.js';
import { RpcError } from '../errors.js';
import { checkLogFilter } from '../log-filter.js';
import type { SocketCounts } from '../metrics/socket-counts.js';
import { type Channel, dropNotice, type Page } from './channel.js';
import { ChannelTable, type EventSource, type OpenChannel } from './channel-table.js';
import { ConnectionSubscriber } from './connection-subscriber.js';
import { checkResume, EventReplay, SHORT_REPLAY } from './event-replay.js';
import type { SubscribeRequest } from './subscribe-params.js';
import type { EventSink, SubscribingCaller } from './subscriber.js';
import { Subscription } from './subscription.js';
import { type SubscriptionMemory, SubscriptionQuota } from './subscription-quota.js';

export interface EventHubParts {
  readonly limits: Limits;
  readonly counts: SocketCounts;
  readonly log: BoundedLog;
  /** Shared by the subscriptions of all threads. */
  readonly memory: SubscriptionMemory;
}

/** Time per event loop tick for sending events: calls and, on the main thread, blocks come first. */
const TICK_BUDGET_MS = 2;
/** Interval of checks for a new tip, which another thread publishes in shared memory. */
const POLL_MS = 10;
/** Retry interval of subscriptions that could not continue, such as after a read that was refused under load. */
const RETRY_MS = 500;

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
  readonly #room: SubscriptionQuota;
  readonly #work = new SlicedWork({ tickBudgetMs: TICK_BUDGET_MS });
  readonly #channels: ChannelTable;
  readonly #clients = new Map<string, ClientQueue>();
  #source: EventSource | undefined;
  #polling: NodeJS.Timeout | undefined;
  #seen = new Map<Channel, bigint>();
  #retriedMs = 0;

  constructor(parts: EventHubParts) {
    this.#parts = parts;
    const { limits, memory, counts } = parts;
    this.#room = new SubscriptionQuota(limits, memory);
    const { maxSubscriptionLag } = limits;
    this.#channels = new ChannelTable({ maxSubscriptionLag, counts, room: this.#room });
  }

  /** Starts serving subscriptions, once there is a chain. */
  open(source: EventSource): void {
    this.#source = source;
  }

  readonly subscriptionsOf = (sink: EventSink): ConnectionSubscriber =>
    new ConnectionSubscriber(sink, {
      limits: this.#parts.limits,
      create: (request, ordinal, caller) => this.#create(request, ordinal, caller, sink),
      wake: (subscription) => this.#wake(subscription),
      drop: (subscription, reason) => this.#drop(subscription, reason),
    });

  /** @throws RpcError */
  #create(
    request: SubscribeRequest,
    ordinal: number,
    caller: SubscribingCaller,
    sink: EventSink,
  ): Subscription {
    const source = this.#source;
    if (source === undefined) {
      const reason = 'this node has no state yet';
      throw new RpcError('not_ready', reason, { reasons: [reason] });
    }
    const { topic, filter, fromHeight } = request;
    checkLogFilter(filter, 'params.filter');
    const { limits, counts } = this.#parts;
    if (fromHeight !== undefined) checkResume(source, fromHeight, limits.maxResumeHeights);
    const { client } = caller;
    const place = this.#room.take('subscriptions', 1, caller);
    let replay: EventReplay | undefined;
    let opened: OpenChannel;
    try {
      if (fromHeight !== undefined) replay = this.#replay(request, source, fromHeight, caller);
      opened = this.#channels.open(request, ordinal, source, caller);
    } catch (error) {
      place.release();
      replay?.end();
      throw error;
    }
    const { channel, users } = opened;
    const at = fromHeight ?? channel.head;
    const subscription = new Subscription({
      channel,
      client,
      sink,
      replay,
      cursor: { at },
      allowedLag: channel.head - at + channel.maxLag,
      onEnd: () => {
        place.release();
        counts.subscriptions[topic]--;
        this.#release(opened, subscription);
      },
    });
    users.add(subscription);
    counts.subscriptions[topic]++;
    this.#polling ??= setInterval(() => this.#poll(), POLL_MS).unref();
    return subscription;
  }

  /** @throws RpcError overloaded */
  #replay(
    { topic }: SubscribeRequest,
    { chain }: EventSource,
    from: bigint,
    caller: SubscribingCaller,
  ): EventReplay | undefined {
    const tip = chain.tip.header.height;
    if (from > tip) return undefined;
    const { counts } = this.#parts;
    const isLong = tip - from >= SHORT_REPLAY;
    const lease = isLong ? this.#room.take('replays', 1, caller) : undefined;
    if (isLong) counts.replays++;
    return new EventReplay({
      topic,
      isLong,
      meter: caller.meter,
      onEnd: () => {
        lease?.release();
        if (isLong) counts.replays--;
      },
    });
  }

  #release(opened: OpenChannel, subscription: Subscription): void {
    if (!this.#channels.release(opened, subscription)) return;
    this.#seen.delete(opened.channel);
    if (this.#channels.size > 0) return;
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

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

  #run(client: string, queue: ClientQueue): void {
    queue.isRunning = true;
    const report = (err: unknown): unknown => this.#parts.log.error({ err }, 'failed to send events');
    this.#work
      .run(this.#advanceAll(queue), { client, isGone: false })
      .catch(report)
      .then(() => {
        queue.isRunning = false;
        if (queue.due.length > 0) this.#run(client, queue);
        else if (this.#clients.get(client) === queue) this.#clients.delete(client);
      })
      .catch(report);
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

  #advance(subscription: Subscription): void {
    if (!subscription.isActive || !subscription.isBehind) return;
    const { loss } = subscription;
    if (loss !== undefined) {
      this.#drop(subscription, loss);
      return;
    }
    if (subscription.isReading || subscription.sink.isCongested) return;
    const { channel, cursor, loaded } = subscription;
    if (loaded === undefined && !this.#isPaid(subscription)) return;
    // Others may wait for the same page, so the read goes on without this subscriber.
    const { client, replay } = subscription;
    const page = loaded ?? channel.read(cursor, { client, isGone: false, allowance: replay?.work });
    if (!isAsync(page)) {
      this.#deliver(subscription, page);
      return;
    }
    this.#waitFor(page, subscription, (read) => {
      // Thousands may wait for the same page; each sends it in its turn.
      subscription.loaded = read;
      this.#wake(subscription);
    });
  }

  #waitFor<T>(needed: MaybeAsync<T>, subscription: Subscription, goOn: (value: T) => void): void {
    subscription.isReading = true;
    settle(
      needed,
      (value) => {
        subscription.isReading = false;
        goOn(value);
      },
      (error: unknown) => {
        subscription.isReading = false;
        this.#failed(subscription, error);
      },
    );
  }

  /** Charges the next page of past events. @returns false if it may not be read yet, or never */
  #isPaid(subscription: Subscription): boolean {
    const verdict = subscription.replay?.pay() ?? 'paid';
    if (verdict === 'paid') return true;
    if (isAsync(verdict)) {
      this.#waitFor(verdict, subscription, (refusal) => {
        if (refusal === undefined) this.#wake(subscription);
        else this.#drop(subscription, refusal.message);
      });
    } else if (verdict !== 'later') this.#drop(subscription, verdict.message);
    // Otherwise `#poll` tries again.
    return false;
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
