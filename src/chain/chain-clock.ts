/**
 * The clock for block timestamps: the machine's, shifted by the lead that development controls give it. The lead is in
 * memory that the threads of a node share, so that simulations run at the time of the next block.
 */
export class ChainClock {
  /** Shared with the clocks of other threads. */
  readonly memory: SharedArrayBuffer;
  readonly #wallMs: () => number;
  /** Milliseconds; negative if the chain's time lags behind the machine's. */
  readonly #lead: BigInt64Array;

  /**
   * @param wallMs the machine's clock, milliseconds since 1970
   * @param memory of another thread's clock; by default that of a new clock without a lead
   */
  constructor(wallMs: () => number, memory = new SharedArrayBuffer(8)) {
    this.#wallMs = wallMs;
    this.memory = memory;
    this.#lead = new BigInt64Array(memory);
  }

  /** Whole milliseconds since 1970. */
  readonly now = (): number => Math.floor(this.#wallMs()) + Number(Atomics.load(this.#lead, 0));

  /** The lead that would set this clock to a time. @param timeMs milliseconds since 1970 */
  leadAt(timeMs: number): number {
    return timeMs - Math.floor(this.#wallMs());
  }

  /**
   * Sets a follower's clock by a block of a development chain that it has just applied, because the controls of the sealer
   * may have advanced the chain's clock. Old blocks, while the follower catches up, give the machine's time.
   * @param timestampMs the block's, milliseconds since 1970
   */
  followBlock(timestampMs: bigint): void {
    this.setLead(Math.max(0, this.leadAt(Number(timestampMs))));
  }

  /** @param leadMs whole milliseconds */
  setLead(leadMs: number): void {
    Atomics.store(this.#lead, 0, BigInt(leadMs));
  }
}
