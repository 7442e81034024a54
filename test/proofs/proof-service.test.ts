import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProofError } from '../../src/proofs/proof-error.js';
import type { ProofProgress } from '../../src/proofs/proof-messages.js';
import type { ProofService, ProofServiceOptions } from '../../src/proofs/proof-service.js';
import { storedTreeHeight } from '../../src/proofs/tree/kept-tree.js';
import { be64 } from '../../src/storage/big-endian.js';
import { pruneHistory } from '../../src/storage/prune.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { spread, sweep } from '../support/sweep.js';
import { ChainModel, sha256 } from './chain-model.js';

for (const native of spread(NATIVE_MODES, 1)) {
  describe(`proof service, native parts: ${native}`, () => {
    let parts: NodeParts;
    let store: Store;
    let chain: ChainModel;
    /** True if batches of pages reach the store. */
    let areBatchesKept = true;

    beforeEach(async () => {
      parts = new NodeParts();
      store = await parts.store({ native });
      chain = new ChainModel(store);
      areBatchesKept = true;
    });
    afterEach(() => parts.close());

    async function start(more: Partial<ProofServiceOptions> = {}) {
      const progress: ProofProgress[] = [];
      const service = await parts.proofs({
        store: store.handle,
        native,
        tip: chain.tip,
        onProgress: (step) => progress.push(step),
        writeTree: async (encoded) => {
          if (areBatchesKept) await chain.writeTree(encoded);
        },
        ...more,
      });
      return { service, progress, stages: () => [...new Set(progress.map(({ stage }) => stage))] };
    }

    /** Seals and commits blocks. */
    async function grow(service: ProofService, count: number, changes = 40) {
      for (let i = 0; i < count; i++) {
        const block = chain.next(changes, 400);
        const roots = await service.blockRoots(block);
        chain.check(block, roots);
        await chain.commit(service, block, roots);
      }
    }

    test('a chain from genesis has the roots of the definitions', async () => {
      const { service } = await start();
      await grow(service, 25);
      assert.ok(store.get('mmr', be64(40n)) !== undefined);
    });

    test('a clean stop leaves nothing to replay', async () => {
      const first = await start();
      await grow(first.service, 10);
      await chain.writeTree(await first.service.stop());
      assert.equal(storedTreeHeight(store), 9n);
      const second = await start();
      assert.deepEqual(second.progress, []);
      await grow(second.service, 5);
    });

    test('after a crash the changes since the stored tree are replayed', async () => {
      const first = await start();
      await grow(first.service, 12);
      assert.equal(storedTreeHeight(store), 0n);
      // Nothing more is written: as after kill -9.
      const second = await start();
      assert.deepEqual(second.stages(), ['replay']);
      await grow(second.service, 5);
    });

    test('a crash after any block, with its tree pages written or lost, leads to the same roots', async () => {
      let whole = false;
      let clean = 0;
      for (let round = 0; round < Math.min(sweep(5), 9); round++) {
        const { service, progress } = await start();
        if (whole) {
          assert.deepEqual(progress, []);
          clean++;
        }
        areBatchesKept = round % 2 === 0;
        await grow(service, 1 + (round % 3), 300);
        // A block whose roots were requested but that was never committed.
        if (round % 3 === 1) await service.blockRoots(chain.next(50, 400));
        const last = await service.stop();
        whole = round % 4 === 3 && last !== undefined;
        if (whole) await chain.writeTree(last);
      }
      assert.ok(clean > 0);
    });

    test('a stop between the roots of a block and its commit stores the block before', async () => {
      const first = await start();
      await grow(first.service, 3);
      await first.service.blockRoots(chain.next(50, 400));
      await chain.writeTree(await first.service.stop());
      assert.equal(storedTreeHeight(store), 2n);
      const second = await start();
      assert.deepEqual(second.progress, []);
      await grow(second.service, 3);
    });

    test('a stored tree with a damaged page is rebuilt from the state, stored in portions', async () => {
      const first = await start();
      await grow(first.service, 6);
      await chain.writeTree(await first.service.stop());
      const batch = new WriteBatch();
      const [entry] = [...store.scan('tree', { gte: Uint8Array.of(0, 1) })];
      assert.ok(entry !== undefined);
      const [key, page] = entry;
      page[page.length - 1] = (page[page.length - 1] ?? 0) ^ 1;
      batch.put('tree', key, page);
      // Unreferenced pages are swept away too.
      batch.put('tree', Uint8Array.of(0, 63, 63, 63, 63), page);
      batch.delete('changes', be64(5n));
      await store.write(batch, { sync: false });
      // The damaged page is read when its keys are replayed.
      const marker = new WriteBatch();
      marker.put('meta', new TextEncoder().encode('tree_height'), be64(0n));
      await store.write(marker, { sync: false });

      const second = await start();
      assert.ok(second.stages().includes('rebuild'));
      const last = second.progress[second.progress.length - 1];
      assert.equal(last?.fraction, 1);
      assert.equal(last?.keys, chain.state.size);
      assert.match(last?.reason ?? '', /does not have the hash that the page above says/);
      assert.equal(storedTreeHeight(store), 5n);
      assert.equal(store.get('tree', Uint8Array.of(0, 63, 63, 63, 63)), undefined);
      await grow(second.service, 3);
      await chain.writeTree(await second.service.stop());
      const third = await start();
      assert.deepEqual(third.progress, []);
      await grow(third.service, 3);
    });

    test('a tree that was never stored, is too far behind or is ahead is rebuilt, and the reason is reported', async () => {
      const first = await start();
      await grow(first.service, 8);
      await first.service.stop();
      // Rebuilt pages are lost each time: the stored ones stay those of the genesis block.
      areBatchesKept = false;
      const marker = new TextEncoder().encode('tree_height');
      const restart = async () => {
        const { service, progress } = await start();
        await service.stop();
        return progress[0]?.reason ?? '';
      };
      const set = async (change: (batch: WriteBatch) => void) => {
        const batch = new WriteBatch();
        change(batch);
        await store.write(batch, { sync: false });
      };
      await set((batch) => batch.delete('meta', marker));
      assert.match(await restart(), /no state tree is stored/);
      await set((batch) => batch.put('meta', marker, be64(99n)));
      assert.match(await restart(), /height 99, beyond the tip at 7/);
      await set((batch) => batch.put('meta', marker, be64(7n)));
      assert.match(
        await restart(),
        /has root [0-9a-f]{64} at height 7, the block's header says [0-9a-f]{64}/,
      );
      await set((batch) => batch.put('meta', marker, be64(0n)));
      while (!(await pruneHistory(store, 4n)).done);
      assert.match(await restart(), /changes since the stored state tree's height 0 have been dropped/);
    });

    test('state that does not match the root of the tip is an error that names both', async () => {
      const first = await start();
      await grow(first.service, 4);
      await first.service.stop();
      const [entry] = [...store.scan('state', { limit: 1 })];
      assert.ok(entry !== undefined);
      const batch = new WriteBatch();
      batch.put('state', entry[0], Uint8Array.from([...be64(0n), 1, 2, 3]));
      batch.delete('meta', new TextEncoder().encode('tree_height'));
      await store.write(batch, { sync: false });
      const stateRoot = Buffer.from(chain.tip?.stateRoot ?? assert.fail()).toString('hex');
      await assert.rejects(start(), {
        code: 'root_mismatch',
        message: new RegExp(`has root [0-9a-f]{64}, the block's header says ${stateRoot}`),
      });
    });

    test('a missing MMR node is an error that names its position', async () => {
      const first = await start();
      await grow(first.service, 6);
      await first.service.stop();
      const batch = new WriteBatch();
      batch.delete('mmr', be64(6n));
      await store.write(batch, { sync: false });
      await assert.rejects(start(), { code: 'damaged', message: /position 6 of column mmr/ });
    });

    test('blocks out of order and malformed ones are refused, and the right one is still accepted', async () => {
      const { service } = await start();
      await grow(service, 2);
      const block = chain.next(10, 400);
      await assert.rejects(service.blockRoots({ ...block, height: 5n }), {
        code: 'out_of_order',
        message: /expected height 2, got 5/,
      });
      await assert.rejects(service.blockRoots({ ...block, parentHash: undefined }), {
        code: 'invalid_input',
      });
      await assert.rejects(service.blockRoots({ ...block, parentHash: new Uint8Array(31) }), {
        code: 'invalid_input',
      });
      const [change] = block.changes;
      assert.ok(change !== undefined);
      await assert.rejects(service.blockRoots({ ...block, changes: [change, change] }), {
        code: 'invalid_input',
        message: /changed twice/,
      });
      await assert.rejects(
        service.blockRoots({ ...block, changes: [{ key: new Uint8Array(5), value: undefined }] }),
        { code: 'invalid_input' },
      );
      await grow(service, 2);
    });

    test('a parent other than the tip is refused after a restart', async () => {
      const first = await start();
      await grow(first.service, 3);
      await first.service.stop();
      const { service } = await start();
      await assert.rejects(
        service.blockRoots({ ...chain.next(1, 400), parentHash: sha256(new Uint8Array(1)) }),
        { code: 'out_of_order' },
      );
      await grow(service, 2);
    });

    test('concurrent requests are answered in order', async () => {
      const { service } = await start();
      await grow(service, 1);
      const block = chain.next(30, 400);
      const [good, bad] = await Promise.allSettled([
        service.blockRoots(block),
        service.blockRoots({ ...block, height: 9n }),
      ]);
      assert.equal(bad.status, 'rejected');
      assert.ok(good.status === 'fulfilled');
      chain.check(block, good.value);
    });

    test('a failing worker rejects pending calls, is reported once, and rejects every later call', async () => {
      const failures: ProofError[] = [];
      const first = await start();
      await grow(first.service, 3, 400);
      await chain.writeTree(await first.service.stop());
      const { service } = await start({ onFailure: (error) => failures.push(error) });
      // A page vanishes while the node runs.
      const batch = new WriteBatch();
      for (const [key] of store.scan('tree', { gte: Uint8Array.of(0, 0) })) batch.delete('tree', key);
      await store.write(batch, { sync: false });
      const block = chain.next(40, 400);
      await assert.rejects(service.blockRoots(block), { code: 'damaged', message: /is missing/ });
      await assert.rejects(service.blockRoots(block), { code: 'damaged' });
      assert.deepEqual(
        failures.map(({ code }) => code),
        ['damaged'],
      );
      assert.equal(await service.stop(), undefined);
    });

    test('a store that the worker cannot read is an error at the start', async () => {
      const gone = {
        kind: 'memory',
        path: join(parts.directory, 'gone'),
        committed: new SharedArrayBuffer(64),
      } as const;
      await assert.rejects(start({ store: gone }), { name: 'ProofError', code: 'worker_failed' });
    });

    test('tree pages are written once they are due, and are complete wherever the chain stops', async () => {
      const height = () => storedTreeHeight(store);
      // Counts only batches that move the stored height, because other batches come with every block.
      let batches = 0;
      let seen = height();
      const first = await start({
        writeTree: async (encoded) => {
          await chain.writeTree(encoded);
          if (height() === seen) return;
          seen = height();
          batches++;
        },
      });
      // Empty blocks are enough: pages are also due after a number of blocks.
      for (let i = 0; i < 270; i++) {
        const block = { ...chain.next(i < 3 ? 60 : 0, 400), items: [], receipts: [] };
        const roots = await first.service.blockRoots(block);
        await chain.commit(first.service, block, roots);
      }
      // Writing begins when the worker is briefly idle, so blocks may come first.
      for (const since = performance.now(); batches < 2; await sleep(5)) {
        assert.ok(performance.now() - since < 30_000, `${batches} batches of pages came`);
      }
      assert.equal(batches, 2);
      const stored = height() ?? 0n;
      assert.ok(stored >= 256n && stored <= 270n, `the second batch is of height ${stored}`);
      const second = await start();
      assert.equal(second.stages().includes('rebuild'), false);
      await grow(second.service, 2);
    });

    test('a stopped service refuses further blocks', async () => {
      const { service } = await start();
      await grow(service, 1);
      await service.stop();
      assert.equal(await service.stop(), undefined);
      await assert.rejects(service.blockRoots(chain.next(1, 4)), {
        code: 'worker_failed',
        message: /stopped/,
      });
    });
  });
}
