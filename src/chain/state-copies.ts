import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { ExecutionParent } from './pending-blocks.js';

export interface PreparedCopies {
  readonly transactions: readonly VerifiedTransaction[];
  /** Whether there is more to copy than fits a block, so that the block must include nothing else. */
  readonly isPartial: boolean;
}

export type CopyingParent = Pick<ExecutionParent, 'header' | 'branch'>;

/** Copies the state of a forked chain before the transactions that read it. */
export interface StateCopies {
  /**
   * Prepares the copies of everything known to be missing, for a block on top of a branch; executions until the next call
   * do not see these values in the forked chain.
   */
  prepare(parent: CopyingParent): Promise<PreparedCopies>;
  /** True if an execution since the last call has read something that is not copied, so that its result is invalid. */
  hasMissed(): Promise<boolean>;
}
