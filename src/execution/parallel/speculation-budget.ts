/** Share of the serial execution time that speculation may lose. */
const LOSS_SHARE = 0.1;
/** Minimum gas tried, as a share of the block's gas: a smaller sample says nothing about the rest. */
const MIN_SAMPLE = 0.02;
/** Maximum invalid share of the gas tried and not merged: beyond it, serial execution is as fast. */
const WASTE_SHARE = 0.5;

/** How much time speculation has lost and may still lose: how often groups run, never their outcome. */
export interface SpeculationBudget {
  /** Starts measuring when speculation begins. */
  begin(): void;
  worked(gas: number, ms: number): void;
  /** Records results that were validated and merged: serial execution has this cost too, so the time is not a loss. */
  merged(gas: number, ms: number): void;
  /** The gas whose time may still be lost; 0 or less if the rest, of `restGas`, should run in order. */
  spareGas(restGas: number): number;
  gasIn(ms: number): number;
  /** Returns true if another try is useless: most of the gas tried and not merged is invalid. */
  isWasted(invalid: number, tried: number, restGas: number): boolean;
}

/** A worker's gas per millisecond, until measured. */
const DEFAULT_GAS_PER_MS = 1e6;

export class TimeBudget implements SpeculationBudget {
  readonly #now: () => number;
  #started = 0;
  #mergeMs = 0;
  #workMs = 0;
  #workGas = 0;
  #mergedGas = 0;

  /** @param now monotonic clock in milliseconds */
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

  /** The time lost, as gas; negative if workers gained time. */
  #lostGas(): number {
    if (this.#workMs === 0) return 0;
    return this.gasIn(this.#now() - this.#started - this.#mergeMs) - this.#mergedGas;
  }
}
