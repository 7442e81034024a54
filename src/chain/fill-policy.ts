/** Decides how long a block is filled, wave after wave. It only affects which transactions wait for the next block. */
export interface FillPolicy {
  /** Expected gas of the first wave; undefined for as much as fits. One transaction always executes. */
  firstGas(): bigint | undefined;
  /**
   * Expected gas of the next wave, so that it ends in time.
   * @param gasUsed gas used by the block so far
   * @param elapsedMs time in which that gas was used
   * @returns 0 if the time is up
   */
  gasFor(gasUsed: bigint, elapsedMs: number): bigint;
}

/** Of a single validator: fills for half of the block time, since other work on a block takes the rest. */
export class SoloFillPolicy implements FillPolicy {
  readonly #fillMs: number;

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

/** Initial speed before any measurement, in gas per millisecond: a fifth of one core's speed with transfers. */
const FIRST_GAS_PER_MS = 100_000;
/** Fraction of the fill time planned for the first wave, because the current speed is known only after it. */
const FIRST_PART = 0.5;
/** Minimum fraction of the fill time that a wave must take to lower the measured speed. */
const MEASURED_PART = 0.05;
/** Weight of the last wave in the remembered speed. */
const NEW_SAMPLE_WEIGHT = 0.5;
/** Fill time as a fraction of the block time: maximum, initial, and minimum while all blocks become final. */
const MAX_FILL_SHARE = 0.4;
const FIRST_FILL_SHARE = 0.2;
const MIN_FILL_SHARE = 0.05;
/** Absolute minimum in milliseconds, even if blocks are lost. */
const MIN_FILL_MS = 1;
/** Finality time in block times: a block is on time up to the first and late beyond the second. */
const ON_TIME_BLOCKS = 1.2;
const LATE_BLOCKS = 2;
/** Time to finality that transactions cause, in fill times: filling, executing on other nodes, committing. */
const WORK_FACTOR = 3;
const GROWTH = 1.2;
const SHRINKAGE = 0.7;

/**
 * Policy of one validator among several. The others execute the block after its proposer, within the view, on unknown
 * hardware. The fill time therefore follows from how fast recent blocks became final.
 */
export class ValidatorFillPolicy implements FillPolicy {
  readonly #blockTimeMs: number;
  #fillMs: number;
  #gasPerMs = FIRST_GAS_PER_MS;

  constructor({ blockTimeMs }: { readonly blockTimeMs: number }) {
    this.#blockTimeMs = blockTimeMs;
    this.#fillMs = FIRST_FILL_SHARE * blockTimeMs;
  }

  firstGas(): bigint {
    return gasIn(FIRST_PART * this.#fillMs, this.#gasPerMs);
  }

  gasFor(gasUsed: bigint, elapsedMs: number): bigint {
    const gasPerMs = Number(gasUsed) / Math.max(elapsedMs, 0.1);
    // Fixed costs per block make a small block look slow.
    if (gasPerMs > this.#gasPerMs || elapsedMs > MEASURED_PART * this.#fillMs) {
      this.#gasPerMs += NEW_SAMPLE_WEIGHT * (gasPerMs - this.#gasPerMs);
    }
    return gasIn(this.#fillMs - elapsedMs, gasPerMs);
  }

  /**
   * Adapts the fill time after a block proposed here became final. If its transactions made it late, the next blocks
   * get fewer transactions. If fixed costs made it late, such as a long network delay, fewer transactions would not
   * help.
   * @param latencyMs time since the block was started
   */
  onFinalized(latencyMs: number): void {
    const part = (WORK_FACTOR * this.#fillMs) / latencyMs;
    if (latencyMs <= ON_TIME_BLOCKS * this.#blockTimeMs || part < 0.25) {
      this.#fillMs = Math.min(GROWTH * this.#fillMs, MAX_FILL_SHARE * this.#blockTimeMs);
    } else if (latencyMs > LATE_BLOCKS * this.#blockTimeMs && part > 0.5) {
      const minMs = Math.min(this.#fillMs, MIN_FILL_SHARE * this.#blockTimeMs);
      this.#fillMs = Math.max(SHRINKAGE * this.#fillMs, minMs);
    }
  }

  /** Halves the fill time after a block proposed here was abandoned. */
  onAbandoned(): void {
    this.#fillMs = Math.max(this.#fillMs / 2, MIN_FILL_MS);
  }
}

/** @returns at least 1, or 0 if there is no time */
function gasIn(ms: number, gasPerMs: number): bigint {
  return ms <= 0 ? 0n : BigInt(Math.max(1, Math.floor(ms * gasPerMs)));
}
