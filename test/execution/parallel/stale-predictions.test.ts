import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Candidates } from '../../../src/execution/atomic-groups.js';
import { BlockExecution } from '../../../src/execution/block-execution.js';
import { encodeByteStrings } from '../../../src/execution/parallel/flat-bytes.js';
import { LOSS_PER_WORKER } from '../../../src/execution/parallel/loss-allowance.js';
import { addInParallel } from '../../../src/execution/parallel/parallel-execution.js';
import { decodePredictions, predict } from '../../../src/execution/parallel/predict.js';
import type { Prediction, Predictions } from '../../../src/execution/parallel/predictions.js';
import type { SpeculationBudget } from '../../../src/execution/parallel/speculation-budget.js';
import { ledger } from '../../../src/ledger/codecs.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../../src/load/workload.js';
import {
  IF_ABSENT,
  IF_FOUND,
  type Operation,
  operations,
  operationsContract,
  READ,
  SPIN,
  slot,
  spin,
  WRITE,
} from '../../support/contracts/operations-contract.js';
import { sweep } from '../../support/sweep.js';
import { BlockWorld, numbered, textOfBlock, unsigned } from '../../support/worlds/block-world.js';
import { ArbitraryBudget, InProcessRunner } from '../../support/worlds/speculation-runners.js';

/*
 * Blocks of calls whose cost and conflicts depend on slots that were written after the calls were predicted. Results must match
 * serial execution, and the gas lost must stay within its bound, which holds even if time does not matter at all.
 */

const BLOCKS = sweep(4);
const CALLS = 50;
const SENDERS = 130;
const WORKERS = [1, 2, 4, 8] as const;
const PREDICTED_AT_MOST = 20_000_000n;

/** Never gives up for lack of time. */
class EndlessBudget implements SpeculationBudget {
  begin(): void {
    // Ignores time.
  }

  worked(): void {
    // Ignores time.
  }

  merged(): void {
    // Ignores time.
  }

  gasIn(): number {
    return 0;
  }

  isWasted(): boolean {
    return false;
  }

  spareGas(): number {
    return Number.POSITIVE_INFINITY;
  }
}

