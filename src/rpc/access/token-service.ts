import type { TokenRecord } from './quota-store.js';
import type { TokenSlot } from './token-slots.js';
import type { IssuedToken, TokenClaims, VerifiedToken } from './tokens.js';

export interface LeaseOutcome {
  /** The price of the call that the request was made for; calls that come meanwhile share it. */
  readonly price: number;
  /** Milliseconds until the shared rate has room for the call; 0 if there may be units on hand for it. */
  readonly retryMs: number;
  /** True if the quota store does not answer. */
  readonly isAway?: boolean;
}

export interface Refill {
  /** True if the token's balance does not cover the price, even together with the units on hand. */
  readonly isExhausted: boolean;
  readonly left: number;
  /** True if the quota store does not answer. */
  readonly isAway?: boolean;
}

export interface TokenService {
  /** Returns the slot of a valid token, assigned on first use. @throws RpcError unauthorized if revoked; overloaded */
  open(token: VerifiedToken): Promise<TokenSlot>;
  /** Refills a prepaid token that has too few units on hand for a call. */
  refill(id: string, price: number): Promise<Refill>;
  lease(id: string, price: number): Promise<LeaseOutcome>;
}

/** The operator's view of tokens: of a running node, of a stopped one, or of a shared quota store. */
export interface TokenAdmin {
  issue(claims: TokenClaims): Promise<IssuedToken>;
  /** All records; `left` includes units that are on hand but not spent. */
  list(): Promise<readonly TokenRecord[]>;
  /** @throws QuotaError unknown_token */
  show(id: string): Promise<TokenRecord>;
  /** @throws QuotaError unknown_token */
  revoke(id: string): Promise<TokenRecord>;
  /** @throws QuotaError unknown_token, not_prepaid, too_many_units */
  topUp(id: string, units: number): Promise<TokenRecord>;
}
