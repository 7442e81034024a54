import type { Crypto } from '../../crypto/crypto.js';
import { toHex } from '../../idl/hex.js';
import type { ReceiptSubject } from '../../ledger/block-store.js';
import { candidateIn } from '../../ledger/transaction-envelope.js';
import { type ExecutionContext, executeTransaction, inclusionProblem } from '../execute-transaction.js';
import { executeOpening, openingOf } from './opening.js';

/**
 * Repeats an execution of a block. Omits the consensus records of envelopes, which contracts never see.
 * @param what name of the subject, for errors
 * @throws Error if it cannot be executed: the node is broken
 */
export function reexecute(
  subject: ReceiptSubject,
  context: ExecutionContext & { readonly crypto: Pick<Crypto, 'sha256'> },
  what: string,
): void {
  if ('opening' in subject) {
    executeOpening(openingOf(subject.opening, context.crypto), context);
    return;
  }
  const { transaction } = candidateIn(subject.item);
  const sender = toHex(transaction.sender);
  const problem = inclusionProblem(transaction, sender, context.state, context.env);
  if (problem !== undefined) throw new Error(`${what} cannot be executed again: ${problem}`);
  executeTransaction(transaction, sender, context);
}
