/** What the pool asks of the accounts at the chain's tip. Addresses are 40 lowercase hex digits. */
export interface AccountView {
  /** The nonce that a lane of the account expects next; 0 for a lane never used. */
  nextNonce(address: string, lane: number): bigint;
  balance(address: string): bigint;
  /** What all accounts have together at most: no account can ever have more. */
  readonly supply: bigint;
  /** How many lanes the account has used; the ledger allows 256. */
  lanesUsed(address: string): number;
}
