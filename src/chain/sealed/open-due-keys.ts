import type { SealKey } from '../../generated/ledger.js';
import { MAX_SEAL_KEYS } from '../../ledger/constants.js';
import { isEnvironmentFailure } from '../faults/contained-execution.js';
import type { NextBlock } from '../next-block.js';
import { isFull } from '../pending-blocks.js';
import type { ExecutedOpenings, Openings } from './openings.js';

type DueOpenings = Pick<Openings, 'due' | 'verify' | 'execute'>;

/** The keys that are known of what is due, and whether envelopes are due that they do not open. */
interface DueKeys {
  readonly keys: readonly SealKey[];
  readonly isDue: boolean;
}

/** Those that a block begins with, and what they opened; undefined where there are none. */
export interface OpenedKeys extends DueKeys {
  readonly opened: ExecutedOpenings | undefined;
}

/**
 * Opens what the known keys of due heights open. A block need not have them (rule 11): where what they open cannot be executed,
 * as where it ends workers, it has fewer, and agreement goes on with blocks that hold nothing.
 * @param keyOf the key of a height, where it is known by now
 * @throws ExecutionError where keys cannot be checked; what is nobody's fault
 */
export async function openDueKeys(
  openings: DueOpenings,
  bare: NextBlock,
  keyOf: ((height: bigint) => SealKey | undefined) | undefined,
  signal?: AbortSignal,
): Promise<OpenedKeys> {
  const { keys, isDue } = await dueKeys(openings, bare, keyOf);
  for (let count = keys.length; ; count--) {
    const used = keys.slice(0, count);
    try {
      const opened = await openings.execute(bare, used, signal);
      return { keys: used, isDue: isDue || count < keys.length, opened };
    } catch (error) {
      if (count === 0 || isEnvironmentFailure(error) || signal?.aborted === true) throw error;
    }
  }
}

/** The keys that a block may begin with. */
async function dueKeys(
  openings: DueOpenings,
  next: NextBlock,
  keyOf: ((height: bigint) => SealKey | undefined) | undefined,
): Promise<DueKeys> {
  const due = openings.due(next);
  const keys: SealKey[] = [];
  if (isFull(next.parent)) return { keys, isDue: due.length > 0 };
  for (const { height } of due.slice(0, MAX_SEAL_KEYS)) {
    const key = keyOf?.(height);
    if (key === undefined) break;
    keys.push(key);
  }
  const { group_public_key: groupPublicKey } = next.parent.epochs.validators;
  const verdicts = await openings.verify(keys, { chainId: next.env.chainId, groupPublicKey });
  // Behind one that is not good nothing may come.
  const bad = verdicts.indexOf(false);
  if (bad >= 0) keys.length = bad;
  return { keys, isDue: keys.length < due.length };
}
