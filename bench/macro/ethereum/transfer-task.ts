/** The transfers to sign: numbers `start` to `end` − 1 of an endless sequence in which all accounts take turns. */
export interface TransferTask {
  readonly start: number;
  readonly end: number;
  readonly accounts: number;
  readonly chainId: bigint;
}
