/** Thrown instead of crediting more than `MAX_BALANCE`, which overrides and forked chains can lead to. */
export class BalanceOverflowError extends Error {
  override readonly name = 'BalanceOverflowError';

  /** @param balance the balance that the account would have had */
  constructor(readonly balance: bigint) {
    super(`an account would have a balance of ${balance}, and all balances together stay below 2^128`);
  }
}
