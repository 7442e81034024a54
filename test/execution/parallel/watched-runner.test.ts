import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atomicGroupsOf } from '../../../src/execution/atomic-groups.js';
import { CandidatesAtFault } from '../../../src/execution/candidates-at-fault.js';
import type { ContractMachine } from '../../../src/execution/contract-machine.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { DecodedOverlay } from '../../../src/execution/parallel/block-overlay.js';
import { SharedAllowance } from '../../../src/execution/parallel/loss-allowance.js';
import { speculate } from '../../../src/execution/parallel/speculate.js';
import { encodeGroups, type SpeculationInput } from '../../../src/execution/parallel/speculation-input.js';
import { GROUP_TIME, WatchedRunner } from '../../../src/execution/parallel/watched-runner.js';
import { BlockWorld, numbered, unsigned } from '../../support/worlds/block-world.js';
import { fakePool } from '../../support/worlds/fake-pool.js';

const GAS = 2_000_000n;

function allowanceOf(gas: bigint): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(8);
  new SharedAllowance(buffer).add(gas);
  return buffer;
}

test('throwing units use up the gas of the round, and units after its end stay undecided', async () => {
  const world = await BlockWorld.open();
  let calls = 0;
  // A transaction reads `committedHash` once.
  const machine: Pick<ContractMachine, 'committedHash'> = {
    get committedHash() {
      if (++calls > 1) throw new RangeError('expected u128');
      return world.machine.committedHash;
    },
  };
  const pool = fakePool({
    speculate: async (input) =>
      speculate(input, {
        source: world.state,
        machine: machine as ContractMachine,
        overlay: new DecodedOverlay(),
      }),
  });
  const runner = new WatchedRunner(pool, () => GAS, GROUP_TIME);
  const transactions = Array.from({ length: 10 }, (_, place) =>
    unsigned(
      world.crypto,
      numbered(place + 1),
      0n,
      { type: 'call', value: { contract: numbered(99), input: new Uint8Array(0), value: 0n } },
      { gas: GAS },
    ),
  );
  const input: SpeculationInput = {
    env: world.env(),
    groups: encodeGroups(
      atomicGroupsOf({ transactions, bundles: [] }),
      () => false,
      () => 0,
    ),
    exact: false,
    from: 0,
    allowance: allowanceOf(10n * GAS),
    gasLeft: 3n * GAS,
    gasSpent: new SharedArrayBuffer(8),
    gasSpentBefore: 0n,
    codes: [],
  };
  await assert.rejects(
    runner.run(input),
    (error) => error instanceof CandidatesAtFault && error.faults.length === 3,
  );
  assert.deepEqual(
    runner.faults.map(({ start }) => start),
    [1, 2, 3],
  );
  assert.deepEqual([...runner.proven()], [0]);
});

test('an aborted block cancels its tasks and blames none of its transactions', async () => {
  const world = await BlockWorld.open();
  const giveUp = new AbortController();
  let tries = 0;
  const pool = fakePool({
    speculate: (input, { cancellation }) =>
      new Promise((_, reject) => {
        tries++;
        if (input.progress !== undefined) Atomics.store(input.progress, 0, 1);
        cancellation?.onCancel(() => reject(new ExecutionError('aborted', 'given up')));
        setImmediate(() => giveUp.abort(new Error('of no more use')));
      }),
  });
  const runner = new WatchedRunner(pool, () => GAS, GROUP_TIME, giveUp.signal);
  const input: SpeculationInput = {
    env: world.env(),
    groups: encodeGroups(
      [],
      () => false,
      () => 0,
    ),
    exact: false,
    from: 0,
    allowance: allowanceOf(0n),
    gasLeft: GAS,
    gasSpent: new SharedArrayBuffer(8),
    gasSpentBefore: 0n,
    codes: [],
  };
  await assert.rejects(runner.run(input), /of no more use/);
  await assert.rejects(runner.run(input), /of no more use/);
  assert.deepEqual([tries, runner.faults.length], [1, 0]);
});
