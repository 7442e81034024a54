import { ClientError } from './client-error.js';
import { EventBuffer, signal } from './event-buffer.js';
import { globalWebSocket, type WebSocketConstructor } from './event-socket.js';
import type { Feed, FeedTopic } from './feed.js';
import { sleep } from './retry.js';
import { RpcCallError } from './rpc-call-error.js';
import {
  type ClientSubscription,
  isTemporary,
  pauseAfter,
  ResumingSubscription,
  type SubscriptionParts,
} from './subscription.js';

export interface WatchOptions {
  /** The first block to report; default: the next one. */
  readonly fromHeight?: bigint;
  /** Replaces the global `WebSocket`, as on Node 20; `false` polls instead. Without a WebSocket, the watch polls too. */
  readonly webSocket?: WebSocketConstructor | false;
  /** Time between polls at the tip, in milliseconds; default 1,000. */
  readonly pollMs?: number;
  /**
   * Most events that wait for the program; default 1,000. Beyond it the watch pauses, and later continues where it
   * paused.
   */
  readonly maxBuffered?: number;
  /** Called with each failure before another attempt. */
  readonly onRetry?: (error: unknown) => void;
}

/** Called with each event, one at a time: the next one waits for a returned promise. An error ends the watch. */
export type OnEvent<T> = (event: T) => void | Promise<void>;

export interface WatchParts<K extends FeedTopic, T> {
  /** Undefined over a transport that is not HTTP. */
  readonly socket: SubscriptionParts | undefined;
  /** Makes the feed; called again after temporary failures. */
  readonly feed: () => Promise<Feed<K, T>>;
}

/** Failures in a row after which a watch polls instead of subscribing, and for how long. */
const MAX_SOCKET_FAILURES = 3;
const SOCKET_REST_MS = 60_000;

/**
 * A running watch: it reports each event once and in order, however often the connection is lost. Events go to the
 * given function, or to one `for await` loop; leaving the loop closes the watch.
 */
export class EventWatch<T> implements ClientSubscription, AsyncIterable<T> {
  readonly started: Promise<void>;
  /**
   * Resolves after {@link close}. Rejects with an RpcCallError if the node refuses for good, with a ClientError
   * `bad_answer` if its answers make no sense, or with the error thrown by the function.
   */
  readonly ended: Promise<void>;
  readonly #options: WatchOptions;
  readonly #queue: EventBuffer<T>;
  readonly #hasFunction: boolean;
  readonly #closing = new AbortController();
  readonly #accepted = signal();
  /** A WebSocket is not tried again before this time. */
  #socketAtMs = 0;

  /** @throws ClientError `bad_argument` */
  constructor(parts: WatchParts<FeedTopic, T>, options: WatchOptions, onEvent: OnEvent<T> | undefined) {
    const { maxBuffered = 1_000, pollMs = 1_000 } = options;
    if (!Number.isSafeInteger(maxBuffered) || maxBuffered < 1) {
      throw new ClientError('bad_argument', `maxBuffered: expected a positive integer, got ${maxBuffered}`);
    }
    if (!(pollMs >= 0)) throw new ClientError('bad_argument', `pollMs: expected a time, got ${pollMs}`);
    this.#options = options;
    this.#queue = new EventBuffer(maxBuffered);
    this.#hasFunction = onEvent !== undefined;
    this.ended = this.#run(parts, onEvent);
    this.started = Promise.race([this.#accepted.promise, this.ended]);
    this.started.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  /** Ends the watch; no event follows. */
  close(): void {
    this.#closing.abort();
    this.#queue.close();
  }

  /** @throws ClientError `bad_argument` if a function takes the events */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    if (this.#hasFunction) {
      const reason = 'the events go to the given function: watch without one to iterate';
      throw new ClientError('bad_argument', reason);
    }
    return {
      next: async () => {
        const taken = await this.#queue.next();
        return taken === undefined ? { done: true, value: undefined } : { done: false, value: taken.item };
      },
      return: async () => {
        this.close();
        return { done: true, value: undefined };
      },
    };
  }

  async #run(parts: WatchParts<FeedTopic, T>, onEvent: OnEvent<T> | undefined): Promise<void> {
    const producing = this.#produce(parts).then(
      () => this.#queue.end(),
      (value: unknown) => {
        this.#queue.end({ value });
        throw value;
      },
    );
    if (onEvent === undefined) return producing;
    producing.catch(() => undefined);
    try {
      for (let taken = await this.#queue.next(); taken !== undefined; taken = await this.#queue.next()) {
        await onEvent(taken.item);
      }
    } finally {
      this.close();
    }
    return undefined;
  }

