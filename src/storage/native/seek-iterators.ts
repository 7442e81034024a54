import type { Column } from '../columns.js';
import type { RocksBinding, RocksColumn, RocksContext, RocksIterator } from './rocksdb-binding.js';

interface OpenIterator {
  readonly iterator: RocksIterator;
  /** The database's sequence number when the iterator, a snapshot, was created. */
  readonly sequence: number;
}

/**
 * Cached iterators for short scans. Creating one costs several times as much as seeking with it, so one per column is
 * reused until the next write; until then it returns the same entries as a new one. Iterators delay the removal of
 * files and memory, so all are closed at the end of the event loop tick. (Guarded by "readAt half of the heights ago"
 * in bench/store.bench.ts.)
 */
export class SeekIterators {
  readonly #binding: RocksBinding;
  readonly #context: RocksContext;
  readonly #open = new Map<Column, OpenIterator>();
  #release: NodeJS.Immediate | undefined;

  constructor(binding: RocksBinding, context: RocksContext) {
    this.#binding = binding;
    this.#context = context;
  }

  /** Reads up to `count` entries from `gte` on, as key, value, key, value, … */
  read(column: Column, handle: RocksColumn, gte: Uint8Array, count: number): readonly Buffer[] {
    const iterator = this.#current(column, handle);
    this.#binding.iterator_seek(iterator, gte);
    return this.#binding.iterator_nextv_sync(iterator, count).rows;
  }

  /** Closes all iterators. They must not outlive the database. */
  close(): void {
    clearImmediate(this.#release);
    this.#release = undefined;
    for (const { iterator } of this.#open.values()) this.#binding.iterator_close(iterator);
    this.#open.clear();
  }

  #current(column: Column, handle: RocksColumn): RocksIterator {
    const sequence = this.#binding.db_get_latest_sequence(this.#context);
    const kept = this.#open.get(column);
    if (kept?.sequence === sequence) return kept.iterator;
    if (kept !== undefined) {
      this.#open.delete(column);
      this.#binding.iterator_close(kept.iterator);
    }
    const iterator = this.#binding.iterator_init(this.#context, {
      column: handle,
      reverse: false,
      limit: -1,
      fillCache: true,
      asyncIO: false,
      highWaterMarkBytes: 0x7fff_ffff,
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
    });
    // The sequence was read first: a write in between makes this iterator newer than recorded, never older.
    this.#open.set(column, { iterator, sequence });
    this.#release ??= setImmediate(() => this.close());
    return iterator;
  }
}
