// Blocks on real threads match serial execution, with any number of threads and when threads die midway.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BlockExecutor } from '../../../src/chain/block-executor.js';
import type { Candidates } from '../../../src/execution/atomic-groups.js';
import type { ExecutedBlock } from '../../../src/execution/block-execution.js';
import { CandidatesAtFault } from '../../../src/execution/candidates-at-fault.js';
import { PendingBlockState } from '../../../src/execution/pending-writes.js';
import type { ExecutionPool } from '../../../src/execution/pool/execution-pool.js';
import { CommittedState } from '../../../src/execution/state-source.js';
import { AccountCache } from '../../../src/ledger/account-cache.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../../src/load/workload.js';
import { appendStateChanges } from '../../../src/storage/state.js';
import type { Store } from '../../../src/storage/store.js';
import { WriteBatch } from '../../../src/storage/write-batch.js';
import { NodeParts } from '../../support/nodes/node-parts.js';
import { spread } from '../../support/sweep.js';
import type { DyingSetup } from '../../support/threads/crashing-block-worker.js';
import { BlockWorld, textOfBlock } from '../../support/worlds/block-world.js';
import { deployRandomContracts, RandomBlocks } from '../../support/worlds/random-blocks.js';

const MORTAL = new URL('../../support/threads/crashing-block-worker.js', import.meta.url);

describe('blocks on worker threads', () => {
  const parts = new NodeParts();
  let store: Store;
  let world: BlockWorld;
  let blocks: RandomBlocks;

  before(async () => {
    store = await parts.store({ cacheBytes: 1 << 20 });
    world = await BlockWorld.open();
    const contracts = deployRandomContracts(world);
    await writeAll(world);
    blocks = new RandomBlocks(world.crypto, contracts, seededRandom(4_711));
  });
  after(() => parts.close());

  /** Writes the whole state of a world into the store. */
  async function writeAll({ state, height }: BlockWorld): Promise<void> {
    const batch = new WriteBatch();
    const changes = [...state.entries()].map(({ key, value }) => ({ key, previous: undefined, value }));
    appendStateChanges(batch, height - 1n, changes);
    for (const { hash, bytes } of state.allCode()) batch.put('code', hash, bytes);
    await store.write(batch, { sync: false });
  }

  /** Commits a block to the world and to the store. */
  async function commit(block: ExecutedBlock): Promise<void> {
    const batch = new WriteBatch();
    appendStateChanges(batch, world.height, block.writes);
    for (const { hash, bytes } of block.codes) batch.put('code', hash, bytes);
    await store.write(batch, { sync: false });
    world.commit(block);
  }

  function executorOn(pool: ExecutionPool): BlockExecutor {
    const accounts = new AccountCache(store, world.crypto, 1_000);
    const sharing = { workers: pool, predictions: { of: () => undefined } };
    return new BlockExecutor(accounts, store, world.crypto, pool, sharing);
  }

  /** Executes candidates serially on the store that the workers read. */
  function serially(candidates: Candidates<VerifiedTransaction>): ExecutedBlock {
    return world.serially(candidates, new CommittedState(store, world.crypto));
  }

  for (const workers of spread([1, 2, 4, 8], 2, 1)) {
    test(`match serial execution with ${workers}`, async () => {
      const pool = parts.execution({ setup: { native: 'auto', store: store.handle }, workers });
      try {
        for (let block = 0; block < 6; block++) {
          const candidates = blocks.next(world, 40);
          const serial = serially(candidates);
          const parallel = await executorOn(pool).execute({ env: world.env(), branch: [] }, candidates);
          assert.equal(textOfBlock(parallel), textOfBlock(serial));
          await commit(serial);
        }
      } finally {
        await pool.stop();
      }
    });
  }

  test('give the same result on a branch of pending blocks and once these are committed', async () => {
    const setup = { native: 'auto', store: store.handle } as const;
    const pool = parts.execution({ setup, workers: 2 });
    const solo = parts.execution({ setup, workers: 1 });
    try {
      const ahead = world.fork();
      const branch: PendingBlockState[] = [];
      const executed: { readonly candidates: Candidates<VerifiedTransaction>; readonly text: string }[] = [];
      for (let depth = 0; depth < 4; depth++) {
        const candidates = blocks.next(ahead, 40);
        const base = { env: ahead.env(), branch: [...branch] };
        const block = await executorOn(pool).execute(base, candidates);
        const alone = new BlockExecutor(
          new AccountCache(store, world.crypto, 1_000),
          store,
          world.crypto,
          solo,
        );
        assert.equal(textOfBlock(await alone.execute(base, candidates)), textOfBlock(block));
        executed.push({ candidates, text: textOfBlock(block) });
        branch.push(new PendingBlockState(ahead.height, block));
        ahead.commit(block);
      }
      for (const { candidates, text } of executed) {
        const serial = serially(candidates);
        assert.equal(text, textOfBlock(serial));
        await commit(serial);
      }
    } finally {
      await pool.stop();
      await solo.stop();
    }
  });

  for (const [name, deadly] of [
    ['one worker dies', [1]],
    ['every worker dies once', [0, 1]],
    ['tasks cost two workers each', [0, 1, 2, 3, 4, 5]],
  ] as const) {
    test(`are correct although ${name} midway`, async () => {
      const begun = join(parts.directory, `begun-${deadly.length}`);
      writeFileSync(begun, '');
      const setup: DyingSetup = { native: 'auto', store: store.handle, begun, deadly };
      const pool = parts.execution({ setup, workers: 2, worker: MORTAL });
      try {
        const candidates = blocks.next(world, 60);
        const serial = serially(candidates);
        const parallel = await executorOn(pool).execute({ env: world.env(), branch: [] }, candidates);
        assert.equal(textOfBlock(parallel), textOfBlock(serial));
        await commit(serial);
      } finally {
        await pool.stop();
      }
    });
  }

  test('decided by others are executed completely, even if one of their transactions crashed a worker', async () => {
    const begun = join(parts.directory, 'begun-decided');
    writeFileSync(begun, '');
    const deadly = [0, 1, 2, 3];
    const setup: DyingSetup = { native: 'auto', store: store.handle, begun, deadly, atFirstUnit: true };
    const pool = parts.execution({ setup, workers: 2, worker: MORTAL });
    try {
      const candidates = blocks.next(world, 60);
      const serial = serially(candidates);
      await assert.rejects(
        executorOn(pool).execute({ env: world.env(), branch: [] }, candidates),
        CandidatesAtFault,
      );
      const decided = await executorOn(pool).executeDecided({ env: world.env(), branch: [] }, candidates);
      assert.equal(textOfBlock(decided), textOfBlock(serial));
      await commit(serial);
    } finally {
      await pool.stop();
    }
  });
});
