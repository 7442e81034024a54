/** Share of the time of serial execution that speculation may lose. */
const LOSS_SHARE = 0.1;
/** Waste of less gas than this share of the block says nothing of the rest. */
const MIN_SAMPLE = 0.02;
/** Share of the gas tried and not merged: with more of it invalid, serial execution is as fast as another round. */
const WASTE_SHARE = 0.5;

/**
 * How much time speculation lost against serial execution so far, and how much more it may lose. Decides how often groups
 * run, never their outcome.
 */
export interface SpeculationBudget {
  /** Speculation begins: time counts from now on. */
  begin(): void;
  /** A worker returned. */
  worked(gas: number, ms: number): void;
  /** Outcomes were validated and merged, which serial execution does as well; the time does not count. */
  merged(gas: number, ms: number): void;
  /**
   * The gas whose time may still be lost; 0 or less if the rest of the block is to run in order.
   * @param restGas what the groups that are not in the block are expected to use
   */
  spareGas(restGas: number): number;
  /** The gas that a worker uses in a time. */
  gasIn(ms: number): number;
  /** Whether another try is useless: most of the gas tried and not merged is invalid. */
  isWasted(invalid: number, tried: number, restGas: number): boolean;
}

/** Gas that a worker uses in a millisecond, until it is measured. */
const DEFAULT_GAS_PER_MS = 1e6;

/** A budget in time, which is measured. */
export class TimeBudget implements SpeculationBudget {
  readonly #now: () => number;
  #started = 0;
  #mergeMs = 0;
  #workMs = 0;
  #workGas = 0;
  #mergedGas = 0;

  /** @param now milliseconds of a clock that does not jump */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  begin(): void {
    this.#started = this.#now();
    this.#mergeMs = 0;
    this.#mergedGas = 0;
  }

  worked(gas: number, ms: number): void {
    this.#workGas += gas;
    this.#workMs += ms;
  }

  merged(gas: number, ms: number): void {
    this.#mergedGas += gas;
    this.#mergeMs += ms;
  }

  spareGas(restGas: number): number {
    return LOSS_SHARE * (this.#mergedGas + restGas) - this.#lostGas();
  }

  gasIn(ms: number): number {
    return ms * (this.#workMs === 0 ? DEFAULT_GAS_PER_MS : this.#workGas / this.#workMs);
  }

  isWasted(invalid: number, tried: number, restGas: number): boolean {
    return invalid > WASTE_SHARE * tried && tried > MIN_SAMPLE * (this.#mergedGas + restGas);
  }

  /** The time lost, as gas; below 0 where workers gained time. */
  #lostGas(): number {
    if (this.#workMs === 0) return 0;
    return this.gasIn(this.#now() - this.#started - this.#mergeMs) - this.#mergedGas;
  }
}
