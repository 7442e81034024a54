import type { Sha256 } from '../../crypto/crypto.js';
import { toHex } from '../../idl/hex.js';
import type { BlockReader, ReceiptSubject } from '../../ledger/block-store.js';
import type { TransactionPosition } from '../../ledger/position-index.js';
import { candidateIn } from '../../ledger/transaction-envelope.js';
import type { ContractMachine } from '../contract-machine.js';
import { type ExecutionContext, executeTransaction, inclusionProblem } from '../execute-transaction.js';
import { executeOpening, openingOf } from './opening.js';

export interface ReexecutionParts {
  readonly crypto: Sha256;
  readonly machine: ContractMachine;
  readonly blocks: BlockReader;
}

/** Repeats an execution, without the consensus records of envelopes. @throws Error if the node is broken */
export function reexecute(
  { height, index }: TransactionPosition,
  subject: ReceiptSubject | undefined,
  context: ExecutionContext & Pick<ReexecutionParts, 'crypto'>,
): void {
  const what = `transaction ${index} of block ${height}`;
  if (subject === undefined) throw new Error(`${what} is not stored`);
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
