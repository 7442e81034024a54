// Reads a chunk of a small state whose range holds a long history of created and removed slots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerChunkSlice,
  readSlicedChunk,
  type SnapshotChunkRead,
} from '../../src/execution/sliced-chunk.js';
import { putCheckpoint } from '../../src/ledger/checkpoint-store.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { cutState, stateAt, summarizeChunks } from '../../src/proofs/snapshot/cut.js';
import { readStoredChunk } from '../../src/proofs/snapshot/stored-chunk.js';
import type { Column } from '../../src/storage/columns.js';
import { appendStateChanges, type StateChange } from '../../src/storage/state.js';
import type { Entry, ScanRange, Store, StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { HASHES } from '../proofs/snapshot/snapshot-model.js';
import { temporaryStore } from '../storage/stores.js';
import { randomSource } from '../support/random-source.js';
import { perTier } from '../support/sweep.js';

const CHECKPOINT = 1n;
const SLOTS = perTier(20_000, 60_000);
/** One scan portion plus the entries of one key. */
const MAX_LOOKED = 4_096 + 32;

/** A reader that counts the entries returned by scans. */
class CountingReader implements StoreReader {
  readonly #store: StoreReader;
  readonly counts = { state: 0, history: 0 };

  constructor(store: StoreReader) {
    this.#store = store;
  }

  get(column: Column, key: Uint8Array): Uint8Array | undefined {
    return this.#store.get(column, key);
  }

  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    return this.#store.getMany(column, keys);
  }

  *scan(column: Column, range: ScanRange): IterableIterator<Entry> {
    for (const entry of this.#store.scan(column, range)) {
      if (column === 'state' || column === 'history') this.counts[column]++;
      yield entry;
    }
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

async function commit(store: Store, height: bigint, changes: readonly StateChange[]): Promise<void> {
  const batch = new WriteBatch();
  appendStateChanges(batch, height, changes);
  await store.write(batch, { sync: false });
}

test('each read of a chunk looks at a bounded part of the history of removed slots', async (t) => {
  const store = await temporaryStore(t, 'auto');
  const random = randomSource(1);
  const kept = Array.from({ length: 500 }, () => ({ key: random.bytes(32), value: random.bytes(60) }));
  await commit(
    store,
    CHECKPOINT,
    kept.map(({ key, value }) => ({ key, previous: undefined, value })),
  );
  const cut = summarizeChunks(
    HASHES,
    [...cutState(stateAt(store, HASHES, CHECKPOINT))].map((chunk) => ({
      ...chunk,
      entries: chunk.entries.length,
      blobs: [],
    })),
  );
  const batch = new WriteBatch();
  const descriptor = {
    height: CHECKPOINT,
    block_hash: new Uint8Array(32),
    state_root: cut.stateRoot,
    history_root: new Uint8Array(32),
    entries: cut.entries,
    bytes: cut.bytes,
    chunk_count: cut.chunks.length,
    chunks_root: cut.chunksRoot,
    created_ms: 0n,
  };
  putCheckpoint(batch, descriptor, cut.chunks);
  await store.write(batch, { sync: false });
  const slots = Array.from({ length: SLOTS }, () => random.bytes(32));
  const value = new Uint8Array(1);
  await commit(
    store,
    2n,
    slots.map((key) => ({ key, previous: undefined, value })),
  );
  await commit(store, 3n, [
    ...slots.map((key) => ({ key, previous: store.get('state', key), value: undefined })),
    // Half of the chunk's slots come from the history, half from the current state.
    ...kept.slice(0, 250).map(({ key }) => ({ key, previous: store.get('state', key), value: undefined })),
  ]);

  const counting = new CountingReader(store);
  let reads = 0;
  const request: SnapshotChunkRead = { kind: 'snapshot_chunk', height: CHECKPOINT, index: 0, last: true };
  const json = await readSlicedChunk(request, async (slice) => {
    const before = { ...counting.counts };
    const answer = answerChunkSlice(counting, slice, 0);
    reads++;
    const looked = counting.counts.history - before.history;
    assert.ok(looked <= MAX_LOOKED, `a read looked at ${looked} entries of the history`);
    return answer;
  });
  assert.ok(reads >= SLOTS / MAX_LOOKED, `${reads} reads`);
  const whole = readStoredChunk(store, CHECKPOINT, 0);
  assert.equal(whole?.entries.length, kept.length);
  const { hash: chunk_hash, ...rest } = whole;
  assert.equal(
    json,
    rpcTypes.GetSnapshotChunkResult.toJson({ ...rest, height: CHECKPOINT, index: 0, chunk_hash, last: true }),
  );
});
