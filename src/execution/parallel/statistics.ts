/** How a block was executed by the workers. The members are called as the metrics are. */
export interface ParallelStatistics {
  /** Atomic groups that ran in workers: contract calls, deployments, upgrades, and bundles with one of them. */
  readonly units: number;
  /** Clusters of them that were not expected to touch each other. */
  readonly groups: number;
  /** Atomic groups that were run again because they had not seen what they should have. */
  readonly reruns: number;
  /** Times that some were run again. */
  readonly rounds: number;
  /** Gas of the runs that were thrown away. */
  readonly wastedGas: bigint;
  /** What the workers took for the runs that counted, milliseconds, all together. */
  readonly workMs: number;
  readonly elapsedMs: number;
  /** workMs / elapsedMs: how many times as fast as one worker alone. */
  readonly speedUp: number;
}

/** Counts what the workers do for one block. */
export class ParallelCounts {
  /** Clusters of groups that were not expected to touch each other. */
  clusters = 0;
  reruns = 0;
  rounds = 0;
  #workMs = 0;
  #gas = 0n;

  /** A task used this gas, in tries that counted and others. */
  worked(gas: bigint, ms: number): void {
    this.#gas += gas;
    this.#workMs += ms;
  }

  /** @param mergedGas of the tries that counted */
  statistics(units: number, mergedGas: bigint, elapsedMs: number): ParallelStatistics {
    const share = this.#gas === 0n ? 0 : Number(mergedGas) / Number(this.#gas);
    const workMs = this.#workMs * share;
    return {
      units,
      groups: this.clusters,
      reruns: this.reruns,
      rounds: this.rounds,
      wastedGas: this.#gas - mergedGas,
      workMs,
      elapsedMs,
      speedUp: elapsedMs === 0 ? 0 : workMs / elapsedMs,
    };
  }
}
