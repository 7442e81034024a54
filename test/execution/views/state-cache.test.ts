import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256 } from '../../../src/crypto/sha256.js';
import { ChangeTable } from '../../../src/execution/views/change-table.js';
import { StateCache } from '../../../src/execution/views/state-cache.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { accountKey, slotKey } from '../../../src/ledger/state-keys.js';
import {
  appendStateChanges,
  StateUnavailableError,
  setOldestHeight,
  valueOfRaw,
} from '../../../src/storage/state.js';
import type { Store, StoreReader } from '../../../src/storage/store.js';
import { WriteBatch } from '../../../src/storage/write-batch.js';
import { temporaryStore } from '../../storage/stores.js';

const crypto = { sha256 };
const CONTRACT = new Uint8Array(20).fill(7);

function slot(n: number): Uint8Array {
  return new Uint8Array(32).fill(n);
}

function name(n: number): string {
  return Buffer.alloc(20, n).toString('hex');
}

/** New values of slots or accounts by number; null removes one. */
type Changes = ReadonlyMap<number, number | null>;

/** Commits blocks to a store and marks their changes in the table that other threads read. */
class Committer {
  readonly changes = ChangeTable.create(0);
  readonly #store: Store;
  height = 0n;

  constructor(store: Store) {
    this.#store = store;
  }

  async commit(slots: Changes, accounts: Changes): Promise<void> {
    this.height += 1n;
    const written = [
      ...[...slots].map(([n, v]) => ({
        key: slotKey(crypto, CONTRACT, slot(n)),
        value: v === null ? undefined : Uint8Array.of(v),
      })),
      ...[...accounts].map(([n, v]) => ({
        key: accountKey(crypto, Buffer.from(name(n), 'hex')),
        value:
          v === null
            ? undefined
            : ledger.AccountRecord.encode({ balance: BigInt(v), lanes: [], deploy_index: 0n }),
      })),
    ];
    const previous = this.#store.getMany(
      'state',
      written.map(({ key }) => key),
    );
    const batch = new WriteBatch();
    appendStateChanges(
      batch,
      this.height,
      written.map((change, i) => ({ ...change, previous: previous[i] })),
    );
    await this.#store.write(batch, { sync: false });
    for (const { key } of written) this.changes.mark(key, Number(this.height));
  }
}

const changes = fc
  .array(fc.tuple(fc.nat(5), fc.option(fc.integer({ min: 1, max: 200 }))), { maxLength: 4 })
  .map((entries): Changes => new Map(entries));
const step = fc.record({
  slots: changes,
  accounts: changes,
  /** Heights queried before the next block, counted back from the tip. */
  asked: fc.array(fc.nat(6), { maxLength: 3 }),
});

test('the cache matches the state at every height, whatever was read before', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const store = await temporaryStore(t, 'off');
      const committer = new Committer(store);
      const cache = new StateCache({ store, crypto, changes: committer.changes, accounts: 4, slots: 4 });
      const models = [{ slots: new Map<number, number>(), accounts: new Map<number, number>() }];
      for (const { slots, accounts, asked } of steps) {
        await committer.commit(slots, accounts);
        const last = models.at(-1) ?? assert.fail();
        models.push({ slots: after(last.slots, slots), accounts: after(last.accounts, accounts) });
        for (const back of [0, ...asked]) {
          const height = Math.max(0, Number(committer.height) - back);
          const model = models[height] ?? assert.fail();
          const state = cache.at(BigInt(height));
          for (let n = 0; n < 6; n++) {
            const { raw } = state.slot(CONTRACT, slot(n));
            assert.equal(raw && valueOfRaw(raw)[0], model.slots.get(n));
            const { record } = state.account(name(n));
            assert.equal(record.balance, BigInt(model.accounts.get(n) ?? 0));
          }
        }
      }
      await store.close();
    }),
    { numRuns: 40 },
  );
});

function after(before: ReadonlyMap<number, number>, changed: Changes): Map<number, number> {
  const next = new Map(before);
  for (const [n, v] of changed) {
    if (v === null) next.delete(n);
    else next.set(n, v);
  }
  return next;
}

test('unchanged values are read once over any number of blocks', async (t) => {
  const store = await temporaryStore(t, 'off');
  const committer = new Committer(store);
  let reads = 0;
  const counting: StoreReader = {
    get: (column, key) => store.get(column, key),
    getMany: (column, keys) => {
      reads += keys.length;
      return store.getMany(column, keys);
    },
    scan: (column, range) => store.scan(column, range),
    close: () => store.close(),
  };
  const cache = new StateCache({ store: counting, crypto, changes: committer.changes });
  await committer.commit(new Map([[1, 11]]), new Map([[1, 5]]));
  for (let block = 0; block < 10; block++) {
    const state = cache.at(committer.height);
    assert.deepEqual([...(state.slot(CONTRACT, slot(1)).raw?.subarray(8) ?? [])], [11]);
    assert.equal(state.account(name(1)).record.balance, 5n);
    await committer.commit(new Map([[2, block + 1]]), new Map([[2, block + 1]]));
  }
  assert.equal(reads, 2);
  await committer.commit(new Map([[1, 12]]), new Map());
  assert.deepEqual([...(cache.at(committer.height).slot(CONTRACT, slot(1)).raw?.subarray(8) ?? [])], [12]);
});

test('pruned history is refused', async (t) => {
  const store = await temporaryStore(t, 'off');
  const committer = new Committer(store);
  for (const value of [1, 2, 3]) await committer.commit(new Map([[1, value]]), new Map());
  const batch = new WriteBatch();
  setOldestHeight(batch, 3n);
  await store.write(batch, { sync: false });
  const cache = new StateCache({ store, crypto, changes: committer.changes });
  assert.throws(() => cache.at(1n).slot(CONTRACT, slot(1)), StateUnavailableError);
  assert.deepEqual([...(cache.at(3n).slot(CONTRACT, slot(1)).raw?.subarray(8) ?? [])], [3]);
});
