/**
 * Thrown instead of crediting an account with more than `MAX_BALANCE`. The balances of a chain never add up to so much; the
 * overrides of a call, or the accounts of a chain that a fork reads, may.
 */
export class BalanceOverflowError extends Error {
  override readonly name = 'BalanceOverflowError';

  /** @param balance the balance that the account would have had */
  constructor(readonly balance: bigint) {
    super(`an account would have a balance of ${balance}, and all balances together stay below 2^128`);
  }
}
