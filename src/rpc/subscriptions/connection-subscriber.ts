import type { Limits } from '../../config/limits.js';
import { limitExceeded, type RpcError } from '../errors.js';
import { filterText } from '../log-filter.js';
import { logLookups, type SubscribeRequest } from './subscribe-params.js';
import type { EventSink, Subscriber, SubscribingCaller } from './subscriber.js';
import type { Subscription } from './subscription.js';

export interface ConnectionSubscriberParts {
  readonly limits: Limits;
  /**
   * @param ordinal distinguishes subscriptions of one connection to the same events. Subscriptions with equal events
   *   and ordinal share an id across connections; ids within a connection differ
   * @throws RpcError
   */
  readonly create: (request: SubscribeRequest, ordinal: number, caller: SubscribingCaller) => Subscription;
  readonly wake: (subscription: Subscription) => void;
  readonly drop: (subscription: Subscription, reason: string) => void;
}

interface Held {
  readonly subscription: Subscription;
  readonly events: string;
  readonly ordinal: number;
  readonly lookups: number;
}

/** The subscriptions of one connection, by id. */
export class ConnectionSubscriber {
  readonly #sink: EventSink;
  readonly #parts: ConnectionSubscriberParts;
  readonly #held = new Map<string, Held>();
  #refusal: RpcError | undefined;

  constructor(sink: EventSink, parts: ConnectionSubscriberParts) {
    this.#sink = sink;
    this.#parts = parts;
  }

  /** The subscriber for the calls of one message; call `activate` once the message is answered. */
  forMessage(): Subscriber & { activate(): void } {
    const created: Subscription[] = [];
    return {
      subscribe: (request, caller) => {
        const subscription = this.#subscribe(request, caller);
        created.push(subscription);
        return subscription.channel.id;
      },
      unsubscribe: (id) => this.#unsubscribe(id),
      positionOf: (id) => {
        const subscription = this.#running(id);
        return subscription?.channel.heightOf(subscription.cursor);
      },
      activate: () => {
        for (const subscription of created) {
          subscription.activate();
          if (this.#refusal !== undefined) this.#parts.drop(subscription, this.#refusal.message);
          else this.#parts.wake(subscription);
        }
      },
    };
  }

  /** Number of subscriptions, ended ones included until they are removed. */
  get size(): number {
    return this.#held.size;
  }

  /** Ends all subscriptions with a notice, and refuses further ones. */
  refuse(refusal: RpcError): void {
    this.#refusal = refusal;
    for (const { subscription } of [...this.#held.values()]) {
      // The notice of a subscription whose id is not sent yet follows its answer.
      if (subscription.isActive) this.#parts.drop(subscription, refusal.message);
    }
    this.#forgetEnded();
  }

  /** Continues after the connection was congested. */
  resume(): void {
    for (const { subscription } of this.#held.values()) {
      if (subscription.isGone) this.#held.delete(subscription.channel.id);
      else if (subscription.isBehind) this.#parts.wake(subscription);
    }
  }

  /** Ends all subscriptions, because the connection has ended. */
  end(): void {
    for (const { subscription } of this.#held.values()) subscription.end();
    this.#held.clear();
  }

  #subscribe(request: SubscribeRequest, caller: SubscribingCaller): Subscription {
    if (this.#refusal !== undefined) throw this.#refusal;
    this.#forgetEnded();
    const lookups = logLookups(request);
    this.#expectRoom(lookups);
    const events = `${request.topic} ${filterText(request.filter)}`;
    const ordinal = this.#freeOrdinal(events);
    const subscription = this.#parts.create(request, ordinal, caller);
    this.#held.set(subscription.channel.id, { subscription, events, ordinal, lookups });
    if (subscription.isLongReplay) this.#expectFewReplays(subscription);
    // The connection may have ended while the call waited.
    if (this.#sink.isOver) this.end();
    return subscription;
  }

  #unsubscribe(id: string): boolean {
    const subscription = this.#running(id);
    if (subscription === undefined) return false;
    subscription.end();
    this.#held.delete(id);
    return true;
  }

  /** @throws RpcError */
  #expectRoom(lookups: number): void {
    const { maxSubscriptionsPerConnection: max, maxLogLookupsPerConnection: maxLookups } = this.#parts.limits;
    const count = this.#held.size + 1;
    if (count > max) {
      throw limitExceeded('subscriptions_per_connection', max, count, 'subscriptions of a connection');
    }
    const all = [...this.#held.values()].reduce((sum, held) => sum + held.lookups, lookups);
    if (all > maxLookups) {
      const what = 'index lookups for the log filters of a connection';
      throw limitExceeded('log_lookups_per_connection', maxLookups, all, what);
    }
  }

  /** Ends a subscription that is one too many to read old blocks. @throws RpcError */
  #expectFewReplays(subscription: Subscription): void {
    const { maxReplaysPerConnection: max } = this.#parts.limits;
    const count = [...this.#held.values()].filter((held) => held.subscription.isLongReplay).length;
    if (count <= max) return;
    this.#unsubscribe(subscription.channel.id);
    const what = 'subscriptions of a connection that read old blocks';
    throw limitExceeded('replays_per_connection', max, count, what);
  }

  #running(id: string): Subscription | undefined {
    const subscription = this.#held.get(id)?.subscription;
    return subscription?.isGone === false ? subscription : undefined;
  }

  #freeOrdinal(events: string): number {
    const taken = new Set<number>();
    for (const held of this.#held.values()) if (held.events === events) taken.add(held.ordinal);
    let ordinal = 0;
    while (taken.has(ordinal)) ordinal++;
    return ordinal;
  }

  #forgetEnded(): void {
    for (const [id, { subscription }] of this.#held) if (subscription.isGone) this.#held.delete(id);
  }
}
