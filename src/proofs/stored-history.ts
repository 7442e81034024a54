import type { BlockHeader } from '../generated/ledger.js';
import type { HistoryRoot } from '../generated/node-rpc-v1.js';
import { be64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import { mmrSize, peakPositions } from './mmr.js';
import { ProofError } from './proof-error.js';

/** The history that a stored block's header commits to. @throws ProofError `damaged` if a peak is missing */
export function storedHistory(store: StoreReader, { height, history_root }: BlockHeader): HistoryRoot {
  const peaks = storedNodes(store, peakPositions(height));
  return { root: history_root, size: mmrSize(height), peaks, height };
}

/** The node of the history MMR at a position, 32 bytes. @throws ProofError `damaged` if it is missing */
export function storedNode(store: StoreReader, position: bigint): Uint8Array {
  return expectNode(store.get('mmr', be64(position)), position);
}

/** Like {@link storedNode}, for several nodes in one read. */
export function storedNodes(store: StoreReader, positions: readonly bigint[]): readonly Uint8Array[] {
  const nodes = store.getMany('mmr', positions.map(be64));
  return positions.map((position, index) => expectNode(nodes[index], position));
}

function expectNode(node: Uint8Array | undefined, position: bigint): Uint8Array {
  if (node?.length === 32) return node;
  const got = node === undefined ? 'nothing' : `${node.length} bytes`;
  const expected = `32 bytes at position ${position} of column mmr`;
  throw new ProofError('damaged', `history MMR: expected ${expected}, got ${got}`);
}
