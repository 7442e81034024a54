import type { Candidates } from '../execution/atomic-groups.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import type { ExecutedBlock, FailedBundle, PriorUsage } from '../execution/block-execution.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import type { Branch } from '../execution/pending-writes.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';

/** Block environment and state on which candidates execute. */
export interface ExecutionBase {
  readonly env: BlockEnvironment;
  /** The pending blocks between the last committed block and this one; empty directly on the committed block. */
  readonly branch: Branch;
  /** Usage of the block's openings, if it has any; their writes are the last of the branch. */
  readonly before?: PriorUsage;
}

export interface ExecutedCandidates {
  /** Included transactions, in block order. */
  readonly transactions: readonly VerifiedTransaction[];
  readonly executed: ExecutedBlock;
  readonly executeMs: number;
  /** Standalone transactions that were not included, with the reason. */
  readonly excluded: readonly {
    readonly transaction: VerifiedTransaction;
    readonly problem: InclusionProblem;
  }[];
  readonly failedBundles: readonly FailedBundle[];
}

export function divideCandidates(
  { transactions }: Candidates<VerifiedTransaction>,
  executed: ExecutedBlock,
  executeMs: number,
): ExecutedCandidates {
  const { excluded, failedBundles } = executed;
  if (excluded.length === 0) return { transactions, excluded: [], failedBundles: [], executed, executeMs };
  const problems = new Map(excluded.map(({ index, problem }) => [index, problem]));
  return {
    transactions: transactions.filter((_, index) => !problems.has(index)),
    excluded: transactions.flatMap((transaction, index) => {
      const problem = problems.get(index);
      return problem === undefined || problem === 'bundle' ? [] : [{ transaction, problem }];
    }),
    failedBundles,
    executed,
    executeMs,
  };
}

export async function timedExecution(
  candidates: Candidates<VerifiedTransaction>,
  execute: () => Promise<ExecutedBlock>,
): Promise<ExecutedCandidates> {
  const started = performance.now();
  const executed = await execute();
  return divideCandidates(candidates, executed, performance.now() - started);
}
