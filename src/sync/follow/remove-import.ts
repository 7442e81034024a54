import type { Column } from '../../storage/columns.js';
import type { Store } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import { clearImport } from '../import-record.js';

/** Columns that an unfinished import may have written. */
const COLUMNS: readonly Column[] = ['state', 'code', 'idl', 'tree'];
/** Number of keys removed per batch. */
const KEYS_PER_BATCH = 10_000;

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
