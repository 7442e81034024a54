import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { COLUMNS } from '../../src/storage/columns.js';
import type { ScanRange, Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { hex } from '../support/hex.js';
import { sweep } from '../support/sweep.js';
import { batchOf, bytes, contents, IMPLEMENTATIONS, TestDirectory, temporaryStore, text } from './stores.js';

const NOT_SYNCED = { sync: false };

for (const { name, native } of IMPLEMENTATIONS) {
  describe(`the ${name} store`, () => {
    it('returns written values, and nothing for other keys and columns', async (t) => {
      const store = await temporaryStore(t, native);
      await store.write(batchOf('blocks', { a: 'one', b: '' }), NOT_SYNCED);
      assert.equal(text(store.get('blocks', bytes('a'))), 'one');
      assert.equal(text(store.get('blocks', bytes('b'))), '');
      assert.equal(store.get('blocks', bytes('c')), undefined);
      assert.equal(store.get('bodies', bytes('a')), undefined);
    });

    it('answers many keys in the order asked, including repeated and absent ones', async (t) => {
      const store = await temporaryStore(t, native);
      await store.write(batchOf('state', { a: '1', b: '2', c: '3' }), NOT_SYNCED);
      const answers = store.getMany('state', ['c', 'x', 'a', 'c'].map(bytes));
      assert.deepEqual(answers.map(text), ['3', undefined, '1', '3']);
      assert.deepEqual(store.getMany('state', []), []);
    });

    it('keeps all columns apart in one batch', async (t) => {
      const store = await temporaryStore(t, native);
      const batch = new WriteBatch();
      for (const column of COLUMNS) batch.put(column, bytes('key'), bytes(column));
      await store.write(batch, { sync: true });
      for (const column of COLUMNS) assert.deepEqual(contents(store, column), [['key', column]]);
    });

    it('lets the last operation on a key win within a batch', async (t) => {
      const store = await temporaryStore(t, native);
      const batch = batchOf('meta', { a: 'first', b: 'first', c: 'first' });
      batch.append(batchOf('meta', { a: 'second', b: undefined, d: undefined }).finish());
      batch.append(batchOf('meta', { b: 'third' }).finish());
      await store.write(batch, NOT_SYNCED);
      assert.deepEqual(contents(store, 'meta'), [
        ['a', 'second'],
        ['b', 'third'],
        ['c', 'first'],
      ]);
    });

    it('applies concurrent writes in the order of the calls', async (t) => {
      const store = await temporaryStore(t, native);
      const writes: Promise<void>[] = [];
      for (let i = 0; i < 200; i++) {
        const written = store.write(batchOf('meta', { last: `${i}`, [`k${i}`]: 'x' }), {
          sync: i % 50 === 0,
        });
        writes.push(written.then(() => assert.ok(Number(text(store.get('meta', bytes('last')))) >= i)));
      }
      await Promise.all(writes);
      assert.equal(text(store.get('meta', bytes('last'))), '199');
      assert.equal(contents(store, 'meta').length, 201);
    });

    it('returns bytes that the caller may change', async (t) => {
      const store = await temporaryStore(t, native);
      const long = new Uint8Array(5000).fill(1);
      const batch = batchOf('meta', { short: 'abc' });
      batch.put('meta', bytes('long'), long);
      await store.write(batch, NOT_SYNCED);
      long.fill(9);
      for (const key of ['short', 'long']) {
        const before = store.get('meta', bytes(key)) ?? assert.fail();
        assert.equal(Object.getPrototypeOf(before), Uint8Array.prototype);
        const copy = before.slice();
        before.fill(0);
        for (const [, value] of store.scan('meta', { gte: bytes(key), limit: 1 })) value.fill(0);
        assert.deepEqual(store.get('meta', bytes(key)), copy);
      }
    });

    it('holds large batches and values', async (t) => {
      const store = await temporaryStore(t, native);
      const batch = new WriteBatch();
      const value = new Uint8Array(3_000_000).map((_, i) => i * 7);
      batch.put('bodies', bytes('big'), value);
      for (let i = 0; i < 20_000; i++) batch.put('state', bytes(`k${i}`), bytes(`v${i}`));
      await store.write(batch, { sync: true });
      assert.deepEqual(store.get('bodies', bytes('big')), value);
      assert.equal(contents(store, 'state').length, 20_000);
    });

    it('scans ranges forwards and backwards like a sorted list', async (t) => {
      const store = await temporaryStore(t, native);
      const key = fc.uint8Array({ minLength: 1, maxLength: 3 }).map((k) => k.map((byte) => byte % 7));
      await fc.assert(
        fc.asyncProperty(
          fc.array(key, { maxLength: 300 }),
          fc.record(
            { gte: key, lt: key, reverse: fc.boolean(), limit: fc.integer({ min: 0, max: 150 }) },
            { requiredKeys: [] },
          ),
          async (keys, range) => {
            await fill(store, keys);
            const found = [...store.scan('mmr', range)].map(([found]) => Buffer.from(found).toString('hex'));
            assert.deepEqual(found, expectedScan(keys, range));
          },
        ),
        { numRuns: sweep(15) },
      );
    });

    it('keeps a scan to the entries present when it began', async (t) => {
      const store = await temporaryStore(t, native);
      const before: Record<string, string> = {};
      for (let i = 1000; i < 3000; i++) before[`k${i}`] = 'old';
      await store.write(batchOf('state', before), NOT_SYNCED);
      const seen: string[] = [];
      for (const [key, value] of store.scan('state', {})) {
        if (seen.length === 0) {
          await store.write(
            batchOf('state', { k1500: undefined, k2000: 'new', k1999a: 'new', z: 'new' }),
            NOT_SYNCED,
          );
        }
        seen.push(`${text(key)}=${text(value)}`);
      }
      assert.deepEqual(
        seen,
        Object.keys(before).map((key) => `${key}=old`),
      );
      assert.equal(text(store.get('state', bytes('k2000'))), 'new');
    });

    it('lets a scan be abandoned at any point', async (t) => {
      const store = await temporaryStore(t, native);
      await fill(store, [bytes('a'), bytes('b'), bytes('c')]);
      for (let i = 0; i < 2000; i++) for (const _ of store.scan('mmr', {})) break;
      const halfway = store.scan('mmr', {});
      halfway.next();
      const notBegun = store.scan('mmr', {});
      await store.close();
      assert.throws(() => halfway.next(), { code: 'closed' });
      assert.throws(() => notBegun.next(), { code: 'closed' });
    });

    it('has all its contents after being closed and reopened', async (t) => {
      const directory = await TestDirectory.make(t);
      const store = await directory.open(native);
      await store.write(batchOf('state', { a: '1', b: '2' }), NOT_SYNCED);
      await store.write(batchOf('state', { a: undefined, c: '3' }), NOT_SYNCED);
      await store.close();
      const reopened = await directory.open(native);
      assert.deepEqual(contents(reopened, 'state'), [
        ['b', '2'],
        ['c', '3'],
      ]);
      assert.ok((await reopened.sizeBytes()) > 0);
    });

    it('finishes pending writes before it closes, and refuses work afterwards', async (t) => {
      const directory = await TestDirectory.make(t);
      const store = await directory.open(native);
      const writes = Array.from({ length: 50 }, (_, i) =>
        store.write(batchOf('meta', { [`k${i}`]: 'x' }), { sync: true }),
      );
      await store.close();
      await Promise.all(writes);
      const closed = { name: 'StoreError', code: 'closed' };
      assert.throws(() => store.get('meta', bytes('k1')), closed);
      assert.throws(() => store.getMany('meta', [bytes('k1')]), closed);
      assert.throws(() => store.scan('meta', {}).next(), closed);
      await assert.rejects(store.write(batchOf('meta', { a: '1' }), NOT_SYNCED), closed);
      await store.close();
      assert.equal(contents(await directory.open(native), 'meta').length, 50);
    });

    it('accepts a batch only once', async (t) => {
      const store = await temporaryStore(t, native);
      const batch = batchOf('meta', { a: '1' });
      await store.write(batch, NOT_SYNCED);
      await assert.rejects(store.write(batch, NOT_SYNCED), { code: 'invalid_batch' });
      await store.write(batchOf('meta', { a: '2' }), NOT_SYNCED);
      assert.equal(text(store.get('meta', bytes('a'))), '2');
    });
  });
}

/** Makes the `mmr` column hold exactly these keys. */
async function fill(store: Store, keys: readonly Uint8Array[]): Promise<void> {
  const batch = new WriteBatch();
  for (const [key] of store.scan('mmr', {})) batch.delete('mmr', key);
  for (const key of keys) batch.put('mmr', key, key);
  await store.write(batch, NOT_SYNCED);
}

function expectedScan(keys: readonly Uint8Array[], { gte, lt, reverse, limit }: ScanRange): string[] {
  const sorted = [...new Set(keys.map(hex))].sort();
  const within = sorted.filter((key) => (!gte || key >= hex(gte)) && (!lt || key < hex(lt)));
  return (reverse ? within.reverse() : within).slice(0, limit);
}
