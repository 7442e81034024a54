import { backoffMs, jittered } from '../../async/backoff.js';
import type { Log } from '../../config/log.js';
import type { PeerHealth, Status } from '../../generated/node-rpc-v1.js';
import { SourceError, type SourceErrorCode } from './follow-error.js';
import { callSource } from './source-call.js';
import {
  boundsOf,
  decodeSourceResult,
  encodeSourceParams,
  type SourceMethod,
  type SourceParams,
  type SourceResult,
} from './source-methods.js';

/** First pause after a failure, in milliseconds; doubles with each further failure. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** First pause after a timeout, in milliseconds; a timeout costs more than a failed connection. */
const FIRST_PAUSE_AFTER_TIMEOUT_MS = 5_000;
/** First ban of a lying source, in milliseconds; doubles with each further lie. */
const FIRST_BAN_MS = 60_000;
const MAX_BAN_MS = 3_600_000;
/** Weight of the latest round trip in the moving average. */
const ROUND_TRIP_WEIGHT = 0.2;

export interface SourceOptions {
  /** As configured: a node's address or its full RPC endpoint. */
  readonly url: string;
  /** Index in the configured list, from 0. */
  readonly index: number;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Source of retry jitter; 0 ≤ value < 1. */
  readonly random: () => number;
}

/** Data of a source for metrics. */
export interface SourceCounts {
  readonly url: string;
  readonly errors: ReadonlyMap<SourceErrorCode, number>;
  readonly chunks: number;
}

/** A node that this node follows, untrusted: a failing one is paused briefly, a lying one banned for long. */
export class Source implements SourceCounts {
  readonly url: string;
  readonly index: number;
  readonly errors = new Map<SourceErrorCode, number>();
  /** The last reported status; undefined before the first report and after a lie. */
  head: Status | undefined;
  /** Number of valid snapshot chunks received from this source. */
  chunks = 0;
  readonly #options: SourceOptions;
  readonly #endpoint: string;
  /** Time of the last valid response, milliseconds since 1970. */
  lastSeenMs: number | undefined;
  #failuresInRow = 0;
  #lies = 0;
  #pausedUntil = 0;
  #currentBan: { readonly until: number; readonly why: string } | undefined;
  #lastFailure: string | undefined;
  #failedMethod: string | undefined;
  #roundTripMs: number | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.url = options.url;
    this.index = options.index;
    this.#endpoint = endpointOf(options.url);
  }

  get usable(): boolean {
    return this.pauseMs === 0;
  }

  /** Remaining pause or ban, in milliseconds. */
  get pauseMs(): number {
    const now = this.#options.now();
    return Math.max(0, this.#pausedUntil - now, (this.#currentBan?.until ?? 0) - now);
  }

  /** Rank from latency and failures; lower is better. */
  get score(): number {
    return (this.#roundTripMs ?? 50) * (1 + this.#failuresInRow) * (1 + 4 * this.#lies);
  }

  /** Description of the current problem; undefined if there is none. */
  get problem(): string | undefined {
    if (this.#currentBan !== undefined && this.#currentBan.until > this.#options.now()) {
      return `${this.url} is dropped: ${this.#currentBan.why}`;
    }
    if (this.#failuresInRow === 0) return undefined;
    return `${this.url} fails: ${this.#lastFailure}`;
  }

  /** Calls a method and records success or failure. @throws SourceError; the signal's reason */
  async ask<M extends SourceMethod>(
    method: M,
    params: SourceParams<M>,
    signal: AbortSignal,
  ): Promise<SourceResult<M>> {
    const { maxBytes, timeoutMs, fairRefusals } = boundsOf(method);
    const text = encodeSourceParams(method, params);
    const started = performance.now();
    try {
      const call = { endpoint: this.#endpoint, method, params: text, maxBytes, timeoutMs, signal };
      const value = decodeSourceResult(method, await callSource(call));
      this.#answered(method, performance.now() - started);
      return value;
    } catch (error) {
      if (error instanceof SourceError) {
        if (error.kind !== undefined && fairRefusals?.includes(error.kind) === true) {
          this.#answered(method, performance.now() - started);
        } else this.recordFault(error, method);
      }
      throw error;
    }
  }

  /** Records a fault and pauses or bans the source; only a success of the same method ends a failure. */
  recordFault(error: SourceError, method = 'status'): void {
    this.errors.set(error.code, (this.errors.get(error.code) ?? 0) + 1);
    if (error.isLie) this.#ban(error);
    else this.#pause(error, method);
  }

  /** The source's health as shown by the API. @param tip this node's height */
  health(tip: bigint): PeerHealth {
    const { host } = new URL(this.#endpoint);
    const behind = this.head === undefined ? undefined : tip - this.head.tip.height;
    return {
      index: this.index,
      address: host,
      connected: this.problem === undefined && this.lastSeenMs !== undefined,
      ...(this.#roundTripMs === undefined ? {} : { rtt_ms: Math.round(this.#roundTripMs) }),
      ...(this.lastSeenMs === undefined ? {} : { last_seen_ms: BigInt(this.lastSeenMs) }),
      ...(behind === undefined ? {} : { behind_by: behind > 0n ? behind : 0n }),
    };
  }

  #answered(method: string, tookMs: number): void {
    const { log, now } = this.#options;
    if (method === this.#failedMethod) {
      log.info({ source: this.url, method }, 'a source answers again');
      this.#failuresInRow = 0;
      this.#failedMethod = undefined;
    }
    this.lastSeenMs = now();
    this.#roundTripMs =
      this.#roundTripMs === undefined
        ? tookMs
        : this.#roundTripMs + ROUND_TRIP_WEIGHT * (tookMs - this.#roundTripMs);
  }

  #pause(error: SourceError, method: string): void {
    const { log, now, random } = this.#options;
    const first = error.code === 'timeout' ? FIRST_PAUSE_AFTER_TIMEOUT_MS : FIRST_PAUSE_MS;
    const pauseMs = jittered(backoffMs(first, LONGEST_PAUSE_MS, this.#failuresInRow), random());
    this.#pausedUntil = now() + Math.ceil(pauseMs);
    this.#lastFailure = error.message;
    this.#failedMethod = method;
    // Logs the first failure as a warning and further ones at level debug, so that a night-long outage adds one line
    // to the log instead of thousands.
    const level = this.#failuresInRow === 0 ? 'warn' : 'debug';
    this.#failuresInRow++;
    log[level]({ source: this.url, code: error.code, problem: error.message }, 'a source fails');
  }

  #ban(error: SourceError): void {
    const { log, now } = this.#options;
    // Ignores lies in responses to requests that were in flight when the source was banned.
    if (this.#currentBan !== undefined && this.#currentBan.until > now()) return;
    const forMs = Math.min(MAX_BAN_MS, FIRST_BAN_MS * 2 ** Math.min(this.#lies, 16));
    this.#lies++;
    this.head = undefined;
    this.#currentBan = { until: now() + forMs, why: error.message };
    log.error(
      { source: this.url, code: error.code, problem: error.message, for_ms: forMs },
      `dropped the source ${this.url}: ${error.message}`,
    );
  }
}

/** The RPC endpoint of a node. A URL without the RPC path is the node's base URL. */
function endpointOf(url: string): string {
  const parsed = new URL(url);
  return parsed.pathname.endsWith('/v2/rpc') ? parsed.href : `${parsed.href.replace(/\/+$/, '')}/v2/rpc`;
}
