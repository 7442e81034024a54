import { concatBytes } from '../base/concat-bytes.js';
import type { CheckpointDescriptor, SubtreeProof } from '../generated/node-rpc-v1.js';
import { be64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { MAX_HEIGHT } from './constants.js';
import { packKey } from './position-index.js';
import { rpcTypes } from './rpc-codecs.js';

/*
 * Checkpoints in column `checkpoints`. One batch writes or removes a whole checkpoint.
 *
 *   'd' ‖ be64(height)                  → borsh(CheckpointDescriptor)
 *   'c' ‖ be64(height) ‖ be32(index)    → per chunk: chunk hash32 ‖ u32le(number of blobs) ‖ per blob 'c' (code) or
 *                                         'i' (interface text) and its sha256 ‖ borsh(SubtreeProof)
 *
 * Other first bytes belong to an import in progress (sync/snapshot-import.ts).
 */

const DESCRIPTOR = 'd'.charCodeAt(0);
const CHUNK = 'c'.charCodeAt(0);
const KINDS = { code: 'c'.charCodeAt(0), idl: 'i'.charCodeAt(0) } as const;
const BLOB_BYTES = 33;

export interface StoredChunk {
  readonly proof: SubtreeProof;
  /** chunk_hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** Blobs of the chunk, in order: sha256 and column. */
  readonly blobs: readonly { readonly kind: 'code' | 'idl'; readonly hash: Uint8Array }[];
}

export function putCheckpoint(
  batch: WriteBatch,
  checkpoint: CheckpointDescriptor,
  chunks: readonly StoredChunk[],
): void {
  putDescriptor(batch, checkpoint);
  chunks.forEach((chunk, index) => {
    batch.put('checkpoints', chunkKey(checkpoint.height, index), encodeStoredChunk(chunk));
  });
}

/** Replaces a checkpoint's descriptor, e.g. once its archive exists. */
export function putDescriptor(batch: WriteBatch, checkpoint: CheckpointDescriptor): void {
  batch.put(
    'checkpoints',
    descriptorKey(checkpoint.height),
    rpcTypes.CheckpointDescriptor.encode(checkpoint),
  );
}

export function deleteCheckpoint(batch: WriteBatch, { height, chunk_count }: CheckpointDescriptor): void {
  batch.delete('checkpoints', descriptorKey(height));
  for (let index = 0; index < chunk_count; index++) batch.delete('checkpoints', chunkKey(height, index));
}

/** Reads checkpoints; usable in any thread. */
export class CheckpointReader {
  readonly #store: StoreReader;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  get(height: bigint): CheckpointDescriptor | undefined {
    const value = this.#store.get('checkpoints', descriptorKey(height));
    return value === undefined ? undefined : rpcTypes.CheckpointDescriptor.decode(value);
  }

  /** Checkpoints below a height, by default all, newest first. */
  *before(height = MAX_HEIGHT): IterableIterator<CheckpointDescriptor> {
    const range = { gte: descriptorKey(0n), lt: descriptorKey(height), reverse: true };
    for (const [, value] of this.#store.scan('checkpoints', range)) {
      yield rpcTypes.CheckpointDescriptor.decode(value);
    }
  }

  chunk(height: bigint, index: number): StoredChunk | undefined {
    const value = this.#store.get('checkpoints', chunkKey(height, index));
    return value === undefined ? undefined : decodeStoredChunk(value);
  }
}

function descriptorKey(height: bigint): Uint8Array {
  return Buffer.concat([Uint8Array.of(DESCRIPTOR), be64(height)]);
}

function chunkKey(height: bigint, index: number): Uint8Array {
  return concatBytes([Uint8Array.of(CHUNK), packKey(height, index)]);
}

export function encodeStoredChunk({ proof, hash, blobs }: StoredChunk): Uint8Array {
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, blobs.length, true);
  const names = blobs.flatMap((blob) => [Uint8Array.of(KINDS[blob.kind]), blob.hash]);
  return Buffer.concat([hash, count, ...names, rpcTypes.SubtreeProof.encode(proof)]);
}

export function decodeStoredChunk(value: Uint8Array): StoredChunk {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const count = view.getUint32(32, true);
  const blobs = Array.from({ length: count }, (_, index) => {
    const at = 36 + index * BLOB_BYTES;
    const kind = value[at] === KINDS.code ? ('code' as const) : ('idl' as const);
    return { kind, hash: value.slice(at + 1, at + BLOB_BYTES) };
  });
  const proof = rpcTypes.SubtreeProof.decode(value.subarray(36 + count * BLOB_BYTES));
  return { proof, hash: value.slice(0, 32), blobs };
}
