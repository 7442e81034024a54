/** What a transaction can know of the block it runs in. */
export interface BlockEnvironment {
  readonly chainId: bigint;
  readonly height: bigint;
  readonly timestampMs: bigint;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** Who gets the priority fees: 40 lowercase hex digits. */
  readonly proposer: string;
}
