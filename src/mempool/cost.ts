import type { Candidate, CandidateAction } from '../ledger/transaction-envelope.js';

/**
 * The most that a transaction can take from its sender: gas_limit × max_fee and the amounts it carries. What a sealed one
 * carries nobody knows; it moves when it is opened.
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
