import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { clustersOf } from '../../../src/execution/parallel/plan.js';
import { predict } from '../../../src/execution/parallel/predict.js';
import { Predictor } from '../../../src/execution/parallel/predictor.js';
import type { RunOptions } from '../../../src/execution/task-runner.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { BlockWorld, hexOf, numbered, unsigned } from '../../support/worlds/block-world.js';
import { contractAbi } from '../../support/worlds/contract-world.js';
import { fakePool, type TaskHandlers } from '../../support/worlds/fake-pool.js';
import { deployRandomContracts, type RandomContracts } from '../../support/worlds/random-blocks.js';

const token = contractAbi('token');

describe('the accesses of transactions are predicted', () => {
  let world: BlockWorld;
  let contracts: RandomContracts;

  before(async () => {
    world = await BlockWorld.open();
    contracts = deployRandomContracts(world);
  });

  function payment(from: number, to: Uint8Array): VerifiedTransaction {
    const input = token.function('transfer').encodeCall({ to: `0x${hexOf(to)}`, amount: '7' });
    const sender = numbered(from);
    const call = { contract: contracts.tokenA, input, value: 0n };
    return unsigned(world.crypto, sender, world.nonce(sender), { type: 'call', value: call });
  }

  /** A predictor that uses this thread as its worker. */
  function predictor(
    changes: {
      readonly load?: number;
      readonly fail?: unknown;
      readonly mayTry?: (transaction: TransactionEnvelope) => boolean;
    } = {},
  ) {
    const errors: unknown[] = [];
    let tasks = 0;
    const doers: TaskHandlers = {
      predict: async (input) => {
        tasks++;
        if (changes.fail !== undefined) throw changes.fail;
        // The time slice never ends, even on a slow machine.
        return predict(input, { source: world.state, machine: world.machine }, () => 0);
      },
    };
    const made = new Predictor({
      pool: fakePool(doers, { load: changes.load ?? 0, workers: 2 }),
      environment: () => world.env(),
      onError: (error) => errors.push(error),
      ...(changes.mayTry === undefined ? {} : { shouldPredict: changes.mayTry }),
    });
    return { predictor: made, errors, tasks: () => tasks };
  }

  async function settle(): Promise<void> {
    for (let turns = 0; turns < 10; turns++) await turn();
  }

  test('by trying them together, which separates independent ones', async () => {
    const { predictor: tested, tasks } = predictor();
    const stranger = numbered(900);
    const payments = [
      payment(1, numbered(901)),
      payment(2, stranger),
      payment(3, numbered(902)),
      payment(4, stranger),
    ];
    for (const each of payments) tested.enqueue(each);
    await settle();
    assert.equal(tasks(), 1);
    const known = payments.map((each) => tested.of(each)).filter((group) => group !== undefined);
    assert.equal(known.length, 4);
    assert.ok(known.every(({ gas }) => gas > 20_000));
    const clusters = clustersOf(known.map(({ accesses }) => accesses));
    assert.equal(new Set(clusters).size, 3);
    assert.equal(clusters[1], clusters[3], 'who pays the same account writes the same slot');
  });

  test('without trying for transfers and deployments', async () => {
    const { predictor: tested, tasks } = predictor();
    const transfer = { type: 'transfer', value: { to: numbered(5), amount: 1n } } as const;
    tested.enqueue(unsigned(world.crypto, numbered(1), 0n, transfer));
    await settle();
    assert.equal(tasks(), 0);
  });

  test('for other accounts even if one account sent more than are tried', async () => {
    const { predictor: tested } = predictor();
    const flood = payment(1, numbered(901));
    for (let sent = 0; sent < 2_000; sent++) tested.enqueue(flood);
    const honest = payment(2, numbered(902));
    tested.enqueue(honest);
    assert.equal(tested.skipped, 2_000 - 512, 'half of the places stay for others');
    for (let turns = 0; tested.of(honest) === undefined && turns < 1_000; turns++) await turn();
    assert.ok(tested.of(honest) !== undefined);
  });

  test('unless they have left the pool before their turn', async () => {
    const gone = new Set<TransactionEnvelope>();
    const { predictor: tested, tasks } = predictor({ mayTry: (transaction) => !gone.has(transaction) });
    const [first, second] = [payment(1, numbered(901)), payment(2, numbered(902))];
    tested.enqueue(first);
    tested.enqueue(second);
    gone.add(first);
    await settle();
    assert.equal(tasks(), 1);
    assert.equal(tested.of(first), undefined);
    assert.ok(tested.of(second) !== undefined);
  });

  test('only by workers that have nothing else to do', async () => {
    const { predictor: tested, tasks } = predictor({ load: 2 });
    const waiting = payment(1, numbered(901));
    tested.enqueue(waiting);
    await settle();
    assert.equal(tasks(), 0);
    assert.equal(tested.of(waiting), undefined);
    assert.equal(tested.skipped, 1);
  });

  test('and a failure is reported and leaves the transactions without predictions', async () => {
    const failed = new ExecutionError('worker_died', 'two workers died');
    const { predictor: tested, errors } = predictor({ fail: failed });
    const offered = payment(1, numbered(901));
    tested.enqueue(offered);
    await settle();
    assert.deepEqual(errors, [failed]);
    assert.equal(tested.of(offered), undefined);
  });

  test('for a limited time: a batch that never ends is terminated and the next one runs', async () => {
    const tried: number[] = [];
    const given: RunOptions[] = [];
    const doers: TaskHandlers = {
      predict: async (input, options) => {
        given.push(options);
        if (given.length > 1) return predict(input, { source: world.state, machine: world.machine });
        return new Promise((_, reject) => {
          options.cancellation?.onCancel(() => reject(new ExecutionError('aborted', 'it took too long')));
        });
      },
    };
    const errors: unknown[] = [];
    const tested = new Predictor({
      pool: fakePool(doers),
      environment: () => world.env(),
      maxBatchMs: 20,
      onPredict: (transactions) => tried.push(transactions.length),
      onError: (error) => errors.push(error),
    });
    const [endless, next] = [payment(1, numbered(901)), payment(2, numbered(902))];
    tested.enqueue(endless);
    await settle();
    tested.enqueue(next);
    while (errors.length === 0) await sleep(5);
    await settle();
    assert.equal(errors.length, 1);
    assert.equal(given[0]?.once, true, 'it would take another worker with it');
    assert.deepEqual([tested.of(endless), tested.of(next) === undefined], [undefined, false]);
    assert.deepEqual(tried, [1, 0, 1, 0]);
  });
});
