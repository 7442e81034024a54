import { performance } from 'node:perf_hooks';
import { ConnectionCount } from '../http/connections.js';
import type { ByteBudget } from '../limits/byte-budget.js';
import { CallsInFlight } from '../limits/calls-in-flight.js';
import { type BucketCounts, LatencyRecord, SizeRecord } from './bucket-records.js';
import { SocketCounts } from './socket-counts.js';
import type { ThreadMonitor, ThreadUsage } from './thread-monitor.js';

/** One in this many synchronous calls is timed and stands for all of them, because reading the clock is expensive. */
const TIMED_ONE_IN = 8;

/** Counters of one method. Plain numbers on the hot path; Prometheus reads them on each scrape. */
export class MethodStats implements MethodCounts {
  readonly latency = new LatencyRecord();
  ok = 0;
  /** Characters of the results. */
  answerBytes = 0;
  readonly errors = new Map<string, number>();

  #untilTimed = 1;

  /**
   * @param mayWait whether the call takes a slot; each such call is timed
   * @returns the start time in milliseconds, or 0 if this call is not timed
   */
  begin(mayWait: boolean): number {
    if (mayWait) return performance.now();
    if (--this.#untilTimed > 0) return 0;
    this.#untilTimed = TIMED_ONE_IN;
    return performance.now();
  }

  /** @param begun see {@link begin} @returns the call's duration in milliseconds, or 0 if it is not timed */
  succeeded(begun: number, waited: boolean, answerBytes: number): number {
    this.ok++;
    this.answerBytes += answerBytes;
    return this.#time(begun, waited);
  }

  failed(kind: string, begun: number, waited: boolean): number {
    this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
    return this.#time(begun, waited);
  }

  #time(begun: number, waited: boolean): number {
    if (begun === 0) return 0;
    const ms = performance.now() - begun;
    this.latency.observe(ms, waited ? 1 : TIMED_ONE_IN);
    return ms;
  }
}

/** The counters of a method, also as a copy from another thread. */
interface MethodCounts {
  readonly ok: number;
  readonly answerBytes: number;
  readonly errors: ReadonlyMap<string, number>;
  readonly latency: BucketCounts;
}

/** The request counters of one thread, or the sum over all threads; can be structured-cloned. */
export type RpcCounts = ReturnType<RpcMetrics['counts']>;

export interface ThreadCounts extends ThreadUsage {
  readonly rpc: RpcCounts;
  readonly queues: ReadonlyMap<string, number>;
}

export function threadCounts(metrics: RpcMetrics, watch: ThreadMonitor): ThreadCounts {
  return { rpc: metrics.counts(), queues: metrics.queueLengths(), ...watch.usage() };
}

export class RpcMetrics {
  readonly #methods = new Map<string, MethodStats>();
  readonly #refused = new Map<string, number>();
  readonly #statuses = new Map<number, number>();
  readonly #queues = new Map<string, () => number>();
  #okAnswers = 0;
  #budget: ByteBudget | undefined;
  httpRequests = 0;
  readonly requestSizes = new SizeRecord();
  /** Number of characters in answers; only client-supplied text contains non-ASCII ones. */
  readonly answerSizes = new SizeRecord();
  /**
   * Calls refused as overloaded, by reason: `calls` too many wait, in total or of their client; `bytes` they hold too
   * much memory; `queue` their queue is too long, or they waited too long in it.
   */
  readonly overloads = { calls: 0, bytes: 0, queue: 0 };
  slowCalls = 0;
  callsInline = 0;
  /** Calls that were started here and then moved to a worker. */
  callsOffloaded = 0;
  readonly sockets = new SocketCounts();
  /** Set on a thread that keeps results. */
  resultCache: { readonly hits: number; readonly misses: number; readonly bytes: number } | undefined;

  /** Both parameters count for this thread and for the threads that share their memory. */
  constructor(
    readonly callsInFlight: CallsInFlight = new CallsInFlight(),
    readonly connections: ConnectionCount = new ConnectionCount(),
  ) {}

  watch(budget: ByteBudget): void {
    this.#budget = budget;
  }

  watchQueue(name: string, length: () => number): void {
    this.#queues.set(name, length);
  }

  queueLengths(): ReadonlyMap<string, number> {
    return new Map([...this.#queues].map(([name, length]) => [name, length()]));
  }

  /** Counts an HTTP answer. @param length of its body */
  answered(status: number, length: number): void {
    this.answerSizes.observe(length);
    if (status === 200) this.#okAnswers++;
    else this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  method(qualifiedName: string): MethodStats {
    const stats = this.#methods.get(qualifiedName) ?? new MethodStats();
    this.#methods.set(qualifiedName, stats);
    return stats;
  }

  /** Counts an error answer to a request that reached no method. */
  refuse(kind: string): void {
    this.#refused.set(kind, (this.#refused.get(kind) ?? 0) + 1);
  }

  counts() {
    const { hits = 0, misses = 0, bytes = 0 } = this.resultCache ?? {};
    return {
      /** By qualified name. */
      methods: this.#methods as ReadonlyMap<string, MethodCounts>,
      /** Requests that name no method and bodies that are not requests, by error kind. */
      refused: this.#refused as ReadonlyMap<string, number>,
      httpRequests: this.httpRequests,
      statuses: new Map([[200, this.#okAnswers], ...this.#statuses]),
      requestSizes: this.requestSizes as BucketCounts,
      answerSizes: this.answerSizes as BucketCounts,
      overloads: this.overloads,
      slowCalls: this.slowCalls,
      callsInFlight: this.callsInFlight.own,
      connections: this.connections.own,
      connectionsRefused: this.connections.refused,
      bufferedBytes: this.#budget?.used ?? 0,
      buffersCut: this.#budget?.cut ?? 0,
      buffersRefused: this.#budget?.refused ?? 0,
      callsInline: this.callsInline,
      callsOffloaded: this.callsOffloaded,
      sockets: this.sockets,
      results: { hits, misses, bytes },
    };
  }
}
