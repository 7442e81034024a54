import { createRequire } from 'node:module';
import { StoreError, storeErrorOf } from '../store-error.js';

/*
 * The functions of `@nxtedition/rocksdb` 12 that the store uses. Its class `RocksLevel` is not used: it adds the
 * queueing and encoding of abstract-level to every call, and its `close` must never run in a worker. Facts from its
 * binding.cc:
 * - `batch_write` runs on the calling thread, fsync included;
 * - values and keys are returned as copies in separate buffers;
 * - a context created from a handle shares the database; `db_close` on any context closes it for all of them;
 * - an iterator is a snapshot and must be closed before the database is;
 * - deleted entries stay until a compaction that the binding cannot ask for. A new iterator, a seek and a step pass over
 *   them one by one, about 0.3 µs each, until an entry that is left or the iterator's bound.
 */
declare const opaque: unique symbol;
/** One thread's access to a database. Garbage collection of the context that opened the database closes it. */
export interface RocksContext {
  readonly [opaque]: 'context';
}
export interface RocksColumn {
  readonly [opaque]: 'column';
}
export interface RocksIterator {
  readonly [opaque]: 'iterator';
}
export interface RocksBatch {
  readonly [opaque]: 'batch';
}

export type RocksColumns = Readonly<Record<string, RocksColumn>>;

export interface RocksColumnOptions {
  readonly compaction: 'level';
  /** Four times the size of one memtable. */
  readonly memtableMemoryBudget: number;
  readonly cacheSize: number;
  readonly cacheIndexAndFilterBlocks: boolean;
  readonly compression: boolean;
  readonly optimize?: 'point-lookup';
}

export interface RocksOpenOptions {
  readonly createIfMissing: boolean;
  readonly parallelism: number;
  readonly walCompression: boolean;
  readonly cacheSize: number;
  readonly columns: Readonly<Record<string, RocksColumnOptions>>;
}

export interface RocksIteratorOptions {
  readonly column: RocksColumn;
  readonly gte?: Uint8Array;
  readonly lt?: Uint8Array;
  readonly reverse: boolean;
  readonly limit: number;
  readonly fillCache: boolean;
  readonly asyncIO: boolean;
  readonly highWaterMarkBytes: number;
  readonly keyEncoding: 'buffer';
  readonly valueEncoding: 'buffer';
}

export interface RocksBinding {
  db_init(locationOrHandle: string | bigint): RocksContext;
  /** Opens the database and calls back, or returns the columns at once if it is open already. */
  db_open(
    context: RocksContext,
    options: RocksOpenOptions | Record<string, never>,
    callback: (error: Error | null, columns?: RocksColumns) => void,
  ): RocksColumns | undefined | 0;
  db_get_handle(context: RocksContext): bigint;
  db_close(context: RocksContext, callback: (error: Error | null) => void): void;
  db_get_many_sync(
    context: RocksContext,
    keys: readonly Uint8Array[],
    options: { readonly column: RocksColumn },
  ): (Buffer | undefined | null)[];
  iterator_init(context: RocksContext, options: RocksIteratorOptions): RocksIterator;
  /** A property of the database, or of its default column: text, empty if unknown. */
  db_get_property(context: RocksContext, property: string): string;
  /** Number of operations that the database has applied. */
  db_get_latest_sequence(context: RocksContext): number;
  iterator_nextv_sync(
    iterator: RocksIterator,
    count: number,
  ): { readonly rows: Buffer[]; readonly finished: boolean };
  iterator_close(iterator: RocksIterator): void;
  batch_init(): RocksBatch;
  batch_put(
    batch: RocksBatch,
    key: Uint8Array,
    value: Uint8Array,
    options: { readonly column: RocksColumn },
  ): void;
  batch_del(batch: RocksBatch, key: Uint8Array, options: { readonly column: RocksColumn }): void;
  batch_clear(batch: RocksBatch): void;
  batch_write(context: RocksContext, batch: RocksBatch, options: { readonly sync: boolean }): void;
}

const USED_FUNCTIONS: readonly (keyof RocksBinding)[] = [
  'db_init',
  'db_open',
  'db_get_handle',
  'db_close',
  'db_get_many_sync',
  'iterator_init',
  'db_get_property',
  'db_get_latest_sequence',
  'iterator_nextv_sync',
  'iterator_close',
  'batch_init',
  'batch_put',
  'batch_del',
  'batch_clear',
  'batch_write',
];

/** @throws {StoreError} `unavailable` if the package is not installed or has no binary for this machine. */
export function loadRocksBinding(): RocksBinding {
  let loaded: Partial<RocksBinding>;
  try {
    loaded = createRequire(import.meta.url)('@nxtedition/rocksdb/binding.js');
  } catch (cause) {
    throw storeErrorOf('unavailable', 'cannot load @nxtedition/rocksdb', cause);
  }
  const missing = USED_FUNCTIONS.filter((name) => typeof loaded[name] !== 'function');
  if (missing.length === 0) return loaded as RocksBinding;
  throw new StoreError(
    'unavailable',
    `this version of @nxtedition/rocksdb lacks ${missing.join(', ')}: install version 12`,
  );
}
