/**
 * How long a block is filled, wave after wave: half of the block time, for the rest of the work on it takes the other half.
 * The first wave is always executed; what this says decides only which transactions wait for the next block.
 */
export class WavePace {
  readonly #fillMs: number;

  /** @param blockTimeMs between two blocks, milliseconds */
  constructor({ blockTimeMs }: { readonly blockTimeMs: number }) {
    this.#fillMs = blockTimeMs / 2;
  }

  /**
   * What the next wave may be expected to use so that it ends in time.
   * @param gasUsed what was used so far
   * @param elapsedMs in this time
   * @returns 0 where the time is up
   */
  gasFor(gasUsed: bigint, elapsedMs: number): bigint {
    const leftMs = this.#fillMs - elapsedMs;
    if (leftMs <= 0) return 0n;
    return BigInt(Math.floor((Number(gasUsed) * leftMs) / Math.max(elapsedMs, 0.1)));
  }
}
