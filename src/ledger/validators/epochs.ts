import { bigMax } from '../../base/big-ints.js';

/** Blocks per epoch unless the genesis sets another length. */
export const DEFAULT_EPOCH_LENGTH = 10_000n;

/** Minimum blocks per epoch: one for changes and one for dealings. */
export const MIN_EPOCH_LENGTH = 2n;

/**
 * The part of an epoch that a block is in; it determines what the block may hold besides complaints:
 *
 * - `changes`: validator set changes;
 * - `dealings`: dealings to the next members, whom the changes have settled;
 * - `complaints`: neither, so that every player has time to complain about the dealings.
 */
export type EpochPhase = 'changes' | 'dealings' | 'complaints';

/** Dealings end with position ⌊2L/3⌋ − 1 of an epoch of L blocks, from 0; changes end a third earlier. */
export function phaseAt(height: bigint, length: bigint): EpochPhase {
  if (height <= 0n) return 'complaints';
  const position = (height - 1n) % length;
  const { begin, end } = dealingWindow(length);
  if (position < begin) return 'changes';
  return position < end ? 'dealings' : 'complaints';
}

/** The positions of an epoch's blocks that may hold dealings: `begin` inclusive, `end` exclusive. */
export function dealingWindow(length: bigint): { readonly begin: bigint; readonly end: bigint } {
  const begin = bigMax(length / 3n, 1n);
  return { begin, end: bigMax((2n * length) / 3n, begin + 1n) };
}

export function lastHeight(epoch: bigint, length: bigint): bigint {
  return (epoch + 1n) * length;
}

export function endsEpoch(height: bigint, length: bigint): boolean {
  return height > 0n && height % length === 0n;
}
