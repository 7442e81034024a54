/** How the workers executed a block. The members are named like the metrics. */
export interface ParallelStatistics {
  /** Atomic groups that ran in workers: contract calls, deployments, upgrades, and bundles that include any. */
  readonly units: number;
  /** Clusters of the units; different clusters were not expected to conflict. */
  readonly groups: number;
  /** Atomic groups run again because their reads were invalid. */
  readonly reruns: number;
  /** Number of repairs, plus one if the rest of the block ran in order. */
  readonly rounds: number;
  readonly wastedGas: bigint;
  /** Total worker time of the runs that were kept, in milliseconds. */
  readonly workMs: number;
  readonly elapsedMs: number;
  /** workMs / elapsedMs: the speed relative to one worker alone. */
  readonly speedUp: number;
}

export class ParallelCounts {
  /** Number of clusters; groups of different clusters were not expected to conflict. */
  clusters = 0;
  reruns = 0;
  rounds = 0;
  #workMs = 0;
  #gas = 0n;

  /** Records a finished task: all gas that it used, discarded tries included. */
  worked(gas: bigint, ms: number): void {
    this.#gas += gas;
    this.#workMs += ms;
  }

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
