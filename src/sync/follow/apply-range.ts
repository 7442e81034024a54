import type { BlockChain } from '../../chain/block-chain.js';
import type { BlockRefusal } from '../../chain/block-refusal.js';
import type { DecodedBlock } from '../../chain/decode-block.js';
import type { PendingBlock } from '../../chain/pending-blocks.js';
import type { CertifiedRange } from './certified-range.js';
import { FollowError } from './follow-error.js';

/** Where certified blocks are executed and stored. */
export interface ApplyOptions {
  readonly blockChain: Pick<BlockChain, 'verify' | 'commit'>;
  readonly onApplied: (
    block: PendingBlock,
    timing: { readonly totalMs: number; readonly commitMs: number },
  ) => void;
  readonly signal: AbortSignal;
}

/**
 * Executes the blocks after the tip, and makes each the tip once everything that it comes to is what its header says. The
 * last block of the range is synced, and with it those before; a crash in between loses none that a source could not give again.
 * @throws FollowError `diverged`; whatever execution and store throw
 */
export async function applyRange(options: ApplyOptions, range: CertifiedRange): Promise<void> {
  const { blockChain, onApplied, signal } = options;
  for (const block of range.blocks) {
    signal.throwIfAborted();
    const started = performance.now();
    const verified = await verify(blockChain, block);
    const certificate = range.certificates.get(block.header.height);
    const commits = await blockChain.commit(verified.hash, certificate, block.hash === range.end.hash);
    onApplied(verified, { totalMs: performance.now() - started, commitMs: commits[0]?.commitMs ?? 0 });
  }
}

/** That the block is final says who proposed it, and when. */
async function verify(blockChain: ApplyOptions['blockChain'], block: DecodedBlock): Promise<PendingBlock> {
  const { epoch, view, proposer, height, parent_hash: parent } = block.header;
  const verdict = await blockChain.verify(block, { parent, epoch, view, proposer });
  switch (verdict.verdict) {
    case 'valid':
      return verdict.block;
    case 'invalid':
      throw diverged(height, verdict);
    case 'unknown_parent':
      throw new Error(`block ${height}: its parent is no longer the tip`);
    case 'withheld':
      throw verdict.cause;
  }
}

function diverged(height: bigint, { what, stored, computed }: BlockRefusal): FollowError {
  return new FollowError(
    'diverged',
    `block ${height} is certified, but executing it gives something else: ${what} is ${stored} there and ${computed} ` +
      'here. Nothing of it was stored. Check with heddle verify that this node is not damaged, and that it runs the ' +
      "validators' version",
  );
}
