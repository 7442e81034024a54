import type { SealKey } from '../../generated/ledger.js';
import { MAX_SEAL_KEYS } from '../../ledger/constants.js';
import { isEnvironmentFailure } from '../faults/contained-execution.js';
import type { NextBlock } from '../next-block.js';
import { isFull } from '../pending-blocks.js';
import type { ExecutedOpenings, Openings } from './openings.js';

type DueOpenings = Pick<Openings, 'due' | 'verify' | 'execute'>;

/** The keys that a block begins with; `isDue` is true if they leave due envelopes unopened. */
interface DueKeys {
  readonly keys: readonly SealKey[];
  readonly isDue: boolean;
}

export interface OpenedKeys extends DueKeys {
  /** What the keys opened; undefined if there are none. */
  readonly opened: ExecutedOpenings | undefined;
}

/**
 * Opens the envelopes of due heights whose keys are known. Keys are optional (rule 11 of `verify-block.ts`): if their
 * envelopes cannot be executed, for instance because they crash workers, the block contains fewer keys and consensus
 * continues with empty blocks.
 * @param keyOf returns the key of a height, if known
 * @throws ExecutionError if the keys cannot be verified; failures not caused by an envelope
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
  // No key may follow an invalid one.
  const bad = verdicts.indexOf(false);
  if (bad >= 0) keys.length = bad;
  return { keys, isDue: keys.length < due.length };
}
