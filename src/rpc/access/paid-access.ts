import type { Tier } from '../../idl/manifest.js';

/**
 * Access to paid methods. `open`: free for everyone. `metered`: callers without a token have a rate limit per address.
 * `token`: only callers with a token.
 */
export type PaidAccess = 'open' | 'metered' | 'token';

const RANKS: { readonly [T in Tier]: number } = { public: 0, paid: 1, admin: 2 };

/** True if a caller of one tier may use a method of another. */
export function covers(tier: Tier, required: Tier): boolean {
  return RANKS[tier] >= RANKS[required];
}

/** The tier of a caller without a token, and the least tier of one with a token. */
export function baseTier(paidAccess: PaidAccess): Tier {
  return paidAccess === 'token' ? 'public' : 'paid';
}
