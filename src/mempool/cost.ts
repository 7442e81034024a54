import type { Transaction } from '../generated/ledger.js';

/** The most that a transaction can take from its sender: gas_limit × max_fee and the amounts it carries. */
export function transactionCost(transaction: Transaction): bigint {
  return transaction.gas_limit * transaction.max_fee + carriedAmount(transaction.action);
}

function carriedAmount(action: Transaction['action']): bigint {
  switch (action.type) {
    case 'transfer':
      return action.value.amount;
    case 'deploy':
    case 'call':
      return action.value.value;
    case 'batch':
      return action.value.reduce((sum, call) => sum + call.value, 0n);
    case 'upgrade':
      return 0n;
  }
}
