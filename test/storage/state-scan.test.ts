import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pruneHistory } from '../../src/storage/prune.js';
import { appendStateChanges, type StateChange, StateUnavailableError } from '../../src/storage/state.js';
import { scanStateAt } from '../../src/storage/state-scan.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { hex } from '../support/hex.js';
import { type RandomSource, randomSource } from '../support/random-source.js';
import { spread } from '../support/sweep.js';
import { IMPLEMENTATIONS, temporaryStore } from './stores.js';

const text = (entries: Iterable<readonly [Uint8Array, Uint8Array]>) =>
  Array.from(entries, ([key, value]) => `${hex(key)}=${hex(value)}`);

/** A store with a history, and a copy of the state at each height. */
class World {
  readonly heights: ReadonlyMap<string, Uint8Array>[] = [];
  readonly #keys: readonly Uint8Array[];
  readonly #store: Store;
  readonly #random: RandomSource;

  constructor(store: Store, random: RandomSource, keys: number) {
    this.#store = store;
    this.#random = random;
    this.#keys = Array.from({ length: keys }, () => random.bytes(32));
  }

  /** Changes some keys, always including the first, as a busy account would. */
  async commit(changed: number): Promise<void> {
    const last = this.heights.at(-1) ?? new Map<string, Uint8Array>();
    const next = new Map(last);
    const keys = new Set([this.#keys[0], ...Array.from({ length: changed }, () => this.#pick())]);
    const height = BigInt(this.heights.length);
    const changes: StateChange[] = [];
    for (const key of keys) {
      if (key === undefined) continue;
      const value = this.#random.below(3) === 0 ? undefined : this.#random.bytes(this.#random.below(9));
      changes.push({ key, previous: this.#store.get('state', key), value });
      if (value === undefined) next.delete(hex(key));
      else next.set(hex(key), value);
    }
    const batch = new WriteBatch();
    appendStateChanges(batch, height, changes);
    await this.#store.write(batch, { sync: false });
    this.heights.push(next);
  }

  #pick(): Uint8Array | undefined {
    return this.#keys[this.#random.below(this.#keys.length)];
  }

  expected(height: number, gte = '', lt = 'g'): string[] {
    return [...(this.heights[height] ?? [])]
      .filter(([key]) => key >= gte && key < lt)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key}=${hex(value)}`);
  }
}

for (const { name, native } of IMPLEMENTATIONS) {
  describe(`scanning the ${name} store at a height`, () => {
    test('returns the state of every height, in every range', async (t) => {
      const store = await temporaryStore(t, native);
      const random = randomSource(1);
      const world = new World(store, random, 3_000);
      await world.commit(2_500);
      for (let block = 0; block < 40; block++) await world.commit(random.below(200));
      for (const height of spread([...world.heights.keys()], 10)) {
        assert.deepEqual(
          text(scanStateAt(store, BigInt(height))),
          world.expected(height),
          `height ${height}`,
        );
        const [gte, lt] = [random.bytes(32), random.bytes(32)].sort(Buffer.compare);
        assert.ok(gte !== undefined && lt !== undefined);
        assert.deepEqual(
          text(scanStateAt(store, BigInt(height), { gte, lt })),
          world.expected(height, hex(gte), hex(lt)),
        );
      }
    });

    test('returns the same while blocks are committed', async (t) => {
      const store = await temporaryStore(t, native);
      const world = new World(store, randomSource(2), 4_000);
      await world.commit(4_000);
      await world.commit(500);
      const seen: [Uint8Array, Uint8Array][] = [];
      for (const [key, value] of scanStateAt(store, 1n)) {
        seen.push([key, value]);
        if (seen.length % 400 === 0) await world.commit(800);
      }
      assert.deepEqual(text(seen), world.expected(1));
    });

    test('is refused once the history has been dropped', async (t) => {
      const store = await temporaryStore(t, native);
      const world = new World(store, randomSource(3), 50);
      for (let block = 0; block < 6; block++) await world.commit(30);
      while (!(await pruneHistory(store, 4n)).done);
      assert.throws(() => [...scanStateAt(store, 3n)], StateUnavailableError);
      assert.deepEqual(text(scanStateAt(store, 4n)), world.expected(4));
    });
  });
}
