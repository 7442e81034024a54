/**
 * Cost of reading the store, from files that the block cache holds. Floors: the same read with the functions of the
 * database's binding, and a Map in memory.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRocksBinding } from '../../src/storage/native/rocksdb-binding.js';
import { attachToHandle, columnOptions } from '../../src/storage/native/rocksdb-reader.js';
import { openStore } from '../../src/storage/open-store.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { measurePairs } from './paired-tasks.js';

const ENTRIES = 50_000;
const KEYS_A_BATCH = 50;

const keys = Array.from({ length: ENTRIES }, () => new Uint8Array(randomBytes(32)));
const batches = Array.from({ length: ENTRIES / KEYS_A_BATCH }, (_, place) =>
  keys.slice(place * KEYS_A_BATCH, (place + 1) * KEYS_A_BATCH),
);
/** Returns the elements in turn. */
function inTurn<T>(all: readonly T[]): () => T {
  let next = 0;
  return () => all[next++ % all.length] as T;
}

async function fill(store: Store): Promise<void> {
  for (const batch of batches) {
    const written = new WriteBatch();
    for (const key of batch) written.put('state', key, new Uint8Array(randomBytes(60)));
    await store.write(written, { sync: false });
  }
}

async function measure(store: Store): Promise<void> {
  const { handle } = store;
  if (handle.kind !== 'rocksdb') throw new Error(`expected RocksDB, got ${store.implementation}`);
  const binding = loadRocksBinding();
  const { context, columns } = attachToHandle(binding, handle.handle);
  const { column } = columnOptions(columns).state;
  const bareGet = (asked: readonly Uint8Array[]) => binding.db_get_many_sync(context, asked, { column });
  const inMemory = new Map(keys.map((key) => [Buffer.from(key).toString('latin1'), key]));
  const mapGet = (key: Uint8Array) =>
    inMemory.get(Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1'));
  const first = (gte: Uint8Array) => {
    const iterator = binding.iterator_init(context, {
      column,
      gte,
      reverse: false,
      limit: 1,
      fillCache: true,
      asyncIO: false,
      highWaterMarkBytes: 0x7fff_ffff,
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
    });
    const fetched = binding.iterator_nextv_sync(iterator, 1);
    binding.iterator_close(iterator);
    return fetched;
  };
  const [key, batch] = [inTurn(keys), inTurn(batches)];
  await measurePairs('reads of the store', 'ns', [
    {
      name: 'get',
      run: () => store.get('state', key()),
      floors: [
        { name: 'binding', run: () => bareGet([key()]) },
        { name: 'Map', run: () => mapGet(key()) },
      ],
    },
    {
      name: 'get of many, a key',
      operations: KEYS_A_BATCH,
      run: () => store.getMany('state', batch()),
      floors: [
        { name: 'binding', operations: KEYS_A_BATCH, run: () => bareGet(batch()) },
        { name: 'Map', operations: KEYS_A_BATCH, run: () => batch().map(mapGet) },
      ],
    },
    {
      name: 'first entry from a key on',
      run: () => {
        for (const entry of store.scan('state', { gte: key(), limit: 1 })) return entry;
        return undefined;
      },
      floors: [{ name: 'binding', run: () => first(key()) }],
    },
  ]);
}

const directory = await mkdtemp(join(tmpdir(), 'heddle-store-reads-'));
const store = await openStore({ directory, native: 'require', report: () => undefined });
try {
  await fill(store);
  await measure(store);
} finally {
  await store.close();
  await rm(directory, { recursive: true, force: true });
}
