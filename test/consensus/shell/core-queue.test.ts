import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { Effect, JournalEntry } from '../../../src/consensus/core/types.js';
import { CoreQueue } from '../../../src/consensus/shell/core-queue.js';
import { ManualRuntime } from '../../support/worlds/manual-runtime.js';

function entry(view: number): JournalEntry {
  const message = { kind: 'nullify', epoch: 0, view, parentView: 0, hash: '00'.repeat(32) } as const;
  return { type: 'vote', message };
}

const journal = (view: number): Effect => ({ type: 'journal', entries: [entry(view)] });
const drop = (peer: number): Effect => ({ type: 'drop_peers', peers: [peer] });
const leaderTimer = (atMs: number): Effect => ({ type: 'set_timer', timer: 'leader', atMs });

/** A queue whose syncs complete when the test says so, before a core that returns the given effects. */
function watched() {
  const done: string[] = [];
  const syncs: (() => void)[] = [];
  const failures: unknown[] = [];
  const runtime = new ManualRuntime();
  let steps: () => readonly Effect[] = () => [];
  const queue = new CoreQueue({
    runtime: { ...NODE_RUNTIME, now: runtime.now, after: runtime.after },
    core: {
      step: (event) => {
        if (event.type === 'timer') done.push(`timer at ${event.nowMs}`);
        return steps();
      },
    },
    journal: {
      append: (entries) => {
        done.push(`sync ${entries.length}`);
        return new Promise((resolve) => syncs.push(resolve));
      },
    },
    known: { get: () => undefined },
    lifecycle: { fail: (error) => failures.push(error) },
  });
  queue.connect((effect) => {
    done.push(effect.type === 'drop_peers' ? `drop ${effect.peers[0]}` : effect.type);
    return effect.type === 'epoch_ended' ? Promise.reject(new Error('no next epoch')) : undefined;
  });
  const step = (returned: () => readonly Effect[]) => {
    steps = returned;
    queue.push({ type: 'listened' });
    steps = () => [];
  };
  return {
    queue,
    push: (effects: readonly Effect[]) => step(() => effects),
    step,
    done,
    syncs,
    failures,
    runtime,
  };
}

test('no effect runs before earlier writes are on disk', async () => {
  const { push, done, syncs } = watched();
  push([drop(1), journal(1), drop(2)]);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(done, ['drop 1', 'sync 1']);
  syncs[0]?.();
  await nextTurn();
  assert.deepEqual(done, ['drop 1', 'sync 1', 'drop 2']);
});

test('all steps of a turn share one sync and keep their order', async () => {
  const { push, done, syncs } = watched();
  push([journal(1), drop(1)]);
  push([journal(2), drop(2)]);
  push([journal(3)]);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(done, ['sync 3']);
  push([journal(4), drop(4)]);
  syncs[0]?.();
  await nextTurn();
  await nextTurn();
  assert.deepEqual(done, ['sync 3', 'drop 1', 'drop 2', 'sync 1']);
  syncs[1]?.();
  await nextTurn();
  assert.equal(done.at(-1), 'drop 4');
});

test('timers are set without waiting for the sync', () => {
  const { push, done, runtime } = watched();
  push([journal(1), leaderTimer(runtime.now() + 5), drop(1)]);
  runtime.advance(4);
  assert.deepEqual(done, []);
  runtime.advance(1);
  assert.deepEqual(done, ['timer at 10005']);
});

test('a timer set again replaces the earlier one, and a cancelled one does not fire', () => {
  const { push, done, runtime } = watched();
  push([leaderTimer(runtime.now() + 5), leaderTimer(runtime.now() + 9)]);
  runtime.advance(8);
  assert.deepEqual(done, []);
  runtime.advance(1);
  assert.deepEqual(done, ['timer at 10009']);
  push([leaderTimer(runtime.now() + 5), { type: 'cancel_timer', timer: 'leader' }]);
  assert.equal(runtime.timers, 0);
});

test('timers of a paused clock fire once it resumes', () => {
  const { push, queue, done, runtime } = watched();
  push([leaderTimer(runtime.now() + 5)]);
  queue.clock.pause();
  runtime.advance(20);
  assert.deepEqual(done, []);
  queue.clock.resume();
  runtime.advance(0);
  assert.deepEqual(done, ['timer at 10020']);
});

test('after a failure no further effect of the queue runs, and no timer', async () => {
  const { push, done, failures, runtime } = watched();
  push([leaderTimer(runtime.now() + 5), { type: 'epoch_ended', epoch: 0 }, drop(1)]);
  await nextTurn();
  push([drop(2)]);
  assert.deepEqual(done, ['epoch_ended']);
  assert.equal(failures.length, 1);
  assert.equal(runtime.timers, 0);
});

test('an exception of the core ends the queue once', () => {
  const { push, step, done, failures } = watched();
  const error = new TypeError('undefined is no view');
  const raise = () => {
    throw error;
  };
  step(raise);
  step(raise);
  push([drop(1)]);
  assert.deepEqual([done, failures], [[], [error]]);
});

test('stopping drops waiting effects and timers, and waits for the sync in progress', async () => {
  const { push, queue, done, syncs, failures, runtime } = watched();
  push([leaderTimer(runtime.now() + 5), journal(1), drop(1)]);
  await nextTurn();
  await nextTurn();
  let isStopped = false;
  const stopped = queue.stop().then(() => {
    isStopped = true;
  });
  assert.equal(runtime.timers, 0);
  await nextTurn();
  assert.equal(isStopped, false);
  syncs[0]?.();
  await stopped;
  push([drop(2)]);
  assert.deepEqual([done, failures], [['sync 1'], []]);
});
