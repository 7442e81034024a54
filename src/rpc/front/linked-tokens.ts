import type { LeaseOutcome, Refill, TokenService } from '../access/token-service.js';
import type { TokenSlot } from '../access/token-slots.js';
import type { VerifiedToken } from '../access/tokens.js';
import type { MainLink } from './main-link.js';

/** A front thread's proxy for the main thread's tokens. */
export class LinkedTokens implements TokenService {
  readonly #link: MainLink;

  constructor(link: MainLink) {
    this.#link = link;
  }

  async open(token: VerifiedToken): Promise<TokenSlot> {
    return (await this.#link.ask({ kind: 'open_token', token })) as TokenSlot;
  }

  async refill(id: string, price: number): Promise<Refill> {
    return (await this.#link.ask({ kind: 'refill_token', id, price })) as Refill;
  }

  async lease(id: string, price: number): Promise<LeaseOutcome> {
    return (await this.#link.ask({ kind: 'lease_rate', id, price })) as LeaseOutcome;
  }
}
