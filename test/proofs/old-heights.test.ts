import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ProofService, ProofServiceOptions } from '../../src/proofs/proof-service.js';
import { storedMarks } from '../../src/proofs/tree/page-versions.js';
import { pruneHistory } from '../../src/storage/prune.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { hex } from '../support/hex.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { spread } from '../support/sweep.js';
import { ChainModel, sha256 } from './chain-model.js';
import { provedValue } from './tree/naive-proofs.js';
import type { Model } from './tree/tree-model.js';

const text = (value: string) => new TextEncoder().encode(value);

/** Few enough for a naive tree, enough for several levels of pages. */
const ACCOUNTS = 500;
const INTERVAL = 10;
const WINDOW = 25;

for (const native of spread(NATIVE_MODES, 1)) {
  describe(`state proofs at earlier heights, native parts: ${native}`, () => {
    let parts: NodeParts;
    let store: Store;
    let chain: ChainModel;
    /** The state after each height. */
    let states: Model[] = [];

    beforeEach(async () => {
      parts = new NodeParts();
      store = await parts.store({ native });
      chain = new ChainModel(store);
      states = [];
    });
    afterEach(() => parts.close());

    function start(more: Partial<ProofServiceOptions> = {}): Promise<ProofService> {
      return parts.proofs({
        store: store.handle,
        native,
        tip: chain.tip,
        writeTree: (encoded) => chain.writeTree(encoded),
        proofWindow: WINDOW,
        checkpointInterval: INTERVAL,
        ...more,
      });
    }

    async function grow(service: ProofService, count: number): Promise<void> {
      for (let i = 0; i < count; i++) {
        const block = chain.next(chain.blocks.length === 0 ? ACCOUNTS : 60, ACCOUNTS);
        const roots = await service.blockRoots(block);
        await chain.commit(service, block, roots);
        states.push(new Map(chain.state));
      }
    }

    const at = (height: number) => ({
      height: BigInt(height),
      stateRoot: chain.blocks[height]?.stateRoot ?? assert.fail(`no block ${height}`),
    });

    /** Proves many keys at a height and compares with the state of that height. */
    async function check(service: ProofService, height: number): Promise<void> {
      const keys = Array.from({ length: 40 }, (_, i) => sha256(text(`account ${i * 13}`)));
      keys.push(new Uint8Array(32), sha256(text(`nobody ${height}`)));
      const proofs = await service.prove(at(height), keys);
      assert.equal(proofs.length, keys.length);
      for (const [index, proof] of proofs.entries()) {
        const key = keys[index] ?? assert.fail();
        const expected = states[height]?.get(hex(key));
        const proved = provedValue(proof, key, at(height).stateRoot);
        assert.equal(proved && hex(proved), expected && hex(expected), `at height ${height}`);
      }
    }

    const unavailable = (oldest: number, newest: number) => ({
      code: 'state_unavailable',
      kept: { oldest: BigInt(oldest), newest: BigInt(newest) },
    });

    test('every height of the window is proved, in any order; heights outside are refused', async () => {
      const service = await start();
      await grow(service, 58);
      for (const height of [57, 56, 33, 50, 49, 51, 40, 39, 32, 45, 46, 47]) await check(service, height);
      await assert.rejects(service.prove(at(31), [new Uint8Array(32)]), unavailable(32, 57));
      await assert.rejects(
        service.prove(at(0), [new Uint8Array(32)]),
        /height 0 is not kept: expected 32 to 57/,
      );
      const beyond = { height: 58n, stateRoot: new Uint8Array(32) };
      await assert.rejects(service.prove(beyond, [new Uint8Array(32)]), unavailable(32, 57));
    });

    test('heights requested at once, while blocks come in, are proved each under its own root', async () => {
      const service = await start();
      await grow(service, 30);
      const asked = [28, 11, 29, 9, 20, 28, 19, 21, 10].map((height) => check(service, height));
      await grow(service, 4);
      await Promise.all([...asked, check(service, 33), check(service, 29)]);
    });

    test('a kept checkpoint is proved after the window has passed it, until it is dropped', async () => {
      const service = await start();
      await grow(service, 12);
      assert.deepEqual(await service.keepCheckpoints([10n, 11n]), [10n]);
      await grow(service, 70);
      await check(service, 10);
      await assert.rejects(service.prove(at(9), [new Uint8Array(32)]), unavailable(56, 81));
      assert.deepEqual(await service.keepCheckpoints([]), []);
      await grow(service, 3);
      await assert.rejects(service.prove(at(10), [new Uint8Array(32)]), unavailable(59, 84));
      await check(service, 60);
    });

    test('heights that the window has passed are dropped from the store', async () => {
      const service = await start();
      await grow(service, 100);
      await service.stop();
      const oldest = storedMarks(store)[0] ?? assert.fail('no mark is left');
      assert.ok(oldest >= 70n, `the oldest mark is ${oldest}`);
      const versions = Array.from(store.scan('tree', { gte: Uint8Array.of(1), lt: Uint8Array.of(2) }));
      const marks = new Set(versions.map(([key]) => Buffer.from(key).readBigUInt64BE(key.length - 8)));
      assert.ok(versions.length > 0);
      for (const mark of marks) assert.ok(mark >= oldest, `a version of ${mark} is left`);
    });

    test('after a crash at any moment every height is proved as before, including its checkpoints', async () => {
      const first = await start();
      await grow(first, 23);
      await first.keepCheckpoints([10n]);
      await grow(first, 8);
      // Nothing more is written, as after kill -9: the tree in the store is behind, at a mark.
      await first.stop();
      const second = await start();
      for (const height of [30, 29, 20, 21, 11, 6]) await check(second, height);
      await grow(second, 30);
      for (const height of [60, 50, 41, 36, 10]) await check(second, height);
      await chain.writeTree(await second.stop());
      const third = await start();
      for (const height of [60, 59, 50, 45, 10]) await check(third, height);
      await grow(third, 2);
      await check(third, 50);
    });

    test('marks lost in a crash are recreated while the changes are replayed', async () => {
      // Only the first batch of pages is written; everything later is lost.
      let batches = 0;
      const first = await start({
        writeTree: async (encoded) => {
          if (batches++ === 0) await chain.writeTree(encoded);
        },
      });
      for (let i = 0; i < 33; i++) {
        const block = chain.next(i === 0 ? ACCOUNTS : 60, ACCOUNTS);
        const roots = await first.blockRoots(block);
        await chain.commit(first, block, roots);
        states.push(new Map(chain.state));
      }
      await first.stop();
      const second = await start();
      assert.deepEqual(storedMarks(store), [0n, 10n, 20n, 30n]);
      for (const height of [10, 20, 30, 8, 25, 32]) await check(second, height);
    });

    test('trees of old heights are recomputed after a rebuild has dropped them', async () => {
      const first = await start();
      await grow(first, 32);
      await first.stop();
      const batch = new WriteBatch();
      batch.delete('meta', text('tree_height'));
      await store.write(batch, { sync: false });
      const second = await start();
      assert.deepEqual(storedMarks(store), [31n]);
      for (const height of [31, 30, 10, 20]) await check(second, height);
      await grow(second, 12);
      for (const height of [43, 35, 31, 25, 40]) await check(second, height);
    });

    test('a height with pruned state is refused, and the oldest available one named', async () => {
      const service = await start();
      await grow(service, 30);
      await pruneHistory(store, 15n);
      await assert.rejects(service.prove(at(14), [new Uint8Array(32)]), unavailable(15, 29));
      for (const height of [15, 25, 29, 20]) await check(service, height);
    });

    test('a root that does not match the tree proves nothing, and the service continues', async () => {
      const service = await start();
      await grow(service, 12);
      const wrong = { height: 7n, stateRoot: at(8).stateRoot };
      await assert.rejects(service.prove(wrong, [new Uint8Array(32)]), { code: 'damaged' });
      await check(service, 7);
      await grow(service, 1);
    });

    test('proofs beyond the service’s limit are refused at once, and the rest are answered', async () => {
      const service = await start();
      await grow(service, 3);
      const keys = Array.from({ length: 100 }, (_, i) => sha256(text(`account ${i}`)));
      const asked = Array.from({ length: 120 }, () => service.prove(at(2), keys));
      const answers = await Promise.allSettled(asked);
      const refused = answers.filter(({ status }) => status === 'rejected');
      assert.equal(refused.length, 20);
      for (const answer of refused) {
        assert.equal(answer.status === 'rejected' && answer.reason.code, 'overloaded');
      }
      await check(service, 2);
    });

    test('a client that requests many old heights has the newest refused, and another is served in between', async () => {
      const service = await start();
      await grow(service, 24);
      const order: string[] = [];
      const key = sha256(text('account 0'));
      const ask = async (client: string, height: number, keys: number) => {
        const proofs = await service.prove(
          at(height),
          Array.from({ length: keys }, () => key),
          {
            client,
            isGone: false,
          },
        );
        order.push(client);
        return proofs;
      };
      const flood = Array.from({ length: 60 }, (_, i) => ask('flood', 1 + (i % 22), 100));
      const settled = Promise.allSettled(flood);
      const honest = await ask('honest', 15, 1);
      assert.ok(honest[0] !== undefined);
      provedValue(honest[0], key, at(15).stateRoot);
      const answers = await settled;
      const refused = answers.filter(({ status }) => status === 'rejected');
      assert.equal(refused.length, 40);
      for (const answer of refused) {
        assert.equal(answer.status === 'rejected' && answer.reason.code, 'overloaded');
      }
      assert.ok(order.indexOf('honest') < order.length / 2, `the honest client was answered as ${order}`);
      await check(service, 12);
    });

    test('old proofs of a caller that hung up are dropped, those of others at the same height are answered', async () => {
      const service = await start();
      await grow(service, 24);
      const caller = { client: 'one', isGone: false };
      const key = sha256(text('account 0'));
      const first = service.prove(at(20), [key]);
      const dropped = [3, 5, 7].map((height) => service.prove(at(height), [key], caller));
      const results = Promise.allSettled(dropped);
      caller.isGone = true;
      await Promise.all([first, check(service, 5)]);
      for (const result of await results) {
        assert.ok(result.status === 'rejected' && /the caller is gone/.test(result.reason.message));
      }
    });

    test('marks are dropped while trees are computed from them, and every proof is correct or refused', async () => {
      const service = await start({ proofWindow: 12 });
      await grow(service, 22);
      for (let round = 0; round < 8; round++) {
        const oldest = chain.blocks.length - 13;
        const asked = [oldest, oldest + 1, oldest + 6].map((height) =>
          check(service, height).catch((error) => assert.equal(error.code, 'state_unavailable')),
        );
        await grow(service, 7);
        await Promise.all(asked);
      }
      await check(service, chain.blocks.length - 8);
      const marks = storedMarks(store);
      assert.ok((marks[0] ?? 0n) >= 50n, `the oldest mark is ${marks[0]}`);
    });

    test('proofs still waiting when the service stops are refused', async () => {
      const service = await start();
      await grow(service, 20);
      const waiting = service.prove(at(5), [new Uint8Array(32)]);
      const refused = assert.rejects(waiting, { code: 'worker_failed', message: /stopped/ });
      await service.stop();
      await refused;
      await assert.rejects(service.prove(at(5), [new Uint8Array(32)]), { code: 'worker_failed' });
    });
  });
}
