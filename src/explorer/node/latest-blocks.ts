import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';

/** True if a block, the newest one known, is the one with the given hash. */
export function isSameTip(known: Pick<BlockSummary, 'hash'> | undefined, hash: Uint8Array): boolean {
  return known !== undefined && toHex(known.hash) === toHex(hash);
}

/**
 * Adds blocks on top of a list; those that it already covers are dropped.
 * @param blocks newest first
 * @param arrived oldest first
 * @returns at most `rows` blocks, newest first
 */
export function withNewBlocks<T extends Pick<BlockSummary, 'height'>>(
  blocks: readonly T[],
  arrived: readonly T[],
  rows: number,
): readonly T[] {
  const known = blocks[0]?.height ?? -1n;
  const added = arrived.filter(({ height }) => height > known).toReversed();
  return added.length === 0 ? blocks : [...added, ...blocks].slice(0, rows);
}

/** Marks the blocks up to a height as final. Returns the same list if they are. */
export function withFinal<T extends Pick<BlockSummary, 'height' | 'finalized'>>(
  blocks: readonly T[],
  finalizedHeight: bigint,
): readonly T[] {
  const isNew = (block: T) => !block.finalized && block.height <= finalizedHeight;
  if (!blocks.some(isNew)) return blocks;
  return blocks.map((block) => (isNew(block) ? { ...block, finalized: true } : block));
}
