import type { AddressHex } from '../ledger/hex-types.js';
/** What the pool asks of the accounts at the chain's tip. */
export interface AccountView {
  /** The nonce that a lane of the account expects next; 0 for a lane never used. */
  nextNonce(address: AddressHex, lane: number): bigint;
  balance(address: AddressHex): bigint;
  /** What all accounts have together at most: no account can ever have more. */
  readonly supply: bigint;
  /** How many lanes the account has used; the ledger allows 256. */
  lanesUsed(address: AddressHex): number;
}
