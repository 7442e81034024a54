import { sameBytes } from '../../base/same-bytes.js';
import type { Hashes } from '../../crypto/crypto.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { writeBe64 } from '../../storage/big-endian.js';
import { WriteBatch } from '../../storage/write-batch.js';
import type { TreeAt } from '../proof-messages.js';
import { checkChunk, malformed, type RefusedChunk } from './check-chunk.js';
import type { ChunkSummary } from './cut.js';

/** A proved chunk, ready to be written; survives structured clone. */
export interface PreparedChunk extends ChunkSummary {
  readonly index: number;
  /** Keys of entries that may be contract records, 32 bytes each. */
  readonly namingKeys: readonly Uint8Array[];
  /** An encoded batch of the entries and blobs. */
  readonly batch: Uint8Array<ArrayBuffer>;
}

/**
 * Checks a chunk and prepares its store writes.
 * @param encoded borsh(ImportSnapshotChunkArgs)
 * @param target the state that the chunk must belong to
 */
export function prepareChunk(
  hashes: Hashes,
  encoded: Uint8Array,
  { height, stateRoot }: TreeAt,
): PreparedChunk | RefusedChunk {
  let chunk: ReturnType<typeof rpcTypes.ImportSnapshotChunkArgs.decode>;
  try {
    chunk = rpcTypes.ImportSnapshotChunkArgs.decode(encoded);
  } catch (error) {
    if (error instanceof BorshError) return malformed(error.message);
    throw error;
  }
  if (chunk.height !== height) {
    return malformed(`expected a chunk of height ${height}, got one of ${chunk.height}`);
  }
  const checked = checkChunk(hashes, chunk, stateRoot);
  if ('problem' in checked) return checked;
  const batch = new WriteBatch();
  let raw = new Uint8Array(1_024);
  for (const { key, value } of chunk.entries) {
    const length = 8 + value.length;
    if (raw.length < length) raw = new Uint8Array(length);
    // The height at which the entry was last written is unknown and irrelevant: reads below this height are refused.
    writeBe64(raw, 0, height);
    raw.set(value, 8);
    batch.put('state', key, raw.subarray(0, length));
  }
  const blobs = checked.blobs.flatMap(({ hash, kinds, bytes }) =>
    kinds.map((kind) => {
      batch.put(kind, hash, bytes);
      return { kind, hash };
    }),
  );
  return {
    ...checked.place,
    index: chunk.index,
    root: checked.root,
    hash: checked.hash,
    entries: chunk.entries.length,
    bytes: checked.bytes,
    // One column per blob is enough for serving it.
    blobs: blobs.filter(
      ({ hash }, place) => blobs.findIndex((other) => sameBytes(other.hash, hash)) === place,
    ),
    namingKeys: checked.namingKeys.map((key) => key.slice()),
    batch: batch.finish(),
  };
}
