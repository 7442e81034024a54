/** Share of the time of serial execution that speculation may lose before the rest of the block runs in order. */
const LOSS_SHARE = 0.08;
/** Share of the block's gas that one cluster may have in a window: its task returns no sooner, and waste is found no sooner. */
const CLUSTER_SHARE = 0.1;
/** Waste of less gas than this share of the block says nothing of the rest. */
const LEAST_SAMPLE = 0.02;
/** Share of the gas tried and not merged: with more of it invalid, serial execution is as fast as another round. */
const WASTE_SHARE = 0.5;

/**
 * How much time speculation lost against serial execution so far, and how much more it may lose. Decides how often groups
 * run, never their outcome.
 */
export interface SpeculationBudget {
  /** A worker returned. */
  worked(gas: number, ms: number): void;
  /** A transaction is in the block. */
  merged(gas: number): void;
  /**
   * Whether too much time was lost for another try.
   * @param restGas what the groups that are not in the block are expected to use
   */
  isSpent(restGas: number): boolean;
  /** Whether another try is useless: most of the gas tried and not merged is invalid. */
  isWasted(invalid: number, tried: number, restGas: number): boolean;
  /** The most gas that a cluster may have in the next window; 0 or less where nothing more may be lost. */
  clusterGas(restGas: number): number;
}

/** A budget in time, which is measured. */
export class TimeBudget implements SpeculationBudget {
  readonly #now: () => number;
  readonly #started: number;
  #workMs = 0;
  #workGas = 0;
  #mergedGas = 0;

  /** @param now milliseconds of a clock that does not jump */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#started = now();
  }

  worked(gas: number, ms: number): void {
    this.#workGas += gas;
    this.#workMs += ms;
  }

  merged(gas: number): void {
    this.#mergedGas += gas;
  }

  isSpent(restGas: number): boolean {
    return this.#lostGas() > LOSS_SHARE * (this.#mergedGas + restGas);
  }

  isWasted(invalid: number, tried: number, restGas: number): boolean {
    return invalid > WASTE_SHARE * tried && tried > LEAST_SAMPLE * (this.#mergedGas + restGas);
  }

  clusterGas(restGas: number): number {
    return CLUSTER_SHARE * (this.#mergedGas + restGas) - this.#lostGas();
  }

  /** The time lost, as gas; below 0 where workers gained time. */
  #lostGas(): number {
    if (this.#workMs === 0) return 0;
    return (this.#now() - this.#started) * (this.#workGas / this.#workMs) - this.#mergedGas;
  }
}
