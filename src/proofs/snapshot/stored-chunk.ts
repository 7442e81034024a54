import type { SnapshotEntry, SubtreeProof } from '../../generated/node-rpc-v1.js';
import { CheckpointReader } from '../../ledger/checkpoint-store.js';
import { scanStateAt } from '../../storage/state-scan.js';
import type { StoreReader } from '../../storage/store.js';
import { MissingBlobError } from './cut.js';
import { endOfPlace } from './subtree.js';

/** A chunk of a checkpoint with everything in it. */
export interface StoredSnapshotChunk {
  readonly proof: SubtreeProof;
  readonly entries: readonly SnapshotEntry[];
  readonly blobs: readonly Uint8Array[];
  /** chunk_hash, 32 bytes. */
  readonly hash: Uint8Array;
}

/**
 * Reads a chunk of a stored checkpoint; undefined where there is none of that height and number.
 * @throws StateUnavailableError where the height's state has been dropped
 */
export function readStoredChunk(
  store: StoreReader,
  height: bigint,
  index: number,
): StoredSnapshotChunk | undefined {
  const stored = new CheckpointReader(store).chunk(height, index);
  if (stored === undefined) return undefined;
  const { proof, hash } = stored;
  const lt = endOfPlace(proof);
  const entries: SnapshotEntry[] = [];
  for (const [key, value] of scanStateAt(store, height, {
    gte: proof.prefix,
    ...(lt === undefined ? {} : { lt }),
  })) {
    entries.push({ key, value });
  }
  const blobs = stored.blobs.map(({ kind, hash: name }) => {
    const bytes = store.get(kind, name);
    if (bytes === undefined) {
      throw new MissingBlobError(`${kind} ${Buffer.from(name).toString('hex')} is not in the store`);
    }
    return bytes;
  });
  return { proof, hash, entries, blobs };
}
