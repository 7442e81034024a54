import type { TransactionEnvelope, VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';

/** Marks a transaction as verified without checking its signature, for parts that rely on an earlier check. */
export function asVerified<T extends TransactionEnvelope>(transaction: T): T & VerifiedTransaction {
  return transaction as T & VerifiedTransaction;
}
