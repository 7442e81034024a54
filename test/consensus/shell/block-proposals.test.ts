import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockProposals } from '../../../src/consensus/shell/block-proposals.js';
import type { CoreInput } from '../../../src/consensus/shell/core-queue.js';
import { OwnProposal } from '../../../src/consensus/shell/own-proposal.js';
import type { ProposeEffect } from '../../../src/consensus/shell/ports.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { StoreError } from '../../../src/storage/store-error.js';
import { shellContext } from '../../support/worlds/shell-context.js';

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

/** Proposals on a chain whose proposals end in the given way, and what they tell the core and the log. */
function proposing(propose: () => Promise<never>) {
  const told: CoreInput[] = [];
  const reasons: unknown[] = [];
  const { log } = shellContext({});
  const context = shellContext({
    chain: { propose },
    events: { hasStarted: true, push: (event) => told.push(event) },
    log: { ...log, warn: (fields) => reasons.push(Object.entries(fields).at(-1)) },
  });
  const nothing = () => undefined;
  const proposals = new BlockProposals(context, {
    commits: { isIdle: true, idle: Promise.resolve() },
    manual: { claim: nothing },
    work: {
      pause: nothing,
      resume: nothing,
      selectionBegins: nothing,
      nothingSelected: nothing,
      reannounce: nothing,
    },
    own: new OwnProposal(undefined),
  });
  return { proposals, told, reasons };
}

for (const error of [
  new ExecutionError('task_failed', 'a dealing could not be checked'),
  new ExecutionError('worker_died', 'the worker ended'),
  new ExecutionError('overloaded', 'too much waits'),
]) {
  test(`${error.code}: there is no block of this view, and the next proposal is a new one`, async () => {
    let tries = 0;
    const { proposals, told, reasons } = proposing(async () => {
      tries++;
      throw error;
    });
    await proposals.propose(EFFECT);
    await proposals.propose({ ...EFFECT, view: 8 });
    assert.deepEqual(told, [
      { type: 'not_proposed', epoch: 0, view: 4 },
      { type: 'not_proposed', epoch: 0, view: 8 },
    ]);
    assert.deepEqual(reasons, [
      ['reason', error.message],
      ['reason', error.message],
    ]);
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
      proposing(() => Promise.reject(error)).proposals.propose(EFFECT),
      (thrown) => thrown === error,
    );
  });
}
