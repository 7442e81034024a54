import { errorMessage } from '../../base/errors.js';
import { COLUMNS, type Column } from '../columns.js';
import type { Entry, ScanRange, StoreReader } from '../store.js';
import { isCorruption, REPAIR, StoreError, storeErrorOf } from '../store-error.js';
import type {
  RocksBinding,
  RocksColumn,
  RocksColumns,
  RocksContext,
  RocksIterator,
} from './rocksdb-binding.js';

/** Number of entries in the first fetch, small because many scans need only one; grows up to `LARGEST_PORTION`. */
const FIRST_PORTION = 8;
const LARGEST_PORTION = 512;
/** A fetch ends with the entry that exceeds this size. */
const PORTION_BYTES = 1024 * 1024;
/** Scans with at most this limit fill the block cache; longer ones would evict everything else. */
const CACHED_SCAN_LIMIT = 1024;
/** The binding's value for "no limit". */
const UNLIMITED = -1;

export interface ColumnOption {
  readonly column: RocksColumn;
}

/** Synchronous reads of an open RocksDB, on the owner's thread or on one that attached by handle. */
export class RocksReader implements StoreReader {
  readonly #binding: RocksBinding;
  readonly #columns: Readonly<Record<Column, ColumnOption>>;
  #context: RocksContext | undefined;

  constructor(binding: RocksBinding, context: RocksContext, columns: RocksColumns) {
    this.#binding = binding;
    this.#context = context;
    this.#columns = columnOptions(columns);
  }

  /** Attaches to the database that another thread of this process has opened. */
  static attach(binding: RocksBinding, handle: bigint): RocksReader {
    const { context, columns } = attachToHandle(binding, handle);
    return new RocksReader(binding, context, columns);
  }

  get(column: Column, key: Uint8Array): Uint8Array | undefined {
    return this.getMany(column, [key])[0];
  }

  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    const context = this.#requireOpen();
    if (keys.length === 0) return [];
    let rows: (Buffer | undefined | null)[];
    try {
      rows = this.#binding.db_get_many_sync(context, keys, this.#columns[column]);
    } catch (cause) {
      throw readError(column, cause);
    }
    const values: (Uint8Array | undefined)[] = new Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      if (row === null) throw readError(column, 'the database aborted the read');
      values[i] = row === undefined ? undefined : plainBytes(row);
    }
    return values;
  }

  *scan(column: Column, range: ScanRange): IterableIterator<Entry> {
    const context = this.#requireOpen();
    const limit = range.limit ?? Number.POSITIVE_INFINITY;
    if (limit <= 0 || isEmpty(range)) return;
    const iterator = this.#binding.iterator_init(context, {
      column: this.#columns[column].column,
      ...(range.gte === undefined ? {} : { gte: range.gte }),
      ...(range.lt === undefined ? {} : { lt: range.lt }),
      reverse: range.reverse === true,
      limit: Number.isFinite(limit) ? limit : UNLIMITED,
      fillCache: limit <= CACHED_SCAN_LIMIT,
      asyncIO: false,
      highWaterMarkBytes: PORTION_BYTES,
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
    });
    try {
      for (let portion = Math.min(FIRST_PORTION, limit), finished = false; !finished; ) {
        const fetched = this.#nextPortion(column, iterator, portion);
        finished = fetched.finished;
        const { rows } = fetched;
        for (let i = 0; i + 1 < rows.length; i += 2) {
          this.#requireOpen();
          yield [plainBytes(rows[i] as Buffer), plainBytes(rows[i + 1] as Buffer)];
        }
        portion = Math.min(LARGEST_PORTION, portion * 4);
      }
    } finally {
      // Closing the database has already closed its iterators.
      if (this.#context !== undefined) this.#binding.iterator_close(iterator);
    }
  }

  /** Detaches from the database without closing it. Scans in progress throw on their next step. */
  async close(): Promise<void> {
    this.#context = undefined;
  }

  #nextPortion(column: Column, iterator: RocksIterator, count: number) {
    this.#requireOpen();
    try {
      return this.#binding.iterator_nextv_sync(iterator, count);
    } catch (cause) {
      throw readError(column, cause);
    }
  }

  #requireOpen(): RocksContext {
    if (this.#context === undefined) throw new StoreError('closed', 'the store was closed');
    return this.#context;
  }
}

/** Opens this thread's context for a database that is open in this process. */
export function attachToHandle(binding: RocksBinding, handle: bigint) {
  const context = binding.db_init(handle);
  const columns = binding.db_open(context, {}, () => undefined);
  if (!columns) {
    const message = 'the database behind the handle is not open: attach before its owner closes it';
    throw new StoreError('open_failed', message);
  }
  return { context, columns };
}

/** The columns requested in {@link rocksOpenOptions}, as options of the binding's functions. */
export function columnOptions(columns: RocksColumns): Readonly<Record<Column, ColumnOption>> {
  const options = COLUMNS.map((name) => {
    const column = columns[name];
    if (column === undefined) throw new StoreError('wrong_format', `the database has no column "${name}"`);
    return [name, { column }];
  });
  return Object.fromEntries(options) as Record<Column, ColumnOption>;
}

/** Views an unshared Buffer as a plain Uint8Array, without Buffer methods that differ from Uint8Array's. */
function plainBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

function isEmpty({ gte, lt }: ScanRange): boolean {
  return lt !== undefined && Buffer.compare(gte ?? new Uint8Array(0), lt) >= 0;
}

function readError(column: Column, cause: unknown): StoreError {
  const message = errorMessage(cause);
  if (isCorruption(message)) {
    const why = `column "${column}" of the database is damaged: ${message}. ${REPAIR}`;
    return new StoreError('damaged', why, { cause });
  }
  return storeErrorOf('read_failed', `cannot read column "${column}"`, cause);
}
