import type { ConsensusMetrics } from '../../generated/node-rpc-v1.js';
import type { CoreStatus } from '../core/types.js';
import { RecentDurations } from '../quantiles.js';

/** What is measured of blocks becoming final. */
export class FinalityMetrics {
  readonly #latency = new RecentDurations();
  readonly #interval = new RecentDurations();
  /** When the last final block came or was begun, on the clock of `performance.now`. */
  #lastBegunAt: number | undefined;

  /** @param begunAt when the block came, or began to be made here */
  recordFinal(begunAt: number): number {
    if (this.#lastBegunAt !== undefined) this.#interval.add(Math.max(0, begunAt - this.#lastBegunAt));
    this.#lastBegunAt = begunAt;
    const latencyMs = performance.now() - begunAt;
    this.#latency.add(latencyMs);
    return latencyMs;
  }

  get sinceFinalMs(): number | undefined {
    return this.#lastBegunAt === undefined ? undefined : performance.now() - this.#lastBegunAt;
  }

  /** With the core's counts. @param equivocations whose signatures were checked */
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
