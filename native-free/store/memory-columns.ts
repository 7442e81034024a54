import { COLUMNS, type Column } from '../../src/storage/columns.js';
import { forEachOperation, type OperationVisitor, WriteBatch } from '../../src/storage/write-batch.js';
import { asBuffer, SortedColumn } from './sorted-column.js';

/** Size limits of one batch of {@link MemoryColumns.batches}: about 2 ms of work. */
const PORTION_BYTES = 256 * 1024;
const PORTION_ENTRIES = 2048;

/** All columns of the memory store, and how an encoded batch changes them. */
export class MemoryColumns {
  readonly #columns: Readonly<Record<Column, SortedColumn>>;
  /** Approximate number of logged bytes that no longer contribute to the contents. */
  garbageBytes = 0;
  readonly #visitor: OperationVisitor = {
    put: (column, key, value) => {
      // An overwritten value is assumed to be as long as the new one: this only decides when to compact.
      if (!this.#columns[column].put(key, value)) this.garbageBytes += key.length + value.length;
    },
    delete: (column, key) => {
      const removed = this.#columns[column].delete(key);
      this.garbageBytes += removed === undefined ? key.length : 2 * key.length + removed;
    },
  };

  constructor(columns = mapColumns(() => new SortedColumn())) {
    this.#columns = columns;
  }

  column(column: Column): SortedColumn {
    return this.#columns[column];
  }

  /**
   * Applies an encoded batch, copying keys and values.
   * @throws {StoreError} `invalid_batch`; the operations before the invalid one are applied.
   */
  apply(encoded: Uint8Array): void {
    forEachOperation(asBuffer(encoded), this.#visitor);
  }

  /** A snapshot of all columns, unaffected by later batches. Takes constant time. */
  snapshot(): MemoryColumns {
    return new MemoryColumns(mapColumns((column) => this.#columns[column].snapshot()));
  }

  /** Splits the contents into small batches. */
  *batches(): IterableIterator<WriteBatch> {
    let batch = new WriteBatch();
    for (const column of COLUMNS) {
      for (const [key, value] of this.#columns[column].scan({})) {
        batch.put(column, key, value);
        if (batch.byteLength < PORTION_BYTES && batch.count < PORTION_ENTRIES) continue;
        yield batch;
        batch = new WriteBatch();
      }
    }
    if (batch.count > 0) yield batch;
  }
}

function mapColumns(make: (column: Column) => SortedColumn): Record<Column, SortedColumn> {
  return Object.fromEntries(COLUMNS.map((column) => [column, make(column)])) as Record<Column, SortedColumn>;
}
