import type { BlockSummary, GetLogsArgs, Log, PendingSummary } from '../generated/node-rpc-v1.js';
import {
  readJsonBlockSummary,
  readJsonLog,
  readJsonPendingSummary,
  writeJsonGetLogsArgs,
} from '../generated/node-rpc-v1-codecs.js';
import { CodecState } from '../idl/codecs/codec.js';
import { TextJsonWriter, type TextOrBytes } from '../idl/codecs/text-json-writer.js';
import { decoded } from './checked-arguments.js';
import { ClientError } from './client-error.js';
import { signal } from './event-buffer.js';
import { EventSocket, type WebSocketConstructor } from './event-socket.js';
import { type RetryPolicy, retryDelayMs, sleep } from './retry.js';
import { RpcCallError } from './rpc-call-error.js';

/** The event of each topic. */
export interface TopicEvents {
  readonly new_blocks: BlockSummary;
  readonly finalized_blocks: BlockSummary;
  readonly logs: Log;
  readonly pending_txs: PendingSummary;
}

export type SubscriptionTopic = keyof TopicEvents;

/**
 * The logs of one contract or of several `contracts`, and of topics by position: an empty list of topics accepts any.
 */
export type LogFilter = TextOrBytes<EncodedLogFilter>;

/** A {@link LogFilter} with bytes only. */
export type EncodedLogFilter = Pick<GetLogsArgs, 'contract' | 'contracts' | 'topics'>;

export interface SubscribeOptions {
  /** For `logs`: the contracts and topics, as for `get_logs`. */
  readonly filter?: LogFilter;
  /** The first block to report; default: the next one. Not for `pending_txs`. */
  readonly fromHeight?: bigint;
  /** Replaces the global `WebSocket`, which Node 20 lacks; pass `WebSocket` of the package ws. */
  readonly webSocket?: WebSocketConstructor;
  /** Called with each failure before the subscription reconnects. */
  readonly onRetry?: (error: unknown) => void;
}

/** A running subscription. */
export interface ClientSubscription {
  /** Resolves once the node has accepted the subscription for the first time. */
  readonly started: Promise<void>;
  /**
   * Resolves after {@link close}. Rejects with an RpcCallError if the node refuses the subscription for good, or with
   * the error thrown by the listener.
   */
  readonly ended: Promise<void>;
  /** Ends the subscription; no event follows. */
  close(): void;
}

export interface SubscriptionParts {
  /** The URL of the node's WebSockets. */
  readonly url: string;
  readonly token: string | undefined;
  /** The height of the tip. */
  readonly tip: () => Promise<bigint>;
}

const RECONNECT: RetryPolicy = { retries: Number.POSITIVE_INFINITY, baseDelayMs: 200, maxDelayMs: 5_000 };

/** A subscription that lasts this long was no failure; those dropped sooner are retried ever more slowly. */
const STABLE_MS = 10_000;

/** Ignores unknown members, which newer nodes may add. */
const { jsonReader } = new CodecState({ unknownMembers: 'ignore' });
const jsonWriter = new TextJsonWriter();

/**
 * A subscription that survives lost connections. Blocks and logs resume at a height, so they continue without gaps or
 * repeats; pending transactions may be missed while disconnected.
 */
export class ResumingSubscription<T extends SubscriptionTopic> implements ClientSubscription {
  readonly started: Promise<void>;
  readonly ended: Promise<void>;
  readonly #parts: SubscriptionParts;
  readonly #topic: T;
  readonly #options: SubscribeOptions;
  readonly #onEvent: (event: TopicEvents[T]) => void;
  readonly #closing = new AbortController();
  /** The height to resume at: all events of lower blocks have been reported. Undefined until known. */
  nextHeight: bigint | undefined;
  /** The last log reported, whose block may have more. */
  #lastLog: Log | undefined;
  readonly #accepted = signal();