describe('blocks with stale predictions', () => {
  let furnished: BlockWorld;
  let contract: Uint8Array;
  let gasPerRound = 0;

  before(async () => {
    furnished = await BlockWorld.open();
    for (let number = 0; number < SENDERS; number++) furnished.state.fund(numbered(number), 10n ** 20n);
    contract = furnished.deploy(numbered(0), operationsContract());
    const gasOf = (rounds: number) => {
      const block = furnished.do(numbered(0), callAction(spin(rounds)));
      return Number(ledger.LedgerReceipt.decode(block.receipts[0] ?? new Uint8Array(0)).gas_used);
    };
    gasPerRound = (gasOf(10_000) - gasOf(0)) / 10_000;
  });

  function callAction(input: Uint8Array) {
    return { type: 'call', value: { contract, input, value: 0n } } as const;
  }

  /** A call that differs from its prediction once `flag` is set. */
  function staleCall(flag: Uint8Array, random: () => number): Uint8Array {
    const list: Operation[] = [];
    const below = (most: number) => Math.floor(random() * most);
    const steps = 1 + below(3);
    for (let step = 0; step < steps; step++) {
      const when = [0, IF_FOUND, IF_ABSENT][below(3)] ?? 0;
      const place = slot('shared', below(4));
      if (random() < 0.7) list.push([READ, random() < 0.7 ? flag : place]);
      const kind = [READ, WRITE, SPIN][below(3)] ?? SPIN;
      list.push([kind + when, kind === SPIN ? below(random() < 0.2 ? 200_000 : 2_000) : place]);
    }
    return operations(list);
  }

  /** Predicts calls on the state of a world. */
  function predictedOn(world: BlockWorld, transactions: readonly VerifiedTransaction[]): Predictions {
    const known = new Map<TransactionEnvelope, Prediction>();
    for (const transaction of transactions) {
      const input = { env: world.env(), transactions: encodeByteStrings([transaction.encoded]) };
      const [prediction] = decodePredictions(
        predict(input, { source: world.state, machine: world.machine }, () => 0),
      );
      if (prediction !== undefined) known.set(transaction, prediction);
    }
    return { of: (transaction) => known.get(transaction) };
  }

  function callsOf(world: BlockWorld, inputs: readonly Uint8Array[], gas: bigint): VerifiedTransaction[] {
    return inputs.map((input, number) =>
      unsigned(world.crypto, numbered(number + 1), 0n, callAction(input), { gas }),
    );
  }

  async function execute(
    world: BlockWorld,
    candidates: Candidates<VerifiedTransaction>,
    predictions: Predictions,
    options: {
      readonly workers: number;
      readonly random: () => number;
      readonly budget: SpeculationBudget;
      readonly lossPerWorker?: number;
    },
  ) {
    const { workers, random, ...bounds } = options;
    const block = new BlockExecution(world.env(), world.state);
    const runner = new InProcessRunner(workers, world.state, world.machine, random);
    const minTaskGas = random() < 0.5 ? 0 : 500_000;
    const parts = { env: world.env(), runner, predictions, minTaskGas, ...bounds };
    const statistics = await addInParallel(parts, candidates, block);
    return { block: block.finish(), statistics, cutOff: runner.cutOff };
  }

  test('give the result of serial execution', async () => {
    let cutOff = 0;
    for (let seed = 1; seed <= BLOCKS; seed++) {
      const random = seededRandom(seed);
      const world = furnished.fork();
      const flag = slot('flag', seed);
      const inputs = Array.from({ length: CALLS }, () => staleCall(flag, random));
      const transactions = callsOf(world, inputs, random() < 0.5 ? 2_000_000n : 50_000_000n);
      const predictions = predictedOn(world, transactions);
      world.do(numbered(0), callAction(operations([[WRITE, flag]])));
      const bundles = random() < 0.5 ? [] : [{ start: 3, length: 4 }];
      const candidates = { transactions, bundles };
      const expected = textOfBlock(world.serially(candidates));
      for (const workers of WORKERS) {
        for (const budget of [new EndlessBudget(), new ArbitraryBudget(random)]) {
          const lossPerWorker = 10 ** (4 + 5 * random());
          const options = { workers, random, budget, lossPerWorker };
          const executed = await execute(world, candidates, predictions, options);
          assert.equal(textOfBlock(executed.block), expected, `seed ${seed}, ${workers} workers`);
          cutOff += executed.cutOff;
        }
      }
    }
    assert.ok(cutOff > BLOCKS, `${cutOff} cut off`);
  });

  test('lose at most a tenth of their gas, however long their calls have become', async () => {
    for (let seed = 1; seed <= BLOCKS; seed++) {
      const random = seededRandom(seed);
      const world = furnished.fork();
      const [flag, written] = [slot('flag', seed), slot('written', seed)];
      const long = Math.round((4e6 + 12e6 * random()) / gasPerRound);
      const reader = operations([
        [READ, flag],
        [SPIN + IF_FOUND, long],
        [READ + IF_FOUND, written],
      ]);
      const writer = operations([
        [READ, flag],
        [WRITE + IF_FOUND, written],
        [SPIN, 100_000],
      ]);
      const readers = 2 + Math.floor(random() * 6);
      const short = Array.from({ length: Math.floor(random() * 60) }, () => spin(100));
      const inputs = [writer, ...new Array<Uint8Array>(readers).fill(reader), ...short];
      const transactions = callsOf(world, inputs, random() < 0.5 ? 35_000_000n : 400_000_000n);
      const predictions = predictedOn(world, transactions);
      assert.ok(Number(predictions.of(transactions[1] as TransactionEnvelope)?.gas) < PREDICTED_AT_MOST);
      world.do(numbered(0), callAction(operations([[WRITE, flag]])));
      const candidates = { transactions, bundles: [] };
      const serial = world.serially(candidates);
      const gas = serial.receipts.map((receipt) => Number(ledger.LedgerReceipt.decode(receipt).gas_used));
      const shortGas = gas.slice(1 + readers).reduce((sum, each) => sum + each, 0);
      for (const workers of WORKERS) {
        const options = { workers, random, budget: new EndlessBudget() };
        const { block, statistics } = await execute(world, candidates, predictions, options);
        assert.equal(textOfBlock(block), textOfBlock(serial), `seed ${seed}, ${workers} workers`);
        // Short calls whose outcomes are kept permit as much loss again.
        const bound = Math.max(workers * LOSS_PER_WORKER, Number(serial.gasUsed) / 10) + shortGas;
        const wasted = Number(statistics.wastedGas);
        assert.ok(
          wasted <= bound,
          `seed ${seed}, ${workers} workers: ${wasted} of ${serial.gasUsed} gas wasted`,
        );
      }
    }
  });
});
