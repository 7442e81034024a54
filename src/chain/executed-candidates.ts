import type { Candidates } from '../execution/atomic-groups.js';
import type { BlockEnvironment } from '../execution/block-environment.js';
import type { ExecutedBlock, FailedBundle, PriorUsage } from '../execution/block-execution.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import type { Branch } from '../execution/pending-writes.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';

/** The block environment and the state that candidates execute on. */
export interface ExecutionBase {
  readonly env: BlockEnvironment;
  /** The pending blocks between the last committed one and the block; empty on the committed one itself. */
  readonly branch: Branch;
  /** What the block's openings used, where it has some: their writes end the branch. */
  readonly before?: PriorUsage;
}

/** What came of executing a block's candidates. */
export interface ExecutedCandidates {
  /** Those that are in the block, in its order. */
  readonly transactions: readonly VerifiedTransaction[];
  readonly executed: ExecutedBlock;
  readonly executeMs: number;
  /** Those on their own that could not be in it, and why. */
  readonly leftOut: readonly {
    readonly transaction: VerifiedTransaction;
    readonly problem: InclusionProblem;
  }[];
  /** The bundles that could not be in it, and why. */
  readonly failedBundles: readonly FailedBundle[];
}

/** Divides candidates into those that are in the block and those that are not. */
export function divideCandidates(
  { transactions }: Candidates<VerifiedTransaction>,
  executed: ExecutedBlock,
  executeMs: number,
): ExecutedCandidates {
  const { excluded, failedBundles } = executed;
  if (excluded.length === 0) return { transactions, leftOut: [], failedBundles: [], executed, executeMs };
  const problems = new Map(excluded.map(({ index, problem }) => [index, problem]));
  return {
    transactions: transactions.filter((_, index) => !problems.has(index)),
    leftOut: transactions.flatMap((transaction, index) => {
      const problem = problems.get(index);
      return problem === undefined || problem === 'bundle' ? [] : [{ transaction, problem }];
    }),
    failedBundles,
    executed,
    executeMs,
  };
}

/** Executes candidates, and sees how long it took. */
export async function timedExecution(
  candidates: Candidates<VerifiedTransaction>,
  execute: () => Promise<ExecutedBlock>,
): Promise<ExecutedCandidates> {
  const started = performance.now();
  const executed = await execute();
  return divideCandidates(candidates, executed, performance.now() - started);
}
