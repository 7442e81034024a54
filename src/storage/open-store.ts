import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_FILE } from '../../native-free/store/log-writer.js';
import { MemoryReader } from '../../native-free/store/memory-reader.js';
import { MemoryStore } from '../../native-free/store/memory-store.js';
import { NATIVE_OFF, type NativeMode, type NativeReport } from '../config/native-mode.js';
import { BaseReader } from './fork-base/base-reader.js';
import { readerOnBase } from './fork-base/store-on-base.js';
import { holdsRocksDb, RocksStore } from './native/rocksdb.js';
import { loadRocksBinding } from './native/rocksdb-binding.js';
import { RocksReader } from './native/rocksdb-reader.js';
import type { Store, StoreHandle, StoreReader } from './store.js';
import { StoreError, storeErrorOf } from './store-error.js';

export interface OpenStoreOptions {
  /** The store's directory; created (mode 0700) if missing. */
  readonly directory: string;
  /** Which implementation to use. With `auto`, existing data is opened by the implementation that created it. */
  readonly native: NativeMode;
  readonly report: NativeReport;
  /** Block cache size in bytes for all columns together, if the implementation has one. */
  readonly cacheBytes?: number;
  /** Called with notices that need no immediate action by the operator, such as a tail cut off after a crash. */
  readonly log?: (message: string) => void;
}

/**
 * Opens the store in a directory, or creates an empty one. Only one process may open it at a time (see
 * data-directory.ts).
 * @throws {StoreError} `damaged`, `wrong_format` if another implementation or version created the directory,
 *   `unavailable` if the required implementation cannot be loaded, `open_failed`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { directory, native, report } = options;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw storeErrorOf('open_failed', `cannot create the store directory ${directory}`, cause);
  }
  const choice = chooseStore(directory, native);
  const store = choice.native ? await RocksStore.open(options) : await MemoryStore.open(options);
  report({ part: 'store', implementation: store.implementation, ...choice });
  return store;
}

/**
 * Opens a worker's reader of a store that is open on the main thread of the same process. The owner must close the
 * store after all readers have ended.
 * @throws {StoreError} if this thread cannot read the store.
 */
export function openReader(handle: StoreHandle): StoreReader {
  const reader =
    handle.kind === 'rocksdb'
      ? RocksReader.attach(loadRocksBinding(), handle.handle)
      : new MemoryReader(handle.path, handle.committed);
  const { base } = handle;
  if (base === undefined) return reader;
  return readerOnBase(reader, new BaseReader(openReader(base.cache), base.mailboxes));
}

type StoreChoice = { readonly native: true } | { readonly native: false; readonly reason: string };

/**
 * Chooses the implementation for a directory, which may be missing. Changes nothing, and does not load RocksDB if the
 * mode and the directory already determine the choice.
 * @throws {StoreError} `wrong_format` if the mode excludes the implementation that created the directory, or if the
 *   directory holds the data of both
 */
export function chooseStore(directory: string, mode: NativeMode): StoreChoice {
  const rocks = existsSync(directory) && holdsRocksDb(directory);
  const memory = existsSync(join(directory, LOG_FILE));
  if (rocks && memory) {
    throw new StoreError(
      'wrong_format',
      `${directory} holds both a RocksDB database and ${LOG_FILE}: expected only one of them. Move the outdated one away`,
    );
  }
  switch (mode) {
    case 'off':
      if (rocks) throw madeByOther(directory, 'RocksDB', '--native off', 'auto or require');
      return { native: false, reason: NATIVE_OFF };
    case 'require':
      if (memory)
        throw madeByOther(directory, 'the store without native parts', '--native require', 'auto or off');
      return { native: true };
    case 'auto':
      if (rocks) return { native: true };
      if (memory) return { native: false, reason: `${directory} was made by the store without native parts` };
      return whereItLoads();
  }
}

function whereItLoads(): StoreChoice {
  try {
    loadRocksBinding();
    return { native: true };
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.code !== 'unavailable') throw cause;
    return { native: false, reason: cause.message };
  }
}

function madeByOther(directory: string, maker: string, asked: string, instead: string): StoreError {
  return new StoreError(
    'wrong_format',
    `${directory} was made by ${maker}, which ${asked} cannot open: start with --native ${instead}, or with another directory`,
  );
}