  constructor(
    parts: SubscriptionParts,
    topic: T,
    options: SubscribeOptions,
    onEvent: (event: TopicEvents[T]) => void,
  ) {
    this.#parts = parts;
    this.#topic = topic;
    this.#options = options;
    this.#onEvent = onEvent;
    this.nextHeight = options.fromHeight;
    this.ended = this.#run();
    // Also rejects if the node never accepts the subscription, so callers may await either promise.
    this.started = Promise.race([this.#accepted.promise, this.ended]);
    this.started.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      let startedMs = Number.POSITIVE_INFINITY;
      try {
        await this.#connectOnce(() => {
          startedMs = performance.now();
          this.#accepted.resolve();
        });
      } catch (error) {
        if (signal.aborted) return;
        if (performance.now() - startedMs >= STABLE_MS) failures = 0;
        if (!isTemporary(error)) throw error;
        this.#options.onRetry?.(error);
        await pauseAfter(error, failures++, signal);
      }
    }
  }

  /** Connects, subscribes, and reports events until the connection ends. Never resolves. */
  async #connectOnce(onStarted: () => void): Promise<never> {
    const { url, token, tip } = this.#parts;
    const isOfBlocks = this.#topic !== 'pending_txs';
    if (isOfBlocks) this.nextHeight ??= (await tip()) + 1n;
    const socket = new EventSocket(url, token, this.#options.webSocket);
    let isStarted = false;
    const stop = (): void => socket.close();
    this.#closing.signal.addEventListener('abort', stop, { once: true });
    try {
      return await socket.subscribe(this.#params(), {
        onStarted: () => {
          isStarted = true;
          onStarted();
        },
        onEvent: (json) => this.#take(json),
        onPosition: (height) => this.#advanceTo(height),
      });
    } catch (error) {
      // A WebSocket does not say why the node refused it; the same call over HTTP does.
      const mayBeToken = !isStarted && token !== undefined && error instanceof ClientError;
      if (mayBeToken && !this.#closing.signal.aborted) await tip();
      throw error;
    } finally {
      this.#closing.signal.removeEventListener('abort', stop);
      socket.close();
    }
  }

  #params(): string {
    const { filter } = this.#options;
    const members = [`"topic":"${this.#topic}"`];
    if (filter !== undefined) {
      jsonWriter.begin();
      members.push(`"filter":${writeJsonGetLogsArgs(jsonWriter, filter as GetLogsArgs, 'filter')}`);
    }
    if (this.nextHeight !== undefined) members.push(`"from_height":${this.nextHeight}`);
    return `{${members.join(',')}}`;
  }

  #take(json: unknown): void {
    if (this.#closing.signal.aborted) return;
    if (this.#topic === 'pending_txs') {
      this.#report(read(readJsonPendingSummary, json));
    } else if (this.#topic === 'logs') {
      const log = read(readJsonLog, json);
      if (this.#lastLog !== undefined && !isAfter(log, this.#lastLog)) return;
      this.#lastLog = log;
      this.nextHeight = log.height;
      this.#report(log);
    } else {
      const block = read(readJsonBlockSummary, json);
      const expected = this.nextHeight ?? block.height;
      if (block.height < expected) return;
      if (block.height > expected) {
        throw new ClientError('unreachable', `block ${expected} is missing before block ${block.height}`);
      }
      this.nextHeight = block.height + 1n;
      this.#report(block);
    }
  }

  /** A subscription to rare logs otherwise resumes at the last of them, which may be too far from the tip. */
  #advanceTo(height: bigint): void {
    if (this.#topic === 'logs' && (this.nextHeight === undefined || height > this.nextHeight))
      this.nextHeight = height;
  }

  #report(event: TopicEvents[SubscriptionTopic]): void {
    // The topic selected the reader, so the event has the topic's type.
    this.#onEvent(event as TopicEvents[T]);
  }
}

/** @throws ClientError `bad_answer` */
function read<T>(reader: (r: typeof jsonReader, value: unknown, path: string) => T, json: unknown): T {
  return decoded('subscription', () => {
    jsonReader.begin();
    return reader(jsonReader, json, 'event');
  });
}

/** Whether a log comes after another one in the chain. */
export function isAfter(log: Log, last: Log): boolean {
  if (log.height !== last.height) return log.height > last.height;
  if (log.tx_index !== last.tx_index) return log.tx_index > last.tx_index;
  return log.log_index > last.log_index;
}

/** Pauses before another attempt; ends early if the signal is aborted. @param failures earlier ones in a row */
export async function pauseAfter(failure: unknown, failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = retryDelayMs(RECONNECT, Math.min(failures, 10), Math.random(), failure);
  await sleep(delayMs, signal).catch(() => undefined);
}

/** Whether another attempt may succeed. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof RpcCallError) return error.retryable;
  return error instanceof ClientError && (error.code === 'unreachable' || error.code === 'timeout');
}
