/** Share of the gas of a block that workers may lose. */
const LOSS_SHARE = 0.1;
/** Gas that may be lost for each worker, however little the block has: below it, the time is too short to matter. */
export const LOSS_PER_WORKER = 2_000_000;
/** Gas that a try may use, however little is expected. */
const LEAST_LIMIT = 1_000_000n;

/**
 * The gas that a block's tries may still lose. Workers take some before a try, and give back what is left.
 */
export class SharedAllowance {
  readonly #gas: BigInt64Array;

  /** @param buffer one i64 */
  constructor(buffer: SharedArrayBuffer) {
    this.#gas = new BigInt64Array(buffer);
  }

  /** Takes about twice the expected gas for a group, or what is left; undefined if less than expected. */
  take(expected: bigint): bigint | undefined {
    const wanted = 2n * expected > LEAST_LIMIT ? 2n * expected : LEAST_LIMIT;
    for (;;) {
      const left = Atomics.load(this.#gas, 0);
      if (left <= 0n || left < expected) return undefined;
      const taken = left < wanted ? left : wanted;
      if (Atomics.compareExchange(this.#gas, 0, left, left - taken) === left) return taken;
    }
  }

  add(gas: bigint): void {
    Atomics.add(this.#gas, 0, gas);
  }
}

/** What a block has of gas, by what became of it. */
export interface GasSoFar {
  /** Gas of the outcomes in the block. */
  readonly merged: number;
  /** The part of it that was at risk: tried before the block's state was known. */
  readonly kept: number;
  /** Expected gas of the groups that are not in the block. */
  readonly rest: number;
}

/**
 * Bounds the gas that a block's tries lose, however wrong the predictions: a tenth of the block's gas, or a little
 * for each worker, and as much again as tries have gained. Gas is at risk from the start of a try until its outcome
 * is in the block.
 */
export class LossAllowance {
  /** For {@link SharedAllowance}. */
  readonly buffer = new SharedArrayBuffer(8);
  readonly #shared = new SharedAllowance(this.buffer);
  readonly #least: number;
  readonly #blockGas: number;
  #granted = 0n;
  #total = 0;
  #risked = 0;

  /** @param least gas that may be lost in any case @param blockGas bounds the sums of predictions */
  constructor(least: number, blockGas: bigint) {
    this.#least = least;
    this.#blockGas = Number(blockGas);
  }

  /** Gas that may be put at risk, including the tries that have not ended. */
  get room(): number {
    return this.#total - this.#risked;
  }

  update({ merged, kept, rest }: GasSoFar): void {
    const share = LOSS_SHARE * Math.min(merged + rest, this.#blockGas);
    // Once for the gas that is no longer at risk, once for the gain.
    this.#total = Math.floor(Math.max(this.#least, share) + 2 * kept);
    const total = BigInt(this.#total);
    this.#shared.add(total - this.#granted);
    this.#granted = total;
  }

  /** Records the gas that an ended task took and used. */
  risked(gas: bigint): void {
    this.#risked += Number(gas);
  }
}
