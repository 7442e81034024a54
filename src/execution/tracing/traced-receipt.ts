import { sameBytes } from '../../base/same-bytes.js';
import type { LedgerReceipt } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import type { IncludedTransaction } from '../../ledger/queries/tx-summary.js';
import { ledgerReceipt } from '../block-execution.js';
import type { TransactionOutcome } from '../execute-transaction.js';

/**
 * Returns the receipt of an executed transaction, which must equal the stored one.
 * @param hash of the transaction
 * @throws Error if it differs
 */
export function expectReceipt(
  { position, receipt: stored }: IncludedTransaction,
  hash: Uint8Array,
  executed: TransactionOutcome,
): LedgerReceipt {
  const { outcome, gasUsed, logs } = executed;
  const receipt = ledgerReceipt(hash, executed);
  if (sameBytes(ledger.LedgerReceipt.encode(receipt), stored.encoded)) return receipt;
  const was = stored.receipt;
  throw new Error(
    `executing transaction ${position.index} of block ${position.height} again gives ${outcome} for ${gasUsed} gas with ${logs.length} events; its receipt says ${was.outcome.type} for ${was.gas_used} gas with ${was.logs.length} events${
      outcome === was.outcome.type && gasUsed === was.gas_used ? ', and they differ in their contents' : ''
    }: this node is broken`,
  );
}
