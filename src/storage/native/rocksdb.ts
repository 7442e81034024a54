import { readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store, StoreFigures, StoreHandle } from '../store.js';
import { isCorruption, REPAIR, StoreError, storeErrorOf } from '../store-error.js';
import type { WriteBatch } from '../write-batch.js';
import {
  loadRocksBinding,
  type RocksBinding,
  type RocksColumns,
  type RocksContext,
} from './rocksdb-binding.js';
import { DEFAULT_CACHE_BYTES, rocksOpenOptions } from './rocksdb-options.js';
import { RocksReader } from './rocksdb-reader.js';
import { checkSyncedMark } from './synced-mark.js';
import { WriterThread } from './writer-thread.js';

export interface RocksStoreOptions {
  /** Directory of the database; must exist. */
  readonly directory: string;
  /** Block cache size in bytes for all columns together. Default 64 MiB. */
  readonly cacheBytes?: number;
}

interface OpenedRocks {
  readonly directory: string;
  readonly binding: RocksBinding;
  readonly context: RocksContext;
  readonly columns: RocksColumns;
  readonly writer: WriterThread;
}

/**
 * Store on RocksDB. Reads are synchronous; writes run on a separate thread, because the binding writes and syncs on the
 * calling thread.
 *
 * Call `close` only after every worker attached to {@link handle} has ended or stopped reading: closing frees the
 * memory that their reads access.
 */
export class RocksStore extends RocksReader implements Store {
  readonly implementation = '@nxtedition/rocksdb';
  readonly #opened: OpenedRocks;
  readonly handle: StoreHandle;
  #measuring: Promise<number> | undefined;
  #closed = false;

  private constructor(opened: OpenedRocks, handle: bigint) {
    super(opened.binding, opened.context, opened.columns);
    this.#opened = opened;
    this.handle = { kind: 'rocksdb', handle };
  }

  /** Opens or creates a database. @throws {StoreError} `unavailable`, `damaged`, `wrong_format` or `open_failed` */
  static async open({ directory, cacheBytes = DEFAULT_CACHE_BYTES }: RocksStoreOptions): Promise<RocksStore> {
    const binding = loadRocksBinding();
    const context = binding.db_init(directory);
    const options = rocksOpenOptions(!holdsRocksDb(directory), cacheBytes);
    const columns = await new Promise<RocksColumns>((resolve, reject) => {
      binding.db_open(context, options, (error, opened) => {
        if (error === null && opened !== undefined) resolve(opened);
        else reject(openError(directory, error));
      });
    });
    const handle = binding.db_get_handle(context);
    try {
      checkSyncedMark(directory, binding.db_get_latest_sequence(context));
      const writer = await WriterThread.start({ handle, directory });
      return new RocksStore({ directory, binding, context, columns, writer }, handle);
    } catch (cause) {
      await closeDatabase(binding, context);
      if (cause instanceof StoreError) throw cause;
      throw storeErrorOf('open_failed', `cannot start writing to ${directory}`, cause);
    }
  }

  async write(batch: WriteBatch, { sync }: { readonly sync: boolean }): Promise<void> {
    this.#requireOpen();
    return this.#opened.writer.write(batch.finishPieces(), sync);
  }

  sizeBytes(): Promise<number> {
    this.#requireOpen();
    this.#measuring ??= directoryBytes(this.#opened.directory).finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  figures(): StoreFigures {
    this.#requireOpen();
    const { binding, context } = this.#opened;
    const property = (name: string) => Number(binding.db_get_property(context, `rocksdb.${name}`));
    return {
      compactions: property('num-running-compactions'),
      flushes: property('num-running-flushes'),
      writeLimit: property('actual-delayed-write-rate'),
      stopped: property('is-write-stopped'),
      errors: property('background-errors'),
      snapshots: property('num-snapshots'),
    };
  }

  override async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#opened.writer.end();
    await this.#measuring;
    await super.close();
    await closeDatabase(this.#opened.binding, this.#opened.context);
  }

  #requireOpen(): void {
    if (this.#closed) throw new StoreError('closed', 'the store was closed');
  }
}

/** True if the directory holds a database, or remains of a database that must not be overwritten. */
export function holdsRocksDb(directory: string): boolean {
  return readdirSync(directory).some((name) => name === 'CURRENT' || /^\d+\.(sst|log)$/.test(name));
}

/** Total file size; files that compaction removes during the count are taken as zero. */
async function directoryBytes(directory: string): Promise<number> {
  let total = 0;
  for (const name of await readdir(directory)) {
    total += await stat(join(directory, name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return total;
}

function closeDatabase(binding: RocksBinding, context: RocksContext): Promise<void> {
  return new Promise((resolve, reject) => {
    binding.db_close(context, (error) => {
      if (error === null) resolve();
      else reject(storeErrorOf('write_failed', 'closing the database failed', error));
    });
  });
}

function openError(directory: string, error: Error | null): StoreError {
  const message = error?.message ?? 'no reason given';
  // Checked first: corruption messages mention a "block", which matches /lock/.
  if (isCorruption(message)) return damaged(directory, message, error);
  if (/lock/i.test(message)) {
    return storeErrorOf('open_failed', `the database in ${directory} is open in another process`, error);
  }
  if (/column famil/i.test(message)) {
    const what = `the database in ${directory} was created by another version of this program`;
    return storeErrorOf('wrong_format', what, error);
  }
  if (/does not exist|no such file/i.test(message)) return damaged(directory, message, error);
  return storeErrorOf('open_failed', `cannot open the database in ${directory}`, error ?? message);
}

function damaged(directory: string, message: string, cause: Error | null): StoreError {
  return new StoreError(
    'damaged',
    `the database in ${directory} is damaged: ${message}. Nothing was changed. ${REPAIR}`,
    { cause },
  );
}
