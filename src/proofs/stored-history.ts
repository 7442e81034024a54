import type { BlockHeader } from '../generated/ledger.js';
import type { HistoryRoot } from '../generated/node-rpc-v1.js';
import { be64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import { mmrSize, peakPositions } from './mmr.js';
import { ProofError } from './proof-error.js';

/**
 * The history that a stored block's header commits to: the blocks before it.
 * @throws ProofError `damaged` if a peak is missing
 */
export function storedHistory(
  store: Pick<StoreReader, 'getMany'>,
  { height, history_root }: BlockHeader,
): HistoryRoot {
  const peaks = storedNodes(store, peakPositions(height));
  return { root: history_root, size: mmrSize(height), peaks, height };
}

/** The nodes of the history MMR at positions, 32 bytes each. @throws ProofError `damaged` if one is missing */
export function storedNodes(
  store: Pick<StoreReader, 'getMany'>,
  positions: readonly bigint[],
): readonly Uint8Array[] {
  return store.getMany('mmr', positions.map(be64)).map((node, index) => {
    if (node?.length === 32) return node;
    throw new ProofError(
      'damaged',
      `history MMR: expected 32 bytes at position ${positions[index]} of column mmr, got ${node === undefined ? 'nothing' : `${node.length} bytes`}`,
    );
  });
}
