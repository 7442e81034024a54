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
