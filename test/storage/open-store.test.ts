import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../src/storage/open-store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { batchOf, bytes, contents, TestDirectory, text } from './stores.js';

async function withRocks(t: Parameters<typeof TestDirectory.make>[0]): Promise<TestDirectory> {
  const directory = await TestDirectory.make(t);
  const store = await directory.open('require');
  await store.write(batchOf('meta', { maker: 'rocks' }), { sync: true });
  await store.close();
  return directory;
}

async function withMemory(t: Parameters<typeof TestDirectory.make>[0]): Promise<TestDirectory> {
  const directory = await TestDirectory.make(t);
  const store = await directory.open('off');
  await store.write(batchOf('meta', { maker: 'memory' }), { sync: true });
  await store.close();
  return directory;
}

describe('opening a store', () => {
  it('takes the native store for a new directory and reports it', async (t) => {
    const directory = await TestDirectory.make(t);
    await directory.open('auto');
    assert.deepEqual(directory.choices, [
      { part: 'store', implementation: '@nxtedition/rocksdb', native: true },
    ]);
  });

  it('with auto opens a directory by the implementation that made it', async (t) => {
    const rocks = await withRocks(t);
    assert.equal(text((await rocks.open('auto')).get('meta', bytes('maker'))), 'rocks');
    const memory = await withMemory(t);
    assert.equal(text((await memory.open('auto')).get('meta', bytes('maker'))), 'memory');
    const choice = memory.choices.at(-1);
    assert.equal(choice?.native, false);
    assert.match(choice?.reason ?? '', /was made by the store without native parts/);
  });

  it('refuses a directory of the other implementation and says how to open it', async (t) => {
    const rocks = await withRocks(t);
    await assert.rejects(rocks.open('off'), {
      code: 'wrong_format',
      message: /made by RocksDB.*--native auto or require/,
    });
    const memory = await withMemory(t);
    await assert.rejects(memory.open('require'), { code: 'wrong_format', message: /--native auto or off/ });
    await writeFile(join(memory.path, 'CURRENT'), 'MANIFEST-000001\n');
    await assert.rejects(memory.open('auto'), {
      code: 'wrong_format',
      message: /both a RocksDB database and store.log/,
    });
  });

  it('reports a path that cannot be a directory', async (t) => {
    const directory = await withMemory(t);
    const below = join(directory.path, 'store.log', 'store');
    await assert.rejects(
      openStore({ directory: below, native: 'auto', report: () => assert.fail('it opened') }),
      {
        name: 'StoreError',
        code: 'open_failed',
        message: /ENOTDIR/,
      },
    );
  });
});

describe('a damaged RocksDB database', () => {
  it('is reported when its CURRENT file is lost, and not created again', async (t) => {
    const directory = await withRocks(t);
    await rm(join(directory.path, 'CURRENT'));
    const before = readdirSync(directory.path).filter((name) => /sst|log$|MANIFEST/.test(name));
    await assert.rejects(directory.open('auto'), {
      name: 'StoreError',
      code: 'damaged',
      message: /CURRENT|does not exist/,
    });
    assert.deepEqual(
      readdirSync(directory.path).filter((name) => /sst|log$|MANIFEST/.test(name)),
      before,
    );
  });

  it('is reported when its write-ahead log lost acknowledged writes, until the operator accepts the loss', async (t) => {
    const directory = await TestDirectory.make(t);
    const store = await directory.open('require');
    for (let i = 0; i < 20; i++)
      await store.write(batchOf('meta', { [`key ${i}`]: 'x'.repeat(1000) }), { sync: true });
    await store.close();
    const [log = assert.fail('no log')] = readdirSync(directory.path).filter((name) => name.endsWith('.log'));
    const file = await open(join(directory.path, log), 'r+');
    await file.write(new Uint8Array(10).fill(0xee), 0, 10, 10_000);
    await file.close();
    await assert.rejects(directory.open('require'), {
      code: 'damaged',
      message: /lost its last 1\d operations.*SYNCED/,
    });
    await rm(join(directory.path, 'SYNCED'));
    const rest = contents(await directory.open('require'), 'meta').length;
    assert.ok(rest > 5 && rest < 12, `${rest} keys are left`);
  });

  it('is reported when a table is missing', async (t) => {
    const directory = await withRocks(t);
    await (await directory.open('require')).close();
    const table =
      readdirSync(directory.path).find((name) => name.endsWith('.sst')) ?? assert.fail('no table');
    await rm(join(directory.path, table));
    await assert.rejects(directory.open('require'), { code: 'damaged', message: new RegExp(table) });
  });

  it('is reported when a read meets a damaged block', async (t) => {
    const directory = await TestDirectory.make(t);
    const store = await directory.open('require');
    const batch = new WriteBatch();
    for (let i = 0; i < 2000; i++) batch.put('bodies', bytes(`key ${i}`), new Uint8Array(1000).fill(i));
    await store.write(batch, { sync: true });
    await store.close();
    await (await directory.open('require')).close();
    for (const name of readdirSync(directory.path).filter((file) => file.endsWith('.sst'))) {
      const file = await open(join(directory.path, name), 'r+');
      if ((await file.stat()).size > 100_000)
        await file.write(new Uint8Array(20_000).fill(0xee), 0, 20_000, 20_000);
      await file.close();
    }
    const damaged = await directory.open('require');
    assert.throws(() => [...damaged.scan('bodies', {})], {
      name: 'StoreError',
      code: 'damaged',
      message: /"bodies"/,
    });
  });
});
