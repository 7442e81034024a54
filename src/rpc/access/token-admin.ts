import type { TokenRecord } from './quota-store.js';
import type { IssuedToken, TokenClaims } from './tokens.js';

/** The operator's view of tokens: of a running node, of a stopped one, or of a shared quota store. */
export interface TokenAdmin {
  /** Issues and records a token. */
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
