// Flips one bit of a database file: a read must return the written value or report that the database is damaged.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../src/load/workload.js';
import { COLUMNS, type Column } from '../../src/storage/columns.js';
import { openStore } from '../../src/storage/open-store.js';
import type { Entry, Store } from '../../src/storage/store.js';
import { StoreError } from '../../src/storage/store-error.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { sweep } from '../support/sweep.js';

const ENTRIES = 200;

const hashOf = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest());
const open = (directory: string): Promise<Store> =>
  openStore({ directory, native: 'require', report: () => undefined, cacheBytes: 1 << 20 });

async function fill(directory: string): Promise<void> {
  const store = await open(directory);
  for (const column of COLUMNS) {
    const batch = new WriteBatch();
    for (let i = 0; i < ENTRIES; i++) batch.put(column, hashOf(column + i), hashOf(`value ${i}`));
    await store.write(batch, { sync: true });
  }
  await store.close();
  // The next start moves the log into files.
  await (await open(directory)).close();
}

const keysOf = (column: Column): Uint8Array[] =>
  Array.from({ length: ENTRIES }, (_, i) => hashOf(column + i));

/** All ways to read a column. */
const WAYS: Readonly<Record<string, (store: Store, column: Column) => Iterable<Uint8Array | undefined>>> = {
  scan: (store, column) => parts(store.scan(column, {})),
  'scan backwards': (store, column) => parts(store.scan(column, { reverse: true })),
  get: (store, column) => keysOf(column).map((key) => store.get(column, key)),
  'get many': (store, column) => store.getMany(column, keysOf(column)),
  seek: (store, column) => keysOf(column).flatMap((gte) => [...parts(store.scan(column, { gte, limit: 2 }))]),
};

function parts(entries: Iterable<Entry>): Uint8Array[] {
  return [...entries].flat();
}

/** Results of every read of every column, or its error code. */
function readAll(store: Store): Map<string, string> {
  const all = new Map<string, string>();
  for (const column of COLUMNS) {
    for (const [way, read] of Object.entries(WAYS)) {
      let came: string;
      try {
        const hash = createHash('sha256');
        for (const bytes of read(store, column)) hash.update(bytes ?? 'nothing');
        came = hash.digest('hex');
      } catch (error) {
        came = codeOf(error);
      }
      all.set(`${way} of ${column}`, came);
    }
  }
  return all;
}

function codeOf(error: unknown): string {
  assert.ok(error instanceof StoreError, String(error));
  if (error.code === 'damaged') assert.match(error.message, /Restore the data directory from a snapshot/);
  return `${error.code}: ${error.message}`;
}

test('a read of a file with a flipped bit returns the written value or names the damage', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flipped-'));
  const random = seededRandom(5);
  try {
    const whole = join(directory, 'whole');
    await fill(whole);
    const sound = await open(whole);
    const written = readAll(sound);
    await sound.close();
    const files = readdirSync(whole).filter((name) => name.endsWith('.sst'));
    assert.ok(files.length >= COLUMNS.length, `${files.length} files`);
    const seen = { atStart: 0, inReads: 0 };
    for (let flip = 0; flip < files.length * Math.min(sweep(1), 4); flip++) {
      const copy = join(directory, 'copy');
      cpSync(whole, copy, { recursive: true });
      const path = join(copy, files[flip % files.length] ?? assert.fail());
      const bytes = readFileSync(path);
      // The first flip of each file hits any byte; later ones hit its last 1,500 bytes: index, properties, footer.
      const tail = flip < files.length ? bytes.length : Math.min(bytes.length, 1_500);
      const at = bytes.length - 1 - Math.floor(random() * tail);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(path, bytes);
      try {
        const store = await open(copy);
        for (const [what, came] of readAll(store)) {
          if (came === written.get(what)) continue;
          assert.match(came, /^damaged: /, `${what}, bit at ${at} of ${bytes.length}`);
          seen.inReads++;
        }
        await store.close();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        assert.match(codeOf(error), /^damaged: /, `bit at ${at} of ${bytes.length}`);
        seen.atStart++;
      }
      rmSync(copy, { recursive: true });
    }
    assert.ok(seen.atStart > 0 && seen.inReads > 0, JSON.stringify(seen));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
