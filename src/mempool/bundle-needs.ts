import { type AddressHex, addressHex } from '../ledger/hex-names.js';
import type { TransactionEnvelope } from '../ledger/transaction-envelope.js';
import { transactionCost } from './cost.js';

/** What the balances have to be for a bundle; it depends on the bundle alone. */
export interface BundleNeeds {
  /** What each account has to have before the bundle, where that is more than nothing. */
  readonly balances: ReadonlyMap<AddressHex, bigint>;
  /** What all accounts together have to have: the most that one transaction behind code may cost. */
  readonly supply: bigint;
}

/**
 * Each transaction may cost no more than its sender has left after those before it, with what their transfers bring.
 * Behind a transaction that runs code the code may have paid whomever it likes: each may cost what all accounts have
 * together. `checkBalances` says which transaction is too much; this answers whether one is, without a look at each.
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
