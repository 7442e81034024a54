import type { Tier } from '../../idl/manifest.js';

/** Callers without a token use paid methods for free, at a rate per address, or not at all. */
export type PaidAccess = 'open' | 'metered' | 'token';

const RANKS: { readonly [T in Tier]: number } = { public: 0, paid: 1, admin: 2 };

export function covers(tier: Tier, required: Tier): boolean {
  return RANKS[tier] >= RANKS[required];
}

/** The tier of a caller without a token, and the least tier of one with a token. */
export function baseTier(paidAccess: PaidAccess): Tier {
  return paidAccess === 'token' ? 'public' : 'paid';
}
