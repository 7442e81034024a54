import type { TxReceiptResult } from '../generated/node-rpc-v1.js';
import { errorNameOf } from './error-name.js';
import { isIdentifier, isSnakeName, NameCounts } from './name-counts.js';

/** Stands for a revert without an error that the contract declares. */
const UNNAMED = 'unnamed';

/** How a sample of transactions ended. */
export interface SampledOutcomes {
  /** Counts by the status of the receipt, by `not in a block` or by `not answered`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Counts of the reverted ones by the name of the error, such as `InsufficientBalance`; `unnamed` without one. */
  readonly errors: Readonly<Record<string, number>>;
}

/** @param answers the node's answers about the transactions' receipts */
export function sampledOutcomes(
  answers: readonly PromiseSettledResult<Pick<TxReceiptResult, 'receipt'>>[],
): SampledOutcomes {
  const outcomes = new NameCounts((text) => isSnakeName(text.replaceAll(' ', '_')));
  const errors = new NameCounts(isIdentifier);
  for (const answer of answers) {
    if (answer.status === 'rejected') {
      outcomes.add('not answered', 1);
      continue;
    }
    const status = answer.value.receipt?.status;
    outcomes.add(status?.type ?? 'not in a block', 1);
    if (status?.type === 'reverted') errors.add(errorNameOf(status) ?? UNNAMED, 1);
  }
  return { outcomes: outcomes.toRecord(), errors: errors.toRecord() };
}
