import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExecutedCandidates, ExecutionBase } from '../../../src/chain/executed-candidates.js';
import { groupsIn, isolateFaults } from '../../../src/chain/faults/contained-execution.js';
import { CandidatesAtFault } from '../../../src/execution/candidates-at-fault.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import type { VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import type { Selection } from '../../../src/mempool/draw/block-draw.js';
import { StoreError } from '../../../src/storage/store-error.js';
import { allIncluded } from '../../support/worlds/executed-candidates.js';
import { poolBundle, poolTransaction } from '../../support/worlds/pool-world.js';

const BASE: ExecutionBase = {
  env: { chainId: 1n, height: 1n, timestampMs: 1n, baseFee: 1n, slotPrice: 1n, gasLimit: 1n, proposer: '' },
  branch: [],
};
const EMPTY_BATCH = { type: 'batch', value: [] } as const;

/** `count` candidates that run code. */
function calls(count: number): VerifiedTransaction[] {
  return Array.from({ length: count }, (_, nonce) => poolTransaction({ nonce, action: EMPTY_BATCH }));
}

function alone(transactions: readonly VerifiedTransaction[]): Selection {
  return { transactions, bundles: [] };
}

/** Executes candidates unless a bad one is among them; the error names the bad one if `says`. */
class Executor {
  tries = 0;
  readonly #bad: ReadonlySet<string>;
  readonly #says: boolean;

  constructor(bad: Iterable<VerifiedTransaction>, says: boolean) {
    this.#bad = new Set([...bad].map(({ hashHex }) => hashHex));
    this.#says = says;
  }

  readonly execute = async (_: ExecutionBase, selection: Selection): Promise<ExecutedCandidates> => {
    this.tries++;
    const groups = groupsIn(selection);
    const bad = groups.filter(({ members }) => members.some(({ hashHex }) => this.#bad.has(hashHex)));
    if (bad.length === 0) return allIncluded(selection);
    if (!this.#says) throw new RangeError('expected u128');
    const [first] = bad;
    const before = groups.filter(({ start }) => start < (first?.start ?? 0)).map(({ start }) => start);
    const faults = first === undefined ? [] : [{ start: first.start, message: 'expected u128' }];
    throw new CandidatesAtFault(faults, new Set(before));
  };

  async run(selection: Selection) {
    const thrown = await this.execute(BASE, selection).catch((error: unknown) => error);
    return isolateFaults(BASE, selection, thrown, this.execute, () => 0);
  }
}

for (const says of [true, false]) {
  const how = says ? 'execution names it' : 'nobody names it';
  test(`one faulty candidate is found if ${how}, and all others are executed in order`, async () => {
    const all = calls(500);
    for (const place of [0, 1, 249, 250, 498, 499]) {
      const bad = all.slice(place, place + 1);
      const executor = new Executor(bad, says);
      const { faults, selection, deferred } = await executor.run(alone(all));
      assert.deepEqual(
        faults.map(({ group }) => group.name),
        bad.map(({ hashHex }) => hashHex),
      );
      assert.deepEqual(selection.transactions, [...all.slice(0, place), ...all.slice(place + 1)]);
      assert.equal(deferred, 0);
      // Each halving takes at most two tries, one of which succeeds.
      assert.ok(executor.tries <= (says ? 2 : 2 + 2 * Math.ceil(Math.log2(500))), `${executor.tries} tries`);
    }
  });

  test(`a hundred faulty candidates are found if ${how}`, async () => {
    const all = calls(400);
    const bad = all.filter((_, place) => place % 4 === 3);
    const executor = new Executor(bad, says);
    const { faults, selection } = await executor.run(alone(all));
    assert.equal(faults.length, 100);
    assert.deepEqual(
      selection.transactions,
      all.filter((_, place) => place % 4 !== 3),
    );
    assert.ok(executor.tries < 1_000, `${executor.tries} tries`);
  });
}

test('a faulty bundle is blamed as a whole, under its own hash', async () => {
  const all = calls(6);
  const bundle = poolBundle(all.slice(2, 5));
  const selection = { transactions: all, bundles: [{ start: 2, length: 3, hashHex: bundle.hashHex }] };
  for (const says of [true, false]) {
    const { faults, selection: left } = await new Executor(all.slice(3, 4), says).run(selection);
    assert.deepEqual(
      faults.map(({ group }) => group.name),
      [bundle.hashHex],
    );
    assert.deepEqual(left, { transactions: [...all.slice(0, 2), ...all.slice(5)], bundles: [] });
  }
  const { selection: left } = await new Executor(all.slice(0, 1), false).run(selection);
  assert.deepEqual(left.bundles, [{ start: 1, length: 3, hashHex: bundle.hashHex }]);
});

test('if all candidates are faulty, nothing is executed', async () => {
  const all = calls(9);
  const { faults, selection, outcome } = await new Executor(all, false).run(alone(all));
  assert.equal(faults.length, 9);
  assert.deepEqual(selection.transactions, []);
  assert.deepEqual(outcome.transactions, []);
});

test('failures of the store, of shutdown, or of an empty block blame no candidate', async () => {
  const all = calls(3);
  const causes = [
    new StoreError('read_failed', 'the disk is gone'),
    new ExecutionError('stopped', 'the workers are being stopped'),
    new ExecutionError('task_failed', 'speculate', { cause: new StoreError('read_failed', 'gone') }),
  ];
  for (const cause of causes) {
    const fail = () => Promise.reject(cause);
    await assert.rejects(async () => isolateFaults(BASE, alone(all), cause, fail), cause);
  }
  const broken = new Error('never works');
  await assert.rejects(
    isolateFaults(BASE, alone(all), broken, () => Promise.reject(broken)),
    broken,
  );
});

test('overloaded workers delay code but not transfers', async () => {
  const transfer = poolTransaction({ from: 'carol' });
  const all = [...calls(3), transfer];
  const executor = new Executor([], false);
  const crowded = new ExecutionError('overloaded', 'too much');
  const { faults, selection, deferred } = await isolateFaults(BASE, alone(all), crowded, executor.execute);
  assert.deepEqual([faults, selection.transactions, deferred], [[], [transfer], 3]);
});

test('when time is up the block continues with the known good candidates, and the rest waits', async () => {
  const all = [...calls(40), poolTransaction({ from: 'carol' })];
  const bad = all.filter((_, place) => place % 10 === 9);
  const executor = new Executor(bad, true);
  let time = 0;
  const thrown = await executor.execute(BASE, alone(all)).catch((error: unknown) => error);
  const { faults, selection, deferred } = await isolateFaults(
    BASE,
    alone(all),
    thrown,
    executor.execute,
    () => {
      time += 2_500;
      return time;
    },
  );
  assert.deepEqual(
    faults.map(({ group }) => group.name),
    bad.slice(0, 1).map(({ hashHex }) => hashHex),
  );
  assert.deepEqual(selection.transactions, [...all.slice(0, 9), ...all.slice(40)]);
  assert.equal(deferred, 30);
});
