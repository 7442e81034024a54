import type { SnapshotEntry } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { CheckpointReader } from '../../ledger/checkpoint-store.js';
import { statePortionsAt } from '../../storage/state-scan.js';
import type { StoreReader } from '../../storage/store.js';
import type { ProvedChunk } from './check-chunk.js';
import { MissingBlobError } from './cut.js';
import { subtreeEnd } from './subtree.js';

export interface StoredSnapshotChunk extends ProvedChunk {
  /** chunk_hash, 32 bytes. */
  readonly hash: Uint8Array;
}

/** A part of a chunk: its next entries or, as the last slice, the chunk with its remaining entries. */
export type StoredChunkSlice =
  /** `next` is the `from` of the next slice. */
  | { readonly entries: readonly SnapshotEntry[]; readonly next: Uint8Array }
  | { readonly chunk: StoredSnapshotChunk };

export interface ChunkSliceRequest {
  readonly height: bigint;
  readonly index: number;
  /** `next` of the previous slice; absent for the first slice. */
  readonly from?: Uint8Array;
  /** Time limit of the slice in milliseconds; the slice has at least one portion even if that takes longer. */
  readonly maxMs: number;
}

/** Reads a chunk of a stored checkpoint, if the store has it. @throws StateUnavailableError if its state was dropped */
export function readStoredChunk(
  store: StoreReader,
  height: bigint,
  index: number,
): StoredSnapshotChunk | undefined {
  const slice = readChunkSlice(store, { height, index, maxMs: Number.POSITIVE_INFINITY });
  if (slice !== undefined && !('chunk' in slice)) throw new Error('a slice without a time limit ended early');
  return slice?.chunk;
}

/**
 * Reads a slice of a chunk of a stored checkpoint. Reading the whole chunk can take seconds if keys were created and
 * removed since the checkpoint.
 * @returns undefined if the store has no such chunk
 * @throws StateUnavailableError if the height's state has been dropped
 */
export function readChunkSlice(store: StoreReader, request: ChunkSliceRequest): StoredChunkSlice | undefined {
  const end = performance.now() + request.maxMs;
  const { height, index } = request;
  const stored = new CheckpointReader(store).chunk(height, index);
  if (stored === undefined) return undefined;
  const { proof, hash } = stored;
  const range = { gte: request.from ?? proof.prefix, lt: subtreeEnd(proof) };
  const entries: SnapshotEntry[] = [];
  for (const portion of statePortionsAt(store, height, range)) {
    for (const [key, value] of portion.entries) entries.push({ key, value });
    const { next } = portion;
    if (next !== undefined && performance.now() > end) return { entries, next };
  }
  const blobs = stored.blobs.map(({ kind, hash: name }) => {
    const bytes = store.get(kind, name);
    if (bytes !== undefined) return bytes;
    throw new MissingBlobError(`${kind} ${toHex(name)} is not in the store`);
  });
  return { chunk: { proof, hash, entries, blobs } };
}
