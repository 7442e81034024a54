import { ConnectionCount } from '../http/connections.js';
import type { ByteBudget } from '../limits/byte-budget.js';
import { CallsInFlight } from '../limits/calls-in-flight.js';
import { type LatencyCounts, LatencyRecord } from './latency-histogram.js';
import type { ThreadMonitor } from './thread-monitor.js';

/** One in this many synchronous calls is timed and stands for all of them, because reading the clock is expensive. */
const TIMED_ONE_IN = 8;

/** Counters of one method. Plain numbers on the hot path; Prometheus reads them on each scrape. */
export class MethodStats {
  readonly latency = new LatencyRecord();
  ok = 0;
  readonly errors = new Map<string, number>();

  #untilTimed = 1;

  /**
   * Starts timing a call.
   * @param mayWait true if the method has ever answered asynchronously
   * @returns the start time in milliseconds, or 0 if this call is not timed
   */
  begin(mayWait: boolean): number {
    if (mayWait) return performance.now();
    if (--this.#untilTimed > 0) return 0;
    this.#untilTimed = TIMED_ONE_IN;
    return performance.now();
  }

  /** @param begun the result of {@link begin} @param waited true if the answer was asynchronous */
  succeeded(begun: number, waited: boolean): void {
    this.ok++;
    if (begun !== 0) this.latency.observe(performance.now() - begun, waited ? 1 : TIMED_ONE_IN);
  }

  failed(kind: string, begun: number, waited: boolean): void {
    this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
    if (begun !== 0) this.latency.observe(performance.now() - begun, waited ? 1 : TIMED_ONE_IN);
  }

  counts(): MethodCounts {
    const { buckets, sumMs } = this.latency;
    return { ok: this.ok, errors: this.errors, latency: { buckets, sumMs } };
  }
}

/** Snapshot of a method's counters. */
interface MethodCounts {
  readonly ok: number;
  readonly errors: ReadonlyMap<string, number>;
  readonly latency: LatencyCounts;
}

/** Snapshot of one thread's request counters, or of the sum over all threads; can be structured-cloned. */
export interface RpcCounts {
  /** By qualified name. */
  readonly methods: ReadonlyMap<string, MethodCounts>;
  /** Requests that name no method and bodies that are not requests, by error kind. */
  readonly refused: ReadonlyMap<string, number>;
  readonly httpRequests: number;
  readonly requestBytes: number;
  readonly answerBytes: number;
  readonly callsInFlight: number;
  readonly connections: number;
  readonly connectionsRefused: number;
  readonly bufferedBytes: number;
  readonly buffersCut: number;
  readonly buffersRefused: number;
  readonly viewsInline: number;
  readonly viewsOffloaded: number;
}

/** Metrics of a thread that serves requests or seals blocks. */
export interface ThreadCounts {
  readonly rpc: RpcCounts;
  /** Longest event loop tick since the last report, in milliseconds. */
  readonly tickMs: number;
  /** Maximum CPU time of a tick, in milliseconds: see `CpuMonitor`. */
  readonly tickCpuMs: number | undefined;
  /** CPU time since the thread started; undefined if the system does not provide it. */
  readonly cpuSeconds: number | undefined;
}

export function threadCounts(metrics: RpcMetrics, watch: ThreadMonitor): ThreadCounts {
  return {
    rpc: metrics.counts(),
    tickMs: watch.eventLoop.longestTickMs(),
    tickCpuMs: watch.cpu.longestTickMs(),
    cpuSeconds: watch.cpu.seconds(),
  };
}

/** RPC counters of one thread. */
export class RpcMetrics {
  readonly #methods = new Map<string, MethodStats>();
  readonly #refused = new Map<string, number>();
  #budget: ByteBudget | undefined;
  readonly callsInFlight: CallsInFlight;
  readonly connections: ConnectionCount;
  httpRequests = 0;
  requestBytes = 0;
  /** Number of characters in answers; only client-supplied text contains non-ASCII ones. */
  answerBytes = 0;
  viewsInline = 0;
  /** View calls that were started here and then moved to a worker. */
  viewsOffloaded = 0;

  /** Both parameters count for this thread and for the threads that share their memory. */
  constructor(
    callsInFlight: CallsInFlight = new CallsInFlight(),
    connections: ConnectionCount = new ConnectionCount(),
  ) {
    this.callsInFlight = callsInFlight;
    this.connections = connections;
  }

  /** Adds the byte budget's figures; call once. */
  watch(budget: ByteBudget): void {
    this.#budget = budget;
  }

  /** The counters of a method, created on first use. */
  method(qualifiedName: string): MethodStats {
    let stats = this.#methods.get(qualifiedName);
    if (stats === undefined) {
      stats = new MethodStats();
      this.#methods.set(qualifiedName, stats);
    }
    return stats;
  }

  /** Counts an error answer to a request that reached no method. */
  refuse(kind: string): void {
    this.#refused.set(kind, (this.#refused.get(kind) ?? 0) + 1);
  }

  counts(): RpcCounts {
    return {
      methods: new Map([...this.#methods].map(([name, stats]) => [name, stats.counts()])),
      refused: this.#refused,
      httpRequests: this.httpRequests,
      requestBytes: this.requestBytes,
      answerBytes: this.answerBytes,
      callsInFlight: this.callsInFlight.own,
      connections: this.connections.own,
      connectionsRefused: this.connections.refused,
      bufferedBytes: this.#budget?.used ?? 0,
      buffersCut: this.#budget?.cut ?? 0,
      buffersRefused: this.#budget?.refused ?? 0,
      viewsInline: this.viewsInline,
      viewsOffloaded: this.viewsOffloaded,
    };
  }
}

export function sumCounts(all: readonly RpcCounts[]): RpcCounts {
  const methods = new Map<string, MethodCounts>();
  for (const counts of all) {
    for (const [name, more] of counts.methods) {
      const known = methods.get(name);
      methods.set(name, known === undefined ? more : sumOfMethod(known, more));
    }
  }
  const sum = (value: (counts: RpcCounts) => number) =>
    all.reduce((total, counts) => total + value(counts), 0);
  return {
    methods,
    refused: sumOfKinds(all.map(({ refused }) => refused)),
    httpRequests: sum(({ httpRequests }) => httpRequests),
    requestBytes: sum(({ requestBytes }) => requestBytes),
    answerBytes: sum(({ answerBytes }) => answerBytes),
    callsInFlight: sum(({ callsInFlight }) => callsInFlight),
    connections: sum(({ connections }) => connections),
    connectionsRefused: sum(({ connectionsRefused }) => connectionsRefused),
    bufferedBytes: sum(({ bufferedBytes }) => bufferedBytes),
    buffersCut: sum(({ buffersCut }) => buffersCut),
    buffersRefused: sum(({ buffersRefused }) => buffersRefused),
    viewsInline: sum(({ viewsInline }) => viewsInline),
    viewsOffloaded: sum(({ viewsOffloaded }) => viewsOffloaded),
  };
}

function sumOfMethod(a: MethodCounts, b: MethodCounts): MethodCounts {
  return {
    ok: a.ok + b.ok,
    errors: sumOfKinds([a.errors, b.errors]),
    latency: {
      buckets: a.latency.buckets.map((count, bucket) => count + (b.latency.buckets[bucket] ?? 0)),
      sumMs: a.latency.sumMs + b.latency.sumMs,
    },
  };
}

function sumOfKinds(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [kind, count] of counts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
  return sums;
}
