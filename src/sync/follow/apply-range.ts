import type { BlockImport, ImportOptions } from '../../chain/block-import.js';
import { BlockRejectedError } from '../../chain/block-rejection.js';
import type { CertifiedRange } from './certified-range.js';
import { FollowError } from './follow-error.js';

/** Options for executing and storing certified blocks. */
export interface ApplyOptions {
  readonly blockImport: Pick<BlockImport, 'add' | 'settled'>;
  readonly onApplied: ImportOptions['onCommitted'];
  readonly signal: AbortSignal;
}

/**
 * Executes the blocks of a range. Each becomes the tip once its results match its header; the last ones may still wait
 * for that when this resolves. The range's last block is synced, together with the blocks before it. A crash before
 * that loses only blocks that a source can send again.
 * @throws FollowError `diverged`, for a block of this range or an earlier one; any error of execution and store
 */
export async function applyRange(
  { blockImport, onApplied, signal }: ApplyOptions,
  range: CertifiedRange,
): Promise<void> {
  for (const block of range.blocks) {
    signal.throwIfAborted();
    const certificate = range.certificates.get(block.header.height);
    const sync = block.hash === range.end.hash;
    await settleOrDiverge(blockImport.add(block, { certificate, sync, onCommitted: onApplied }));
  }
}

/**
 * Waits for applied blocks to settle.
 * @param settling their settlement
 * @throws FollowError `diverged` if a block is rejected; any other rejection of `settling`
 */
export async function settleOrDiverge(settling: Promise<void>): Promise<void> {
  try {
    await settling;
  } catch (error) {
    throw error instanceof BlockRejectedError ? diverged(error) : error;
  }
}

function diverged({ height, rejection: { what, stored, computed } }: BlockRejectedError): FollowError {
  return new FollowError(
    'diverged',
    `block ${height} is certified, but executing it gives another result: ${what} is ${stored} there and ${computed} ` +
      'here. Nothing was stored. Check with heddle verify that this node is not damaged, and that it runs the ' +
      "validators' version",
  );
}
