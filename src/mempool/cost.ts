import { actionValue } from '../ledger/action-facts.js';
import type { Candidate } from '../ledger/transaction-envelope.js';

/**
 * The maximum cost of a transaction to its sender: gas_limit × max_fee, plus max_seal_fee for an envelope, plus the
 * amounts it carries. The amounts in a sealed transaction are unknown; they move when it is opened.
 */
export function transactionCost({ action, gas_limit: gasLimit, max_fee: maxFee }: Candidate): bigint {
  const gas = gasLimit * maxFee;
  return action.type === 'sealed' ? gas + action.value.header.max_seal_fee : gas + actionValue(action);
}
