import type { Candidate, CandidateAction } from '../ledger/transaction-envelope.js';

/**
 * The maximum cost of a transaction to its sender: gas_limit × max_fee plus the amounts it carries. The amounts of a
 * sealed one are unknown; they move when it is opened.
 */
export function transactionCost(transaction: Candidate): bigint {
  return transaction.gas_limit * transaction.max_fee + transferredAmount(transaction.action);
}

function transferredAmount(action: CandidateAction): bigint {
  switch (action.type) {
    case 'transfer':
      return action.value.amount;
    case 'deploy':
    case 'call':
      return action.value.value;
    case 'batch':
      return action.value.reduce((sum, call) => sum + call.value, 0n);
    case 'upgrade':
    case 'sealed':
      return 0n;
  }
}
