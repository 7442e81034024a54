import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { ProposalContext } from '../../../src/chain/propose-block.js';
import { ProposalRunner, type ProposeEffect } from '../../../src/consensus/shell/proposal-runner.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { StoreError } from '../../../src/storage/store-error.js';

const EFFECT: ProposeEffect = {
  type: 'propose',
  epoch: 0,
  view: 4,
  parentHash: '00'.repeat(32),
  parentView: 3,
  parentHeight: 7,
  allowEmpty: true,
  keysUntilMs: 0,
};

/** A runner on a chain whose proposals end in the given way. */
function proposing(propose: (context: ProposalContext) => Promise<never>): ProposalRunner {
  return new ProposalRunner({
    chain: { propose, onProposalEnded: () => undefined },
    commits: { isIdle: true, idle: Promise.resolve() },
    runtime: NODE_RUNTIME,
    wallMs: () => 1_000,
    requested: () => undefined,
    parts: () => ({}),
    keys: async () => ({}),
  });
}

for (const error of [
  new ExecutionError('task_failed', 'a dealing could not be checked'),
  new ExecutionError('worker_died', 'the worker ended'),
  new ExecutionError('overloaded', 'too much waits'),
]) {
  test(`${error.code}: there is no block of this view, and the next proposal is another one`, async () => {
    let tries = 0;
    const proposer = proposing(async () => {
      tries++;
      throw error;
    });
    const failed = { result: 'failed', reason: error.message };
    assert.deepEqual(await proposer.propose(EFFECT, 0), failed);
    assert.deepEqual(await proposer.propose({ ...EFFECT, view: 8 }, 0), failed);
    assert.equal(tries, 2);
  });
}

for (const [what, error] of [
  ['the store', new StoreError('write_failed', 'the disk is full')],
  [
    'a worker because of the store',
    new ExecutionError('task_failed', 'reading failed', { cause: new StoreError('write_failed', 'gone') }),
  ],
  ['the stopping of the workers', new ExecutionError('stopped', 'the pool is being stopped')],
  ['a fault of the program', new TypeError('undefined is no function')],
] as const) {
  test(`a failure through ${what} is thrown`, async () => {
    await assert.rejects(
      proposing(() => Promise.reject(error)).propose(EFFECT, 0),
      (thrown) => thrown === error,
    );
  });
}
