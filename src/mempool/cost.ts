import { actionValue } from '../ledger/queries/tx-summary.js';
import type { Candidate } from '../ledger/transaction-envelope.js';

/**
 * The maximum cost of a transaction to its sender: gas_limit × max_fee plus the amounts it carries. The amounts in a
 * sealed transaction are unknown; they move when it is opened.
 */
export function transactionCost(transaction: Candidate): bigint {
  return transaction.gas_limit * transaction.max_fee + actionValue(transaction.action);
}
