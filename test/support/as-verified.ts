import type { TransactionEnvelope, VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';

/** A transaction for parts that rely on signatures which others have checked: here nobody has. */
export function asVerified<T extends TransactionEnvelope>(transaction: T): T & VerifiedTransaction {
  return transaction as T & VerifiedTransaction;
}
