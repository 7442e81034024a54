import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessRecorder } from '../../src/execution/access-recorder.js';
import { executeTransaction } from '../../src/execution/execute-transaction.js';
import { GasWithheld } from '../../src/execution/gas-dependence.js';
import { recordedAccesses } from '../../src/execution/parallel/access-keys.js';
import { WorldState } from '../../src/execution/world-state.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../src/load/workload.js';
import { sweep } from '../support/sweep.js';
import { BlockWorld } from '../support/worlds/block-world.js';
import { deployRandomContracts, RandomBlocks } from '../support/worlds/random-blocks.js';

const BLOCKS = sweep(12);

/** The whole outcome and effects of a transaction, as text; undefined if it needs gas that is withheld. */
function outcomeOf(world: BlockWorld, { signed, sender }: VerifiedTransaction, mostGas?: bigint) {
  const recorder = new AccessRecorder();
  const state = new WorldState(world.state, recorder);
  state.begin(0);
  const { transaction } = signed;
  if (transaction.action.type === 'sealed') throw new TypeError('expected no envelope');
  const limit = mostGas === undefined ? {} : { mostGas };
  const context = { state, env: world.env(), machine: world.machine, ...limit };
  try {
    const outcome = executeTransaction(transaction, sender, context);
    const effects = {
      outcome,
      accesses: [...recordedAccesses(recorder, state)],
      reads: [...recorder.slotReads],
      writes: [...recorder.slotWrites].map((name) => state.slotWrite(name)),
      balances: [...recorder.balances].map(([address, bounds]) => [
        address,
        bounds,
        state.peekAccount(address),
      ]),
      contracts: [...recorder.contractReads],
    };
    const text = JSON.stringify(effects, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    return { gasUsed: outcome.gasUsed, outcome: outcome.outcome, text };
  } catch (error) {
    if (!(error instanceof GasWithheld)) throw error;
    assert.ok(error.unused >= 0n && mostGas !== undefined && error.unused <= mostGas);
    return undefined;
  }
}

test('a transaction given only part of its gas has its full outcome or none', async () => {
  const world = await BlockWorld.open();
  const contracts = deployRandomContracts(world);
  const random = seededRandom(20);
  const blocks = new RandomBlocks(world.crypto, contracts, random);
  const counts = { kept: 0, ended: 0, sufficed: 0, failed: 0 };
  for (let number = 0; number < BLOCKS; number++) {
    const candidates = blocks.next(world, 16);
    for (const transaction of candidates.transactions) {
      const { gas_limit: limit } = transaction.signed.transaction;
      if (limit > 10_000_000n) continue;
      const whole = outcomeOf(world, transaction);
      assert.ok(whole !== undefined);
      const fractions = [random(), random() ** 3].map((share) => BigInt(Math.floor(share * Number(limit))));
      for (const most of [...fractions, whole.gasUsed - 1n, whole.gasUsed, whole.gasUsed + 100_000n]) {
        const part = outcomeOf(world, transaction, most);
        if (part === undefined) counts.ended++;
        else {
          assert.equal(part.text, whole.text);
          counts.kept++;
          if (whole.outcome !== 'success') counts.failed++;
        }
        if (most < whole.gasUsed && most < limit) assert.equal(part, undefined);
        if (most === whole.gasUsed && most < limit && part !== undefined) counts.sufficed++;
      }
    }
    world.commit(world.serially(candidates));
  }
  const found = JSON.stringify(counts);
  assert.ok(counts.kept > 35 * BLOCKS && counts.ended > 15 * BLOCKS && counts.sufficed > 8 * BLOCKS, found);
  assert.ok(counts.failed > 10 * BLOCKS, found);
});
