import type { TxReceiptResult } from '../generated/node-rpc-v1.js';
import { isDecoded } from '../idl/decoded-text.js';
import { isIdentifier, isSnakeName, NameCounts } from './name-counts.js';

/** Name of the declared error of a revert; undefined unless it is a short identifier. */
export function errorNameOf(status: { readonly type: string; readonly value?: unknown }): string | undefined {
  const { type, value } = status;
  if (type !== 'reverted' || typeof value !== 'object' || value === null || !('error' in value))
    return undefined;
  const { error } = value;
  return isDecoded(error) && isIdentifier(error.name) ? error.name : undefined;
}

/** Stands for a revert without an error that the contract declares. */
const UNNAMED = 'unnamed';

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
