import type { PeerHealth, Status } from '../../generated/node-rpc-v1.js';
import { callSource } from './source-call.js';
import { SourceError, type SourceErrorCode } from './source-error.js';
import { SourceFaults, type SourceFaultsOptions } from './source-faults.js';
import {
  boundsOf,
  decodeSourceResult,
  encodeSourceParams,
  type SourceMethod,
  type SourceParams,
  type SourceResult,
} from './source-methods.js';

/** Weight of the latest round trip in the moving average. */
const ROUND_TRIP_WEIGHT = 0.2;

export interface SourceOptions extends SourceFaultsOptions {
  /** Index in the configured list, from 0. */
  readonly index: number;
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
  /** The last reported status; undefined before the first report and after a lie. */
  head: Status | undefined;
  /** Number of valid snapshot chunks received from this source. */
  chunks = 0;
  readonly #options: SourceOptions;
  readonly #endpoint: string;
  readonly #faults: SourceFaults;
  /** Time of the last valid response, milliseconds since 1970. */
  lastSeenMs: number | undefined;
  #roundTripMs: number | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.url = options.url;
    this.index = options.index;
    this.#endpoint = endpointOf(options.url);
    this.#faults = new SourceFaults(options);
  }

  get errors(): ReadonlyMap<SourceErrorCode, number> {
    return this.#faults.counts;
  }

  get usable(): boolean {
    return this.pauseMs === 0;
  }

  /** Remaining pause or ban, in milliseconds. */
  get pauseMs(): number {
    return this.#faults.pauseMs;
  }

  /** Rank from latency and faults; lower is better. */
  get score(): number {
    return (this.#roundTripMs ?? 50) * this.#faults.penalty;
  }

  /** Description of the current problem; undefined if there is none. */
  get problem(): string | undefined {
    return this.#faults.problem;
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

  /** Records a fault and pauses or bans the source. */
  recordFault(error: SourceError, method = 'status'): void {
    this.#faults.record(error, method);
    if (error.isLie) this.head = undefined;
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
    this.#faults.recordSuccess(method);
    this.lastSeenMs = this.#options.now();
    this.#roundTripMs =
      this.#roundTripMs === undefined
        ? tookMs
        : this.#roundTripMs + ROUND_TRIP_WEIGHT * (tookMs - this.#roundTripMs);
  }
}

/** The RPC endpoint of a node. A URL without the RPC path is the node's base URL. */
function endpointOf(url: string): string {
  const parsed = new URL(url);
  return parsed.pathname.endsWith('/v2/rpc') ? parsed.href : `${parsed.href.replace(/\/+$/, '')}/v2/rpc`;
}
