import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sameBytes } from '../../src/base/same-bytes.js';
import { be64 } from '../../src/storage/big-endian.js';
import type { Column } from '../../src/storage/columns.js';
import { pruneHistory } from '../../src/storage/prune.js';
import {
  appendStateChanges,
  assertReadable,
  changedKeys,
  oldestHeight,
  rawOf,
  readAt,
  readManyAt,
  StateUnavailableError,
  setOldestHeight,
  TIP_KEY,
} from '../../src/storage/state.js';
import type { ScanRange, Store, StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { sweep } from '../support/sweep.js';
import { IMPLEMENTATIONS, TestDirectory, temporaryStore, text } from './stores.js';

const NOT_SYNCED = { sync: false };

/** State key number `n`: groups of four keys differ only in the last byte, so that ranges of keys matter. */
function key(n: number): Uint8Array {
  const bytes = new Uint8Array(32).fill(0xff);
  bytes[0] = n >> 2;
  bytes[31] = 0xfc + (n & 3);
  return bytes;
}

function value(v: number): Uint8Array {
  return new Uint8Array(v % 5).fill(v);
}

/** Commits one block: key number → new value, or null to delete. */
async function commit(
  store: Store,
  height: bigint,
  changes: ReadonlyMap<number, number | null>,
): Promise<void> {
  const batch = new WriteBatch();
  const keys = [...changes.keys()].map(key);
  const previous = store.getMany('state', keys);
  appendStateChanges(
    batch,
    height,
    [...changes.values()].map((v, i) => ({
      key: keys[i] ?? assert.fail(),
      previous: previous[i],
      value: v === null ? undefined : value(v),
    })),
  );
  batch.put('meta', TIP_KEY, be64(height));
  await store.write(batch, NOT_SYNCED);
}

/** Number of keys that blocks write; the keys from here on stay absent. */
const WRITTEN_KEYS = 10;
const KEYS = 13;

/** A step of a random history. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('block' as const),
      /** Heights since the previous block with changes. */
      gap: fc.integer({ min: 1, max: 3 }),
      changes: fc
        .array(
          fc.tuple(
            fc.integer({ min: 0, max: WRITTEN_KEYS - 1 }),
            fc.option(fc.integer({ min: 0, max: 250 })),
          ),
          { maxLength: 6 },
        )
        .map((changes) => new Map(changes)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('prune' as const),
      retention: fc.integer({ min: 0, max: 8 }),
      /** Bounded steps, possibly too few to reach the end: reads must be correct in between, too. */
      rounds: fc.integer({ min: 1, max: 3 }),
      keysARound: fc.integer({ min: 1, max: 7 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'reopen' as const }) },
);

