/** How long a block is filled, wave after wave. It decides only which transactions wait for the next block. */
export interface FillPolicy {
  /** What the first wave may be expected to use; undefined: as much as fits into the block. At least one transaction is always executed. */
  firstGas(): bigint | undefined;
  /**
   * What the next wave may be expected to use so that it ends in time.
   * @param gasUsed what was used so far
   * @param elapsedMs in this time
   * @returns 0 where the time is up
   */
  gasFor(gasUsed: bigint, elapsedMs: number): bigint;
}

/** Of a validator alone: half of the block time, for the rest of the work on a block takes the other half. */
export class SoloFillPolicy implements FillPolicy {
  readonly #fillMs: number;

  /** @param blockTimeMs between two blocks, milliseconds */
  constructor({ blockTimeMs }: { readonly blockTimeMs: number }) {
    this.#fillMs = blockTimeMs / 2;
  }

  firstGas(): undefined {
    return undefined;
  }

  gasFor(gasUsed: bigint, elapsedMs: number): bigint {
    return gasIn(this.#fillMs - elapsedMs, Number(gasUsed) / Math.max(elapsedMs, 0.1));
  }
}

/** What is assumed before anything was measured, gas a millisecond: a fifth of what one core does of transfers. */
const FIRST_GAS_PER_MS = 100_000;
/** The first wave has this part of what is expected to fit, for it is known only after it how fast execution is now. */
const FIRST_PART = 0.5;
/** A wave that takes less of the time shows no low speed. */
const MEASURED_PART = 0.05;
/** How much of the speed of the last wave goes into what is remembered. */
const NEW_SAMPLE_WEIGHT = 0.5;
/** Of the block time: how long a block may be filled, at most; to begin with; and at least while all become final. */
const MAX_FILL_SHARE = 0.4;
const FIRST_FILL_SHARE = 0.2;
const MIN_FILL_SHARE = 0.05;
/** At least, however many are lost; milliseconds. */
const MIN_FILL_MS = 1;
/** Block times within which a block should be final, and beyond which it is late. */
const ON_TIME_BLOCKS = 1.2;
const LATE_BLOCKS = 2;
/** What a block's transactions add to the time until it is final, in times of filling it: that, executing it elsewhere, committing it. */
const WORK_FACTOR = 3;
const GROWTH = 1.2;
const SHRINKAGE = 0.7;

/**
 * Of several validators. All others have to execute the block after its proposer, in the time of the view, on machines of which
 * nothing is known: so how long one is filled follows from how soon the last ones were final.
 */
export class ValidatorFillPolicy implements FillPolicy {
  readonly #blockTimeMs: number;
  #fillMs: number;
  #gasPerMs = FIRST_GAS_PER_MS;

  /** @param blockTimeMs between two blocks, milliseconds */
  constructor({ blockTimeMs }: { readonly blockTimeMs: number }) {
    this.#blockTimeMs = blockTimeMs;
    this.#fillMs = FIRST_FILL_SHARE * blockTimeMs;
  }

  firstGas(): bigint {
    return gasIn(FIRST_PART * this.#fillMs, this.#gasPerMs);
  }

  gasFor(gasUsed: bigint, elapsedMs: number): bigint {
    const gasPerMs = Number(gasUsed) / Math.max(elapsedMs, 0.1);
    // What every block costs makes a small one slow.
    if (gasPerMs > this.#gasPerMs || elapsedMs > MEASURED_PART * this.#fillMs) {
      this.#gasPerMs += NEW_SAMPLE_WEIGHT * (gasPerMs - this.#gasPerMs);
    }
    return gasIn(this.#fillMs - elapsedMs, gasPerMs);
  }

  /**
   * A block that was proposed here is final. Where it is late through its transactions, the next ones have fewer; where through
   * what every block costs, as where the way to the others is long, fewer transactions would only mean fewer.
   * @param latencyMs since it was begun
   */
  onFinalized(latencyMs: number): void {
    const part = (WORK_FACTOR * this.#fillMs) / latencyMs;
    if (latencyMs <= ON_TIME_BLOCKS * this.#blockTimeMs || part < 0.25) {
      this.#fillMs = Math.min(GROWTH * this.#fillMs, MAX_FILL_SHARE * this.#blockTimeMs);
    } else if (latencyMs > LATE_BLOCKS * this.#blockTimeMs && part > 0.5) {
      const least = Math.min(this.#fillMs, MIN_FILL_SHARE * this.#blockTimeMs);
      this.#fillMs = Math.max(SHRINKAGE * this.#fillMs, least);
    }
  }

  /** A block that was proposed here is not going to be final. */
  onAbandoned(): void {
    this.#fillMs = Math.max(this.#fillMs / 2, MIN_FILL_MS);
  }
}

/** @returns at least 1, unless there is no time */
function gasIn(ms: number, gasPerMs: number): bigint {
  return ms <= 0 ? 0n : BigInt(Math.max(1, Math.floor(ms * gasPerMs)));
}
