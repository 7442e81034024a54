import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { MemoryStore } from '../../native-free/store/memory-store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { batchOf, bytes, contents, TestDirectory } from './stores.js';

const NOT_SYNCED = { sync: false };

interface WrittenLog {
  readonly directory: TestDirectory;
  readonly file: string;
  /** The log's length after zero, one, two and three records. */
  readonly ends: readonly number[];
}

/** A closed store whose log holds three records: a, b and c. */
async function writeLog(t: TestContext): Promise<WrittenLog> {
  const directory = await TestDirectory.make(t);
  const store = await directory.open('off');
  const ends = [await store.sizeBytes()];
  for (const key of ['a', 'b', 'c']) {
    await store.write(batchOf('state', { [key]: key.repeat(50) }), NOT_SYNCED);
    ends.push(await store.sizeBytes());
  }
  await store.close();
  return { directory, file: join(directory.path, 'store.log'), ends };
}

async function flipByte(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = new Uint8Array(1);
  await handle.read(byte, 0, 1, at);
  await handle.write(Uint8Array.of((byte[0] ?? 0) ^ 0x40), 0, 1, at);
  await handle.close();
}

async function keysAfterReopening({ directory }: WrittenLog): Promise<string> {
  const store = await directory.open('off');
  const keys = contents(store, 'state').map(([key]) => key);
  // Writes after the cut must be sound again.
  await store.write(batchOf('state', { z: 'z' }), NOT_SYNCED);
  await store.close();
  const again = await directory.open('off');
  assert.deepEqual(
    contents(again, 'state').map(([key]) => key),
    [...keys, 'z'],
  );
  await again.close();
  return keys.join('');
}

describe('the log of the memory store', () => {
  it('loses only its unfinished last record when it is cut off anywhere in it', async (t) => {
    const { ends } = await writeLog(t);
    const [, , second = 0, third = 0] = ends;
    for (const length of [second + 1, second + 15, second + 16, second + 17, third - 1]) {
      const log = await writeLog(t);
      await truncate(log.file, length);
      assert.equal(await keysAfterReopening(log), 'ab');
      assert.equal(log.directory.log.length, 1);
      assert.match(log.directory.log[0] ?? '', new RegExp(`cut off ${length - second} bytes at ${second}`));
    }
    const whole = await writeLog(t);
    await truncate(whole.file, second);
    assert.equal(await keysAfterReopening(whole), 'ab');
    assert.deepEqual(whole.directory.log, []);
  });

  it('loses a last record whose bytes never reached the disk though its length did', async (t) => {
    const log = await writeLog(t);
    const [, , second = 0, third = 0] = log.ends;
    const contents = await readFile(log.file);
    await writeFile(log.file, contents.fill(0, second + 20, third));
    assert.equal(await keysAfterReopening(log), 'ab');
    const zeros = await writeLog(t);
    await truncate(zeros.file, third + 10_000);
    assert.equal(await keysAfterReopening(zeros), 'abc');
  });

  it('reports damage before the last record with its position, and changes nothing', async (t) => {
    const { ends } = await writeLog(t);
    const [none = 0, first = 0, second = 0] = ends;
    for (const [at, record] of [
      [none + 1, none],
      [none + 5, none],
      [none + 30, none],
      [first, first],
      [first + 13, first],
      [second - 1, first],
    ] as const) {
      const log = await writeLog(t);
      await flipByte(log.file, at);
      const before = await readFile(log.file);
      await assert.rejects(log.directory.open('off'), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'damaged');
        assert.match(error.message, new RegExp(`damaged at byte ${record}: .*Restore the data directory`));
        return true;
      });
      assert.deepEqual(await readFile(log.file), before);
    }
  });

  it('reports a damaged or missing file header', async (t) => {
    for (const [at, code] of [
      [0, 'wrong_format'],
      [9, 'damaged'],
      [45, 'damaged'],
    ] as const) {
      const log = await writeLog(t);
      await flipByte(log.file, at);
      await assert.rejects(log.directory.open('off'), { name: 'StoreError', code });
    }
    const short = await writeLog(t);
    await truncate(short.file, 10);
    await assert.rejects(short.directory.open('off'), { code: 'damaged' });
  });

  it('does not mistake a value that imitates a record for one', async (t) => {
    const log = await writeLog(t);
    const image = await readFile(log.file);
    const store = await log.directory.open('off');
    const batch = new WriteBatch();
    batch.put('bodies', bytes('image'), image);
    await store.write(batch, NOT_SYNCED);
    const end = await store.sizeBytes();
    await store.close();
    await truncate(log.file, end - 1);
    assert.equal(await keysAfterReopening(log), 'abc');
  });

  it('is rewritten once most of it is superseded, and leftovers of an interrupted rewrite are removed', async (t) => {
    const directory = await TestDirectory.make(t);
    await writeFile(join(directory.path, 'store.log.next'), 'left by a crash');
    const store = await MemoryStore.open({ directory: directory.path, compactAboveBytes: 50_000 });
    for (let i = 0; i < 400; i++) {
      await store.write(
        batchOf('state', {
          [`kept ${i}`]: 'x'.repeat(20),
          changing: 'y'.repeat(1000),
          [`gone ${i - 1}`]: undefined,
        }),
        NOT_SYNCED,
      );
      await store.write(batchOf('state', { [`gone ${i}`]: 'z'.repeat(500) }), NOT_SYNCED);
    }
    const expected = contents(store, 'state');
    assert.equal(expected.length, 402);
    const size = await store.sizeBytes();
    assert.ok(size < 200_000, `the log has ${size} bytes`);
    await store.close();
    assert.deepEqual(readdirSync(directory.path), ['store.log']);
    assert.deepEqual(contents(await directory.open('off'), 'state'), expected);
  });
});
