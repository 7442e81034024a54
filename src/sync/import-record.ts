import { sameBytes } from '../base/same-bytes.js';
import { deleteImportMarker, writeImportMarker } from '../chain/import-marker.js';
import type { GetLightSnapshotResult, SubtreeProof } from '../generated/node-rpc-v1.js';
import { decodeStoredChunk, encodeStoredChunk } from '../ledger/checkpoint-store.js';
import type { ChunkSummary } from '../proofs/snapshot/cut.js';
import { type SubtreePosition, subtreeEnd } from '../proofs/snapshot/subtree.js';
import type { Column } from '../storage/columns.js';
import type { Store, StoreReader } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';

/*
 * An import in progress, in column `checkpoints`:
 *
 *   'i'                              → borsh(GetLightSnapshotResult)
 *   'p' ‖ prefix32 ‖ be16(depth)     → u32le(index) ‖ u32le(entries) ‖ u64le(bytes) ‖ root32 ‖ stored chunk of a checkpoint
 *   'n' ‖ key32                      → 1: the entry may be a contract's record
 */

const PLACE = 'p'.charCodeAt(0);
const NAMING = 'n'.charCodeAt(0);
const PLACE_KEY_BYTES = 1 + 32 + 2;
const FIXED_BYTES = 4 + 4 + 8 + 32;

/** Columns that an unfinished import may have written. */
const COLUMNS: readonly Column[] = ['state', 'code', 'idl', 'tree'];
const KEYS_PER_BATCH = 10_000;

/** A chunk that has been checked and stored, with its index in the snapshot. */
export interface AcceptedChunk extends ChunkSummary {
  readonly index: number;
}

/** Removes an import's marker and record, as part of a batch. */
export function clearImport(batch: WriteBatch, store: StoreReader): void {
  deleteImportMarker(batch);
  for (const prefix of [PLACE, NAMING]) {
    for (const [key] of store.scan('checkpoints', under(prefix))) batch.delete('checkpoints', key);
  }
}

/**
 * Removes an unfinished import from a store without a chain. The import's record goes first, so that after an
 * interruption the rest counts as leftover data and is removed next time.
 */
export async function removeImport(store: Store): Promise<void> {
  const record = new WriteBatch();
  clearImport(record, store);
  await store.write(record, { sync: true });
  for (const column of COLUMNS) await clearColumn(store, column);
}

async function clearColumn(store: Store, column: Column): Promise<void> {
  for (;;) {
    const batch = new WriteBatch();
    for (const [key] of store.scan(column, { limit: KEYS_PER_BATCH })) batch.delete(column, key);
    if (batch.count === 0) return;
    await store.write(batch, { sync: false });
  }
}

/** Record of a snapshot's chunks in the store. */
export class ImportRecord {
  readonly #store: StoreReader;
  /** Ascending by prefix, without overlaps. */
  readonly #chunks: AcceptedChunk[];

  private constructor(store: StoreReader, chunks: AcceptedChunk[]) {
    this.#store = store;
    this.#chunks = chunks;
  }

  /** Opens the record of an import with this head, new or unfinished. */
  static async open(store: Store, light: GetLightSnapshotResult): Promise<ImportRecord> {
    const batch = new WriteBatch();
    writeImportMarker(batch, light);
    await store.write(batch, { sync: false });
    const chunks = Array.from(store.scan('checkpoints', under(PLACE)), ([key, value]) => decode(key, value));
    return new ImportRecord(store, chunks);
  }

  /** From left to right. */
  get chunks(): Iterable<AcceptedChunk> {
    return this.#chunks;
  }

  get size(): number {
    return this.#chunks.length;
  }

  at(place: SubtreePosition): AcceptedChunk | undefined {
    return this.#chunks.find((chunk) => isSame(chunk, place));
  }

  /** Chunks at other positions that contain this one or are inside it. */
  overlapping(place: SubtreePosition): AcceptedChunk[] {
    return this.#chunks.filter((chunk) => !isSame(chunk, place) && overlaps(chunk, place));
  }

  withIndex(index: number): AcceptedChunk[] {
    return this.#chunks.filter((chunk) => chunk.index === index);
  }

  /** Records a chunk in the batch that writes it, replacing any at the same position. */
  put(
    batch: WriteBatch,
    chunk: AcceptedChunk & { readonly proof: SubtreeProof; readonly namingKeys: readonly Uint8Array[] },
  ): void {
    batch.put('checkpoints', placeKey(chunk), encode(chunk));
    for (const key of chunk.namingKeys) batch.put('checkpoints', namingKey(key), Uint8Array.of(1));
    const { prefix, depth, index, root, hash, entries, bytes, blobs } = chunk;
    const kept = { prefix, depth, index, root, hash, entries, bytes, blobs };
    const at = this.#chunks.findIndex((other) => Buffer.compare(other.prefix, prefix) >= 0);
    const place = at < 0 ? this.#chunks.length : at;
    const replaced = this.#chunks[place];
    this.#chunks.splice(place, replaced !== undefined && isSame(replaced, chunk) ? 1 : 0, kept);
  }

  /** Removes the record of a chunk; keys that may name contracts are kept. */
  remove(batch: WriteBatch, chunk: AcceptedChunk): void {
    batch.delete('checkpoints', placeKey(chunk));
    const at = this.#chunks.indexOf(chunk);
    if (at >= 0) this.#chunks.splice(at, 1);
  }

  /** Keys of entries that may be contract records. */
  *namingKeys(): IterableIterator<Uint8Array> {
    for (const [key] of this.#store.scan('checkpoints', under(NAMING))) yield key.subarray(1);
  }
}

function isSame(a: SubtreePosition, b: SubtreePosition): boolean {
  return a.depth === b.depth && sameBytes(a.prefix, b.prefix);
}

function overlaps(a: SubtreePosition, b: SubtreePosition): boolean {
  const [left, right] = Buffer.compare(a.prefix, b.prefix) <= 0 ? [a, b] : [b, a];
  const end = subtreeEnd(left);
  return end === undefined || Buffer.compare(right.prefix, end) < 0;
}

function under(prefix: number): { readonly gte: Uint8Array; readonly lt: Uint8Array } {
  return { gte: Uint8Array.of(prefix), lt: Uint8Array.of(prefix + 1) };
}

function placeKey({ prefix, depth }: SubtreePosition): Uint8Array {
  const key = new Uint8Array(PLACE_KEY_BYTES);
  key[0] = PLACE;
  key.set(prefix, 1);
  new DataView(key.buffer).setUint16(33, depth);
  return key;
}

function namingKey(key: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(NAMING), key]);
}

function encode(chunk: AcceptedChunk & { readonly proof: SubtreeProof }): Uint8Array {
  const fixed = new Uint8Array(FIXED_BYTES);
  const view = new DataView(fixed.buffer);
  view.setUint32(0, chunk.index, true);
  view.setUint32(4, chunk.entries, true);
  view.setBigUint64(8, BigInt(chunk.bytes), true);
  fixed.set(chunk.root, 16);
  return Buffer.concat([fixed, encodeStoredChunk(chunk)]);
}

function decode(key: Uint8Array, value: Uint8Array): AcceptedChunk {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const { hash, blobs } = decodeStoredChunk(value.subarray(FIXED_BYTES));
  return {
    prefix: key.slice(1, 33),
    depth: new DataView(key.buffer, key.byteOffset).getUint16(33),
    index: view.getUint32(0, true),
    entries: view.getUint32(4, true),
    bytes: Number(view.getBigUint64(8, true)),
    root: value.slice(16, FIXED_BYTES),
    hash,
    blobs,
  };
}