for (const { name, native } of IMPLEMENTATIONS) {
  describe(`state in the ${name} store`, () => {
    it('reads every kept height like a model that keeps every height, and refuses the pruned ones', async (t) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const directory = await TestDirectory.make(t);
          let store = await directory.open(native);
          const model: Map<number, number>[] = [new Map()];
          let oldest = 0n;
          for (const one of steps) {
            switch (one.type) {
              case 'block': {
                const current = new Map(model.at(-1));
                for (let i = 1; i < one.gap; i++) model.push(new Map(current));
                await commit(store, BigInt(model.length), one.changes);
                for (const [k, v] of one.changes) {
                  if (v === null) current.delete(k);
                  else current.set(k, v);
                }
                model.push(current);
                break;
              }
              case 'prune': {
                const line = BigInt(Math.max(0, model.length - 1 - one.retention));
                if (line > oldest) oldest = line;
                for (let round = 0; round < one.rounds; round++)
                  await pruneHistory(store, line, one.keysARound);
                break;
              }
              case 'reopen':
                await store.close();
                store = await directory.open(native);
            }
            checkAgainst(store, model, oldest);
          }
          await pruneToEnd(store, oldest);
          checkAgainst(store, model, oldest);
          const history = [...store.scan('history', {})];
          assert.ok(history.every(([k]) => new DataView(k.buffer, k.byteOffset).getBigUint64(32) > oldest));
          await store.close();
        }),
        { numRuns: native === 'off' ? sweep(6) : sweep(2) },
      );
    });

    it('reads absent keys as quickly as before once the history of many others has been pruned', async (t) => {
      const store = await temporaryStore(t, native);
      const absent = Array.from({ length: 64 }, () => new Uint8Array(randomBytes(32)));
      await commit(store, 1n, new Map([[0, 1]]));
      await commit(store, 2n, new Map([[0, 2]]));
      const micros = (height: bigint): number => {
        let best = Number.POSITIVE_INFINITY;
        for (let round = 0; round < 3; round++) {
          const started = performance.now();
          for (const one of absent) assert.equal(readAt(store, one, height), undefined);
          best = Math.min(best, ((performance.now() - started) * 1_000) / absent.length);
        }
        return best;
      };
      const before = [micros(1n), micros(2n)] as const;
      const slots = Array.from({ length: 5_000 }, () => new Uint8Array(randomBytes(32)));
      for (const [height, value] of [
        [3n, Uint8Array.of(1)],
        [4n, undefined],
      ] as const) {
        const batch = new WriteBatch();
        const previous = store.getMany('state', slots);
        appendStateChanges(
          batch,
          height,
          slots.map((key, place) => ({ key, previous: previous[place], value })),
        );
        batch.put('meta', TIP_KEY, be64(height));
        await store.write(batch, NOT_SYNCED);
      }
      while (!(await pruneHistory(store, 4n)).done);
      await commit(store, 5n, new Map([[0, 3]]));
      for (const [place, height] of [4n, 5n].entries()) {
        const [was = Number.NaN, is] = [before[place], micros(height)];
        assert.ok(is < 20 * was, `${is.toFixed(1)} µs at height ${height}, ${was.toFixed(1)} before`);
      }
    });

    it('keeps the raw entry with its height, and lists the changes of a height in key order', async (t) => {
      const store = await temporaryStore(t, native);
      await commit(
        store,
        4n,
        new Map([
          [7, 3],
          [2, 1],
          [5, null],
        ]),
      );
      const raw = store.get('state', key(7)) ?? assert.fail();
      assert.deepEqual(raw, rawOf(4n, value(3)));
      assert.deepEqual(changedKeys(store, 4n), [key(2), key(7)]);
      assert.deepEqual(changedKeys(store, 5n), []);
      assert.deepEqual(
        [...store.scan('state', {})].map(([k]) => k),
        [key(2), key(7)],
      );
    });

    it('refuses a key that changes twice in a block or is not 32 bytes long', () => {
      const change = { key: key(1), previous: undefined, value: value(1) };
      assert.throws(
        () => appendStateChanges(new WriteBatch(), 1n, [change, change]),
        /changes twice at height 1/,
      );
      assert.throws(
        () => appendStateChanges(new WriteBatch(), 1n, [{ ...change, key: new Uint8Array(31) }]),
        /32 bytes, got 31/,
      );
    });

    it('writes nothing for keys that are absent before and after', () => {
      const batch = new WriteBatch();
      appendStateChanges(batch, 1n, [{ key: key(1), previous: undefined, value: undefined }]);
      assert.equal(batch.count, 0);
    });

    it('drops at most the given number of history entries a step, and says when it is done', async (t) => {
      const store = await temporaryStore(t, native);
      const all = new Map(Array.from({ length: 10 }, (_, i) => [i, 1]));
      for (let height = 1n; height <= 4n; height++) await commit(store, height, all);
      assert.equal([...store.scan('history', {})].length, 30);
      const progress: [boolean, number, number][] = [];
      for (let step = 0; step < 5; step++) {
        const { done, keys } = await pruneHistory(store, 3n, 7);
        progress.push([done, keys, [...store.scan('changes', {})].length]);
        assert.equal(oldestHeight(store), 3n);
      }
      // Height 1 created ten keys; these have no history, but count as work.
      assert.deepEqual(progress, [
        [false, 7, 4],
        [false, 7, 3],
        [false, 7, 2],
        [false, 7, 2],
        [true, 2, 1],
      ]);
      assert.equal([...store.scan('history', {})].length, 10);
      assert.deepEqual(await pruneHistory(store, 2n), { done: true, keys: 0 });
      assert.equal(oldestHeight(store), 3n);
    });

    it('refuses heights before that of the state import', async (t) => {
      const store = await temporaryStore(t, native);
      const batch = new WriteBatch();
      setOldestHeight(batch, 100n);
      await store.write(batch, NOT_SYNCED);
      assertReadable(store, 100n);
      assert.throws(() => assertReadable(store, 99n), {
        code: 'state_unavailable',
        height: 99n,
        oldest: 100n,
      });
      assert.throws(() => readAt(store, key(1), 99n), StateUnavailableError);
      assert.equal(readAt(store, key(1), 100n), undefined);
    });

    it('reads a height correctly while commits and pruning run between the steps of the read', async (t) => {
      const store = await temporaryStore(t, native);
      await commit(
        store,
        1n,
        new Map([
          [0, 1],
          [1, 1],
          [2, 1],
          [4, 1],
        ]),
      );
      const unchanged = freeze(store);
      await commit(
        store,
        2n,
        new Map([
          [1, 2],
          [2, null],
        ]),
      );
      const expected = [0, 1, 2, 3, 4].map((k) => text(readAt(store, key(k), 1n)));
      assert.deepEqual(expected, ['\x01', '\x01', '\x01', undefined, '\x01']);
      // Each reader copies the whole store at each read, one commit later than the previous one.
      const stages: StoreReader[] = [unchanged, freeze(store)];
      const commits: ReadonlyMap<number, number | null>[] = [
        new Map([
          [0, 3],
          [2, 3],
          [3, 3],
          [4, null],
        ]),
        new Map([
          [0, null],
          [2, null],
          [3, null],
          [4, 4],
        ]),
        new Map([
          [0, 5],
          [1, null],
          [2, 5],
          [3, 5],
          [4, null],
        ]),
      ];
      for (const [i, changes] of commits.entries()) {
        await commit(store, BigInt(i + 3), changes);
        stages.push(freeze(store));
      }
      for (let first = 0; first < stages.length; first++) {
        for (let second = first; second < stages.length; second++) {
          for (const k of [0, 1, 2, 3, 4]) {
            const reader = switching(stages[first] ?? assert.fail(), stages[second] ?? assert.fail());
            assert.equal(
              text(readAt(reader, key(k), 1n)),
              expected[k],
              `key ${k}, stages ${first} and ${second}`,
            );
          }
        }
      }
      await pruneToEnd(store, 2n);
      const pruned = freeze(store);
      for (const stage of stages.slice(1)) {
        assert.throws(() => readAt(switching(stage, pruned), key(1), 1n), StateUnavailableError);
      }
    });
  });
}

