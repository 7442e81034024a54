/** What a transaction can know of the block it runs in. */
export interface BlockEnvironment {
  readonly chainId: bigint;
  readonly height: bigint;
  readonly timestampMs: bigint;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** Who gets the priority fees: 40 lowercase hex digits. */
  readonly proposer: string;
  /**
   * Hashes of the blocks before it that are not committed, its parent's first, 32 bytes each; left out where its parent is
   * committed.
   */
  readonly pendingHashes?: readonly Uint8Array[];
}
