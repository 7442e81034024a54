import type { Column } from '../../storage/columns.js';
import type { Store } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import { clearImport } from '../import-record.js';

/** What an unfinished import may have written. */
const COLUMNS: readonly Column[] = ['state', 'code', 'idl', 'tree'];
/** Keys removed in one batch. */
const KEYS_PER_BATCH = 10_000;

/**
 * Empties a store without a chain of what an import left. The import's record goes first: what an interruption leaves behind is
 * then nobody's, and removed the next time.
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
