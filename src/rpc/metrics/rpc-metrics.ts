import { ConnectionCount } from '../http/connections.js';
import type { ByteBudget } from '../limits/byte-budget.js';
import { CallsInFlight } from '../limits/calls-in-flight.js';
import { type LatencyCounts, LatencyRecord } from './latency-histogram.js';
import type { ThreadMonitor } from './thread-monitor.js';

/** Of the calls answered at once, one in so many is timed and counts for all of them: reading the clock costs. */
const TIMED_ONE_IN = 8;

/** How one method has been answered. Plain numbers on the hot path; Prometheus reads them when it asks. */
export class MethodStats {
  readonly latency = new LatencyRecord();
  /** Answers with a result. */
  ok = 0;
  /** Answers with an error, by kind. */
  readonly errors = new Map<string, number>();

  #untilTimed = 1;

  /**
   * A call begins.
   * @param mayWait whether the method has ever answered later
   * @returns when, in milliseconds, or 0 where this call is not timed
   */
  begin(mayWait: boolean): number {
    if (mayWait) return performance.now();
    if (--this.#untilTimed > 0) return 0;
    this.#untilTimed = TIMED_ONE_IN;
    return performance.now();
  }

  /** @param begun what {@link begin} gave @param waited whether the answer came later */
  succeeded(begun: number, waited: boolean): void {
    this.ok++;
    if (begun !== 0) this.latency.observe(performance.now() - begun, waited ? 1 : TIMED_ONE_IN);
  }

  failed(kind: string, begun: number, waited: boolean): void {
    this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
    if (begun !== 0) this.latency.observe(performance.now() - begun, waited ? 1 : TIMED_ONE_IN);
  }
}

/** What has been counted of one method. */
interface MethodCounts {
  readonly ok: number;
  readonly errors: ReadonlyMap<string, number>;
  readonly latency: LatencyCounts;
}

/** What one thread has counted by now of the requests that it took, or all of them; survives a structured clone. */
export interface RpcCounts {
  /** By qualified name. */
  readonly methods: ReadonlyMap<string, MethodCounts>;
  /** Requests that name no method, and bodies that are no request, by kind. */
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

/** What a thread that takes requests, or seals, says of itself. */
export interface ThreadCounts {
  readonly rpc: RpcCounts;
  /** The longest turn of its event loop since it said so last, in milliseconds. */
  readonly tickMs: number;
  /** The most processor time of one, in milliseconds: see `processor-watch.ts`. */
  readonly tickCpuMs: number | undefined;
  /** Processor time since it began; undefined where the system does not tell. */
  readonly cpuSeconds: number | undefined;
}

/** What the thread that calls it says of itself. */
export function threadCounts(metrics: RpcMetrics, watch: ThreadMonitor): ThreadCounts {
  return {
    rpc: metrics.counts(),
    tickMs: watch.eventLoop.longestTickMs(),
    tickCpuMs: watch.cpu.longestTickMs(),
    cpuSeconds: watch.cpu.seconds(),
  };
}

/** What the RPC front end of one thread counts. */
export class RpcMetrics {
  readonly #methods = new Map<string, MethodStats>();
  readonly #refused = new Map<string, number>();
  #budget: ByteBudget | undefined;
  readonly callsInFlight: CallsInFlight;
  readonly connections: ConnectionCount;
  httpRequests = 0;
  requestBytes = 0;
  /** Characters of the answers, which are ASCII but for texts that clients gave. */
  answerBytes = 0;
  /** View calls that this thread ran itself. */
  viewsInline = 0;
  /** Those that turned out to be for a worker. */
  viewsOffloaded = 0;

  /** Both of this thread, and of those that count with it. */
  constructor(
    callsInFlight: CallsInFlight = new CallsInFlight(),
    connections: ConnectionCount = new ConnectionCount(),
  ) {
    this.callsInFlight = callsInFlight;
    this.connections = connections;
  }

  /** Adds what the budget of bytes says; once. */
  watch(budget: ByteBudget): void {
    this.#budget = budget;
  }

  /** The record of a method; one for each qualified name. */
  method(qualifiedName: string): MethodStats {
    let stats = this.#methods.get(qualifiedName);
    if (stats === undefined) {
      stats = new MethodStats();
      this.#methods.set(qualifiedName, stats);
    }
    return stats;
  }

  /** Counts an answer to something that reached no method. */
  refuse(kind: string): void {
    this.#refused.set(kind, (this.#refused.get(kind) ?? 0) + 1);
  }

  /** As it is now. */
  counts(): RpcCounts {
    return {
      methods: new Map(
        [...this.#methods].map(
          ([
            name,
            {
              ok,
              errors,
              latency: { buckets, sumMs },
            },
          ]) => [name, { ok, errors, latency: { buckets, sumMs } }],
        ),
      ),
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

/** What several threads have counted together. */
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
