import type { BlockImport, ImportOptions } from '../../chain/block-import.js';
import { BlockRejectedError } from '../../chain/block-rejection.js';
import type { CertifiedRange } from './certified-range.js';
import { FollowError } from './follow-error.js';

/** Where certified blocks are executed and stored. */
export interface ApplyOptions {
  readonly blockImport: Pick<BlockImport, 'add' | 'settled'>;
  readonly onApplied: ImportOptions['onCommitted'];
  readonly signal: AbortSignal;
}

/**
 * Executes the blocks after those that were applied before; each becomes the tip once everything that it comes to is what its header
 * says, which the last ones may still wait for when this resolves. The last block of the range is synced, and with it those before; a
 * crash in between loses none that a source could not give again.
 * @throws FollowError `diverged`, of a block of this range or of one before; whatever execution and store throw
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
 * Waits for the blocks that were applied.
 * @param settling of them
 * @throws FollowError `diverged` where one is refused; whatever else it rejects with
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
    `block ${height} is certified, but executing it gives something else: ${what} is ${stored} there and ${computed} ` +
      'here. Nothing of it was stored. Check with heddle verify that this node is not damaged, and that it runs the ' +
      "validators' version",
  );
}
