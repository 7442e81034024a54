import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { atomicGroupsOf, type Candidates } from '../../../src/execution/atomic-groups.js';
import { BlockExecution, type ExecutedBlock } from '../../../src/execution/block-execution.js';
import { addInParallel } from '../../../src/execution/parallel/parallel-execution.js';
import type { Predictions } from '../../../src/execution/parallel/predictions.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../../src/load/workload.js';
import { sweep } from '../../support/sweep.js';
import { BlockWorld, textOfBlock } from '../../support/worlds/block-world.js';
import {
  deployRandomContracts,
  RandomBlocks,
  type RandomContracts,
} from '../../support/worlds/random-blocks.js';
import { ArbitraryBudget, InProcessRunner } from '../../support/worlds/speculation-runners.js';

/*
 * Random blocks of transactions with varied limits, built in waves: for any waves and number of
 * workers, the block equals the one built from all candidates at once and re-executes to the same result.
 */

const CHAINS = sweep(3);
const BLOCKS_A_CHAIN = 10;
const WORKERS = [1, 2, 4, 8] as const;
const NOTHING: Predictions = { of: () => undefined };

type Drawn = Candidates<VerifiedTransaction>;

/** Splits candidates into waves and keeps bundles whole. */
function inWaves(candidates: Drawn, random: () => number): Drawn[] {
  const waves: { transactions: VerifiedTransaction[]; bundles: { start: number; length: number }[] }[] = [];
  for (const { members, length, bundle } of atomicGroupsOf(candidates)) {
    let wave = waves.at(-1);
    if (wave === undefined || random() < 0.2) {
      wave = { transactions: [], bundles: [] };
      waves.push(wave);
    }
    if (bundle) wave.bundles.push({ start: wave.transactions.length, length });
    wave.transactions.push(...members);
  }
  return waves;
}

describe('a block built in waves equals the block built at once', () => {
  let furnished: BlockWorld;
  let contracts: RandomContracts;
  const totals = { waves: 0, unfit: 0, included: 0, bundles: 0 };

  before(async () => {
    furnished = await BlockWorld.open();
    contracts = deployRandomContracts(furnished);
  });

  async function together(world: BlockWorld, waves: Drawn[], workers: number, random: () => number) {
    const block = new BlockExecution(world.env(), world.state);
    const options = {
      env: world.env(),
      runner: new InProcessRunner(workers, world.state, world.machine, random),
      predictions: NOTHING,
      minTaskGas: 0,
    };
    let offset = 0;
    for (const wave of waves) {
      if (wave.transactions.every(({ signed }) => signed.transaction.action.type === 'transfer')) {
        for (const unit of atomicGroupsOf(wave, offset)) block.add(unit);
      } else {
        const budget = random() < 0.5 ? { budget: new ArbitraryBudget(random) } : {};
        await addInParallel({ ...options, ...budget }, wave, block, offset);
      }
      offset += wave.transactions.length;
    }
    return block.finish();
  }

  function assertSameAgain(world: BlockWorld, { transactions }: Drawn, block: ExecutedBlock, place: string) {
    const out = new Set(block.excluded.map(({ index }) => index));
    const included = transactions.filter((_, index) => !out.has(index));
    const again = world.serially({ transactions: included, bundles: [] });
    const held = { ...block, excluded: [], failedBundles: [] };
    assert.equal(textOfBlock(again), textOfBlock(held), `${place}: executed again`);
  }

  async function chain(seed: number): Promise<void> {
    const random = seededRandom(seed);
    const world = furnished.fork();
    const blocks = new RandomBlocks(world.crypto, contracts, random);
    blocks.anyLimits = true;
    for (let number = 0; number < BLOCKS_A_CHAIN; number++) {
      world.gasLimit = 400_000n + BigInt(Math.floor(random() * 3_000_000));
      const candidates = blocks.next(world, 8 + Math.floor(random() * 24));
      const serial = world.serially(candidates);
      const workers = WORKERS[number % WORKERS.length] ?? 1;
      const waves = inWaves(candidates, random);
      const place = `seed ${seed}, block ${number}, ${waves.length} waves, ${workers} workers`;
      const block = await together(world, waves, workers, random);
      assert.equal(textOfBlock(block), textOfBlock(serial), place);
      assert.ok(block.gasUsed <= world.gasLimit, place);
      assertSameAgain(world, candidates, block, place);
      totals.waves += waves.length;
      totals.included += block.receipts.length;
      totals.unfit += block.excluded.filter(({ problem }) => problem === 'block_full').length;
      totals.bundles += candidates.bundles.length;
      world.commit(serial);
    }
  }

  test(`${CHAINS * BLOCKS_A_CHAIN} blocks, with 1, 2, 4 and 8 workers`, async () => {
    for (let seed = 1; seed <= CHAINS; seed++) await chain(seed);
  });

  test('the blocks cover enough hard cases', () => {
    assert.ok(totals.waves > 27 * CHAINS, `${totals.waves} waves`);
    assert.ok(totals.included > 33 * CHAINS, `${totals.included} included`);
    assert.ok(totals.unfit > 10 * CHAINS, `${totals.unfit} did not fit`);
    assert.ok(totals.bundles > 10 * CHAINS, `${totals.bundles} bundles`);
  });
});