  /** Fills the queue until the watch is closed. */
  async #produce(parts: WatchParts<FeedTopic, T>): Promise<void> {
    const { signal } = this.#closing;
    let feed: Feed<FeedTopic, T> | undefined;
    let failures = 0;
    while (!signal.aborted) {
      try {
        feed ??= await parts.feed();
        await this.#queue.drained();
        const { items, place } = await feed.poll(this.#queue.room, { signal });
        for (const item of items) this.#queue.add(item);
        failures = 0;
        this.#accepted.resolve();
        if (place === 'at the end' && this.#queue.room > 0) await this.#follow(feed, parts.socket);
        if (place === 'ahead') await this.#pause();
      } catch (error) {
        if (signal.aborted) return;
        if (!isTemporary(error)) throw error;
        this.#options.onRetry?.(error);
        await pauseAfter(error, failures++, signal);
      }
    }
  }

  #pause(): Promise<void> {
    return sleep(this.#options.pollMs ?? 1_000, this.#closing.signal);
  }

  /** Waits for the next events: over a WebSocket until it is lost for good or the queue is full, else for a while. */
  async #follow(feed: Feed<FeedTopic, T>, socket: WatchParts<FeedTopic, T>['socket']): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { webSocket = globalWebSocket() } = this.#options;
    const isResting = performance.now() < this.#socketAtMs;
    if (webSocket === undefined || webSocket === false || socket === undefined || isResting)
      return this.#pause();
    return this.#subscribe(feed, socket, webSocket);
  }

  async #subscribe(
    feed: Feed<FeedTopic, T>,
    socket: SubscriptionParts,
    webSocket: WebSocketConstructor,
  ): Promise<void> {
    let failures = 0;
    const { promise: paused, resolve: onPaused } = signal();
    const onRetry = (error: unknown): void => {
      this.#options.onRetry?.(error);
      if (++failures < MAX_SOCKET_FAILURES) return;
      this.#socketAtMs = performance.now() + SOCKET_REST_MS;
      onPaused();
    };
    const { next: fromHeight, filter } = feed;
    const options = {
      ...(fromHeight !== undefined && { fromHeight }),
      ...(filter !== undefined && { filter }),
      webSocket,
      onRetry,
    };
    const subscription = new ResumingSubscription(socket, feed.topic, options, (event) => {
      failures = 0;
      const item = feed.take(event);
      if (item === undefined) return;
      this.#queue.add(item);
      if (this.#queue.room > 0) return;
      // WebSockets of browsers cannot be paused.
      subscription.close();
      onPaused();
    });
    this.#closing.signal.addEventListener('abort', onPaused, { once: true });
    try {
      await Promise.race([subscription.ended, paused]);
    } catch (error) {
      // Too far behind the tip: calls read the rest.
      if (!(error instanceof RpcCallError) || error.kind !== 'limit_exceeded') throw error;
      this.#options.onRetry?.(error);
      this.#socketAtMs = performance.now() + (this.#options.pollMs ?? 1_000);
    } finally {
      this.#closing.signal.removeEventListener('abort', onPaused);
      subscription.close();
      if (subscription.nextHeight !== undefined) feed.advanceTo(subscription.nextHeight);
    }
  }
}
