import { type AddressHex, addressHex } from '../../ledger/hex-types.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { transactionCost } from '../cost.js';

/** Balances that a bundle needs; they depend only on the bundle. */
export interface BundleNeeds {
  /** Minimum balance of each account before the bundle, if above 0. */
  readonly balances: ReadonlyMap<AddressHex, bigint>;
  /** Minimum total supply: the highest cost of a transaction that follows one running code. */
  readonly supply: bigint;
}

/**
 * Precomputes the rule of `checkBalances` in `bundle-rules.ts`: checking a bundle's balances then takes one comparison
 * per account.
 */
export function bundleNeeds(transactions: readonly TransactionEnvelope[]): BundleNeeds {
  const spent = new Map<AddressHex, bigint>();
  const balances = new Map<AddressHex, bigint>();
  let supply = 0n;
  let behindCode = false;
  for (const { sender, signed } of transactions) {
    const { transaction } = signed;
    const cost = transactionCost(transaction);
    const before = spent.get(sender) ?? 0n;
    if (behindCode) {
      if (cost > supply) supply = cost;
    } else if (before + cost > (balances.get(sender) ?? 0n)) balances.set(sender, before + cost);
    const { action } = transaction;
    behindCode ||= action.type !== 'transfer';
    if (action.type !== 'transfer') continue;
    spent.set(sender, before + cost);
    const to = addressHex(action.value.to);
    spent.set(to, (spent.get(to) ?? 0n) - action.value.amount);
  }
  return { balances, supply };
}
