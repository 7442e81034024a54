import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { NativeChoice, NativeMode } from '../../src/config/native-mode.js';
import type { Column } from '../../src/storage/columns.js';
import { openStore } from '../../src/storage/open-store.js';
import type { Store, StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { NodeParts } from '../support/nodes/node-parts.js';

/** The implementations that every store test runs on. */
export const IMPLEMENTATIONS: readonly { readonly name: string; readonly native: NativeMode }[] = [
  { name: 'RocksDB', native: 'require' },
  { name: 'memory', native: 'off' },
];

/** A directory for one test's stores, which are closed and removed after the test. */
export class TestDirectory {
  readonly path: string;
  /** Messages of the stores to their operator. */
  readonly log: string[] = [];
  /** Implementations that the stores reported as chosen. */
  readonly choices: NativeChoice[] = [];
  readonly #opened: Store[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  static async make(t: TestContext): Promise<TestDirectory> {
    const directory = new TestDirectory(await mkdtemp(join(tmpdir(), 'store-test-')));
    t.after(async () => {
      for (const store of directory.#opened) await store.close();
      await rm(directory.path, { recursive: true, force: true });
    });
    return directory;
  }

  async open(native: NativeMode): Promise<Store> {
    const store = await openStore({
      directory: this.path,
      native,
      report: (choice) => this.choices.push(choice),
      log: (message) => this.log.push(message),
    });
    this.#opened.push(store);
    return store;
  }
}

/** An open store that is closed and removed after the test. */
export function temporaryStore(t: TestContext, native: NativeMode): Promise<Store> {
  return NodeParts.for(t).store({ native });
}

export function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString('latin1');
}

/** Sets (a string) and deletes (undefined) keys of a column. */
export function batchOf(column: Column, changes: Readonly<Record<string, string | undefined>>): WriteBatch {
  const batch = new WriteBatch();
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) batch.delete(column, bytes(key));
    else batch.put(column, bytes(key), bytes(value));
  }
  return batch;
}

/** A column's contents in scan order. */
export function contents(reader: StoreReader, column: Column, range = {}): [string, string][] {
  return [...reader.scan(column, range)].map(([key, value]) => [text(key) ?? '', text(value) ?? '']);
}