async function pruneToEnd(store: Store, line: bigint): Promise<void> {
  while (!(await pruneHistory(store, line, 5)).done);
}

function checkAgainst(store: Store, model: readonly ReadonlyMap<number, number>[], oldest: bigint): void {
  assert.equal(oldestHeight(store), oldest);
  const keys = Array.from({ length: KEYS }, (_, k) => key(k));
  for (const [height, state] of model.entries()) {
    if (BigInt(height) < oldest) {
      assert.throws(() => assertReadable(store, BigInt(height)), StateUnavailableError);
      continue;
    }
    const expected = keys.map((_, k) => {
      const v = state.get(k);
      return v === undefined ? undefined : value(v);
    });
    assert.deepEqual(readManyAt(store, keys, BigInt(height)), expected);
    assert.deepEqual(
      keys.map((k) => readAt(store, k, BigInt(height))),
      expected,
    );
  }
  const current = model.at(-1) ?? assert.fail();
  assert.equal([...store.scan('state', {})].length, current.size);
}

/** A copy of a store's current contents. */
function freeze(store: Store): StoreReader {
  const columns: Column[] = ['state', 'history', 'meta'];
  const entries = new Map(columns.map((column) => [column, [...store.scan(column, {})] as const]));
  const get = (column: Column, wanted: Uint8Array): Uint8Array | undefined =>
    entries.get(column)?.find(([k]) => sameBytes(k, wanted))?.[1];
  return {
    get,
    getMany: (column, keys) => keys.map((k) => get(column, k)),
    scan: (column: Column, { gte, lt, limit }: ScanRange) =>
      (entries.get(column) ?? [])
        .filter(([k]) => gte === undefined || Buffer.compare(k, gte) >= 0)
        .filter(([k]) => lt === undefined || Buffer.compare(k, lt) < 0)
        .slice(0, limit)
        .values(),
    close: async () => undefined,
  };
}

/** Answers the first read from one state of the store, all later ones from another. */
function switching(first: StoreReader, later: StoreReader): StoreReader {
  let reads = 0;
  const next = (): StoreReader => (reads++ === 0 ? first : later);
  return {
    get: (column, k) => next().get(column, k),
    getMany: (column, keys) => next().getMany(column, keys),
    scan: (column, range) => next().scan(column, range),
    close: async () => undefined,
  };
}
