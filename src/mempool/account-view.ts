import type { AddressHex } from '../ledger/hex-types.js';
/** The pool's view of the accounts at the chain's tip. */
export interface AccountView {
  /** Next nonce of a lane; 0 for a lane never used. */
  nextNonce(address: AddressHex, lane: number): bigint;
  balance(address: AddressHex): bigint;
  /** Upper bound of the sum of all balances, and therefore of each balance. */
  readonly supply: bigint;
  /** Number of lanes the account has used; the ledger allows 256. */
  lanesUsed(address: AddressHex): number;
}
