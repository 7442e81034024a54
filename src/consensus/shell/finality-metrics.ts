import type { ConsensusMetrics, Quantiles } from '../../generated/node-rpc-v1.js';
import type { CoreConfig, CoreStatus } from '../core/types.js';

/** A block is overdue after this many intervals plus a margin for disks and views. */
const INTERVALS = 3;
const MARGIN_MS = 5_000;

const KEPT_DURATIONS = 512;

/** Quantiles over a sliding window of recent durations. */
class RecentDurations {
  readonly #samples: number[] = [];
  #next = 0;

  add(durationMs: number): void {
    this.#samples[this.#next] = durationMs;
    this.#next = (this.#next + 1) % KEPT_DURATIONS;
  }

  /** The quantiles in whole milliseconds, rounded up; all 0 while there are no samples. */
  quantiles(): Quantiles {
    const sorted = this.#samples.toSorted((a, b) => a - b);
    const at = (share: number) =>
      Math.ceil(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
  }
}

/** Latencies and intervals of final blocks. */
export class FinalityMetrics {
  readonly #now: () => number;
  readonly #latency = new RecentDurations();
  readonly #interval = new RecentDurations();
  /** When the last final block arrived or its proposal began, on the monotonic clock. */
  #lastBegunAt: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param begunAt when the block arrived or its proposal began @returns the latency in milliseconds */
  recordFinal(begunAt: number): number {
    if (this.#lastBegunAt !== undefined) this.#interval.add(Math.max(0, begunAt - this.#lastBegunAt));
    this.#lastBegunAt = begunAt;
    const latencyMs = this.#now() - begunAt;
    this.#latency.add(latencyMs);
    return latencyMs;
  }

  get sinceFinalMs(): number | undefined {
    return this.#lastBegunAt === undefined ? undefined : this.#now() - this.#lastBegunAt;
  }

  /** Metrics including the core's counters. @param equivocations number of pairs with verified signatures */
  metrics(status: CoreStatus, equivocations: number): ConsensusMetrics {
    return {
      epoch: BigInt(status.epoch),
      view: BigInt(status.view),
      leader: status.leader,
      proposals: BigInt(status.proposals),
      notarizations: BigInt(status.notarizations),
      nullifications: BigInt(status.nullifications),
      finalizations: BigInt(status.finalizations),
      timeouts: BigInt(status.timeouts),
      equivocations_seen: BigInt(equivocations),
      finality_latency_ms: this.#latency.quantiles(),
      block_interval_ms: this.#interval.quantiles(),
    };
  }
}

export interface BlockAge extends Pick<CoreConfig, 'blockTimeMs' | 'idleBlockTimeMs'> {
  /** Milliseconds since the last block, or since the start if there is none. */
  readonly sinceBlockMs: number;
  /** How long work has waited for a block, in milliseconds; undefined if none waits. */
  readonly waitingMs: number | undefined;
}

/** Returns the milliseconds since the last block if the next one is long overdue, else undefined. */
export function overdueMs(age: BlockAge): number | undefined {
  const { blockTimeMs, idleBlockTimeMs, sinceBlockMs, waitingMs } = age;
  const isOver = (ms: number, interval: number) => ms > MARGIN_MS + INTERVALS * interval;
  const isLate = waitingMs !== undefined && isOver(Math.min(waitingMs, sinceBlockMs), blockTimeMs);
  // Without idle blocks, a chain without work makes no blocks.
  const isIdleLate = idleBlockTimeMs > 0 && isOver(sinceBlockMs, idleBlockTimeMs);
  return isLate || isIdleLate ? sinceBlockMs : undefined;
}
