import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { CallerGoneError } from '../../src/async/sliced-work.js';
import { loadHashes } from '../../src/crypto/load-hashes.js';
import type { OldProofReply } from '../../src/proofs/proof-messages.js';
import type { ProofService } from '../../src/proofs/proof-service.js';
import { serveOldProofs } from '../../src/proofs/serve-old-proofs.js';
import { proveKeys } from '../../src/proofs/tree/key-proofs.js';
import { OldTrees } from '../../src/proofs/tree/old-trees.js';
import { storedMarks } from '../../src/proofs/tree/page-versions.js';
import { storedTop } from '../../src/proofs/tree/top-records.js';
import type { Store, StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { eventually } from '../support/eventually.js';
import { hex } from '../support/hex.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { spread } from '../support/sweep.js';
import { ChainModel, sha256 } from './chain-model.js';
import { provedValue } from './tree/naive-proofs.js';
import type { Model } from './tree/tree-model.js';

const text = (value: string) => new TextEncoder().encode(value);

/** Enough for pages below the top ones. */
const ACCOUNTS = 9_000;
const TOPS = { gte: Uint8Array.of(5), lt: Uint8Array.of(6) };

/** Counts reads of the state and its history. */
class CountingReader implements StoreReader {
  readonly #store: Store;
  keys = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  get: StoreReader['get'] = (column, key) => this.#store.get(column, key);
  scan: StoreReader['scan'] = (column, range) => this.#store.scan(column, range);
  getMany: StoreReader['getMany'] = (column, keys) => {
    if (column === 'state') this.keys += keys.length;
    return this.#store.getMany(column, keys);
  };
  close = () => Promise.resolve();
}

for (const native of spread(NATIVE_MODES, 1)) {
  describe(`trees of earlier heights, computed in slices, native parts: ${native}`, () => {
    let parts: NodeParts;
    let store: Store;
    let chain: ChainModel;
    let states: Model[] = [];

    beforeEach(async () => {
      parts = new NodeParts();
      store = await parts.store({ native });
      chain = new ChainModel(store);
      states = [];
    });
    afterEach(() => parts.close());

    const start = (checkpointInterval: number, proofWindow = 1_000): Promise<ProofService> =>
      parts.proofs({
        store: store.handle,
        native,
        tip: chain.tip,
        writeTree: (encoded) => chain.writeTree(encoded),
        checkpointInterval,
        proofWindow,
      });

    async function grow(
      service: ProofService,
      counts: readonly number[],
      accounts = ACCOUNTS,
    ): Promise<void> {
      for (const count of counts) {
        const block = chain.next(count, accounts);
        const roots = await service.blockRoots(block);
        await chain.commit(service, block, roots);
        states.push(new Map(chain.state));
      }
    }

    /**
     * Proves keys at a height and compares the values with the state of that height.
     * @returns the number of state keys that were read
     */
    async function check(trees: OldTrees, reader: CountingReader, height: number, names: readonly number[]) {
      const crypto = await loadHashes(native);
      const keys = names.map((name) => sha256(text(`account ${name}`)));
      const stateRoot = chain.blocks[height]?.stateRoot ?? assert.fail(`no block ${height}`);
      const at = { height: BigInt(height), stateRoot };
      const before = reader.keys;
      const work = trees.treeAt(at, keys, () => storedMarks(store));
      let step = work.next();
      while (step.done !== true) step = work.next();
      const read = reader.keys - before;
      for (const [index, proof] of proveKeys(crypto, reader, step.value, at.height, keys).entries()) {
        const key = keys[index] ?? assert.fail();
        const expected = states[height]?.get(hex(key));
        const proved = provedValue(proof, key, stateRoot);
        assert.equal(proved && hex(proved), expected && hex(expected), `${names[index]} at height ${height}`);
      }
      return read;
    }

    async function newTrees() {
      const reader = new CountingReader(store);
      return {
        reader,
        trees: new OldTrees({ crypto: await loadHashes(native), store: reader }, 64 * 1024 * 1024),
      };
    }

    const some = Array.from({ length: 60 }, (_, i) => i * 151);

    test('a key costs a small share of the blocks’ changes, in both directions from a mark', async () => {
      const service = await start(10);
      await grow(service, [ACCOUNTS, ...Array.from({ length: 14 }, () => 900)]);
      // The worker writes a mark's tree while it is idle.
      await eventually('mark 10 is stored', async () => storedMarks(store).includes(10n));
      await service.stop();
      const { reader, trees } = await newTrees();
      for (const height of [13, 7, 14, 1, 9]) {
        const read = await check(trees, reader, height, [7]);
        assert.ok(read < 60, `${read} keys were read for one at height ${height}`);
        assert.equal(await check(trees, reader, height, [7]), 0);
        await check(trees, reader, height, some);
      }
    });

    test('a tree that grows from empty and shrinks again is proved at every height', async () => {
      const service = await start(7);
      for (const accounts of [30, 300, 2_000, 5_000, ACCOUNTS]) {
        await grow(service, [accounts, accounts / 10, accounts / 5], accounts);
      }
      const deleted = [...chain.state.keys()];
      for (const share of [0.5, 0.9, 1]) {
        const changes = deleted.slice(0, deleted.length * share).flatMap((key) => {
          if (!chain.state.has(key)) return [];
          return [{ key: Uint8Array.from(Buffer.from(key, 'hex')), value: undefined }];
        });
        const block = { ...chain.next(0, 1), changes };
        await chain.commit(service, block, await service.blockRoots(block));
        states.push(new Map(chain.state));
      }
      await grow(service, [40, 2_000, 10]);
      await service.stop();
      const { reader, trees } = await newTrees();
      for (let height = chain.blocks.length - 1; height >= 0; height -= 1) {
        await check(trees, reader, height, [0, 7, 14, ...some]);
      }
    });

    test('missing or broken records, and those of another tree, do no harm', async () => {
      const service = await start(20);
      await grow(service, [ACCOUNTS, ...Array.from({ length: 12 }, () => 900)]);
      await service.stop();
      const records = Array.from(store.scan('tree', TOPS));
      assert.equal(records.length, 13);
      const [, second] = records;
      const asked = records[9];
      if (second === undefined || asked === undefined) assert.fail('records are missing');

      /** @returns the number of keys read to prove one key at height 9 */
      const readAfter = async (change: (batch: WriteBatch) => void): Promise<number> => {
        const batch = new WriteBatch();
        change(batch);
        await store.write(batch, { sync: false });
        const { reader, trees } = await newTrees();
        return await check(trees, reader, 9, [7]);
      };
      const [key, changes] = asked;
      const flipped = changes.slice();
      flipped[flipped.length - 1] = (flipped[flipped.length - 1] ?? 0) ^ 1;
      assert.ok((await readAfter((batch) => batch.put('tree', key, flipped))) > 900);
      assert.ok((await readAfter((batch) => batch.put('tree', key, changes.subarray(1)))) > 900);
      assert.ok((await readAfter((batch) => batch.put('tree', key, changes))) < 60);
      assert.ok((await readAfter((batch) => batch.delete('tree', second[0]))) > 900);
    });

    test('after a restart the records of earlier heights still save work', async () => {
      const first = await start(50);
      await grow(first, [ACCOUNTS, 900, 900, 900]);
      // Nothing more is written, as after kill -9.
      await first.stop();
      const second = await start(50);
      await grow(second, [900, 900, 900]);
      await second.stop();
      const { reader, trees } = await newTrees();
      for (const height of [5, 2, 3, 4]) {
        const read = await check(trees, reader, height, [21]);
        assert.ok(read < 60, `${read} keys were read for one at height ${height}`);
      }
    });

    test('work on a tree without callers is stopped, and the next caller is served', async () => {
      const service = await start(100);
      await grow(service, [ACCOUNTS, ...Array.from({ length: 8 }, () => 900)]);
      // Deletes the top pages, so that the whole tree is converted, in many slices.
      const batch = new WriteBatch();
      for (const [key] of store.scan('tree', TOPS)) batch.delete('tree', key);
      await store.write(batch, { sync: false });
      const at = (height: number) => ({
        height: BigInt(height),
        stateRoot: chain.blocks[height]?.stateRoot ?? assert.fail(`no block ${height}`),
      });
      const keys = [sha256(text('account 7'))];
      const { port1: port, port2: workerPort } = new MessageChannel();
      const answers: OldProofReply[] = [];
      const answered = () => once(port, 'message').then(([reply]) => answers.push(reply));
      const request = {
        type: 'prove' as const,
        keys: Uint8Array.from(keys[0] ?? []),
        window: { oldest: 0n, newest: 8n },
        isKept: false,
      };
      await serveOldProofs(workerPort, { store: store.handle, native, memoryBytes: 64 * 1024 * 1024 });
      const first = answered();
      port.postMessage({ ...request, ...at(6) });
      port.postMessage({ type: 'abandon' });
      await first;
      // A late abandon message is ignored.
      port.postMessage({ type: 'abandon' });
      const second = answered();
      port.postMessage({ ...request, ...at(6) });
      await second;
      assert.deepEqual(
        answers.map(({ type }) => type),
        ['abandoned', 'proved'],
      );
      port.postMessage({ type: 'stop' });
      await once(port, 'close');

      const caller = { client: 'a', isGone: false };
      const gone = service.prove(at(5), keys, caller);
      const other = service.prove(at(4), keys, { client: 'b', isGone: false });
      caller.isGone = true;
      await assert.rejects(gone, CallerGoneError);
      const [proof] = await other;
      const proved = provedValue(proof ?? assert.fail(), keys[0] ?? assert.fail(), at(4).stateRoot);
      const expected = states[4]?.get(hex(keys[0] ?? assert.fail()));
      assert.equal(proved && hex(proved), expected && hex(expected));
    });

    test('records that no served height needs are dropped', async () => {
      const service = await start(0, 20);
      await grow(
        service,
        Array.from({ length: 600 }, () => 3),
        200,
      );
      await service.stop();
      const bases = Array.from(store.scan('tree', TOPS), ([key]) => Buffer.from(key).readBigUInt64BE(1));
      assert.deepEqual([...new Set(bases)], [512n]);
      assert.ok(storedTop(store, 590n) !== undefined);
    });
  });
}
