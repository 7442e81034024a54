import type { Crypto } from '../../crypto/crypto.js';
import { envelopeFromEncoded, transactionFromEncoded } from '../../ledger/transaction-envelope.js';
import type { Logger } from '../../log.js';
import type { Admission } from '../../mempool/admission.js';
import { bundleOf } from '../../mempool/bundles/bundle.js';
import type { RestoredTransactions } from '../../mempool/journal/journal.js';

/** Puts the journal's transactions back into the pool, by the usual rules of admission. */
export async function restorePool(
  { transactions, bundles, removed, damaged, tornBytes }: RestoredTransactions,
  admission: Admission,
  crypto: Crypto,
  log: Logger,
): Promise<void> {
  if (damaged > 0 || tornBytes > 0) {
    log.warn({ damaged, torn_bytes: tornBytes }, 'parts of the pool journal are unreadable and were dropped');
  }
  admission.restoreRemovals(removed);
  if (transactions.length === 0 && bundles.length === 0) return;
  const waiting = transactions.map(({ isEnvelope, encoded }) =>
    isEnvelope ? envelopeFromEncoded(encoded, crypto) : transactionFromEncoded(encoded, crypto),
  );
  const admitted = await admission.restore(waiting);
  const waitingBundles = bundles.map((bundle) =>
    bundleOf(
      bundle.transactions.map((encoded) => transactionFromEncoded(encoded, crypto)),
      bundle.maxHeight,
      crypto,
    ),
  );
  const admittedBundles = await admission.restoreBundles(waitingBundles);
  // All transactions of the journal may have been included before the node stopped.
  if (admitted === 0 && admittedBundles === 0) return;
  log.info(
    {
      journaled: transactions.length,
      admitted,
      journaled_bundles: bundles.length,
      admitted_bundles: admittedBundles,
    },
    'restored waiting transactions to the pool',
  );
}
