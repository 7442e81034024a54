import type { Sha256 } from '../../crypto/crypto.js';
import type { StateEntry, SubtreePosition } from './subtree.js';

export interface ChunkContents extends SubtreePosition {
  /** Ascending by key. */
  readonly entries: readonly StateEntry[];
  readonly blobs: readonly Uint8Array[];
}

/** sha256(borsh of prefix, depth, entries, blobs), 32 bytes. */
export function chunkHash(hashes: Sha256, chunk: ChunkContents): Uint8Array {
  return hashes.sha256(encodeContents(chunk));
}

// Hot path: every byte of a snapshot is copied here (bench/snapshot.bench.ts).
function encodeContents({ prefix, depth, entries, blobs }: ChunkContents): Uint8Array {
  let length = 32 + 2 + 4 + 4;
  for (const { value } of entries) length += 32 + 4 + value.length;
  for (const blob of blobs) length += 4 + blob.length;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(prefix);
  view.setUint16(32, depth, true);
  view.setUint32(34, entries.length, true);
  let at = 38;
  const putBytes = (value: Uint8Array) => {
    view.setUint32(at, value.length, true);
    bytes.set(value, at + 4);
    at += 4 + value.length;
  };
  for (const { key, value } of entries) {
    bytes.set(key, at);
    at += 32;
    putBytes(value);
  }
  view.setUint32(at, blobs.length, true);
  at += 4;
  for (const blob of blobs) putBytes(blob);
  return bytes;
}
