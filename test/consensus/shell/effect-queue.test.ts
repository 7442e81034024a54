import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Effect, JournalEntry } from '../../../src/consensus/core/types.js';
import { EffectQueue } from '../../../src/consensus/shell/effect-queue.js';

function entry(view: number): JournalEntry {
  const message = { kind: 'nullify', epoch: 0, view, parentView: 0, hash: '00'.repeat(32) } as const;
  return { type: 'vote', message };
}

const journal = (view: number): Effect => ({ type: 'journal', entries: [entry(view)] });
const drop = (peer: number): Effect => ({ type: 'drop_peers', peers: [peer] });

/** A queue whose syncs complete when the test says so. */
function watched() {
  const done: string[] = [];
  const syncs: (() => void)[] = [];
  const failures: unknown[] = [];
  const line = new EffectQueue({
    nextTurn,
    journal: (entries) => {
      done.push(`sync ${entries.length}`);
      return new Promise((resolve) => syncs.push(resolve));
    },
    timer: (effect) => done.push(effect.type),
    perform: (effect) => {
      done.push(effect.type === 'drop_peers' ? `drop ${effect.peers[0]}` : effect.type);
      return effect.type === 'epoch_ended' ? Promise.reject(new Error('no next epoch')) : undefined;
    },
    onFailure: (error) => failures.push(error),
  });
  return { line, done, syncs, failures };
}

test('no effect runs before earlier writes are on disk', async () => {
  const { line, done, syncs } = watched();
  line.push([drop(1), journal(1), drop(2)]);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(done, ['drop 1', 'sync 1']);
  syncs[0]?.();
  await nextTurn();
  assert.deepEqual(done, ['drop 1', 'sync 1', 'drop 2']);
});

test('all steps of a tick share one sync and keep their order', async () => {
  const { line, done, syncs } = watched();
  line.push([journal(1), drop(1)]);
  line.push([journal(2), drop(2)]);
  line.push([journal(3)]);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(done, ['sync 3']);
  line.push([journal(4), drop(4)]);
  syncs[0]?.();
  await nextTurn();
  await nextTurn();
  assert.deepEqual(done, ['sync 3', 'drop 1', 'drop 2', 'sync 1']);
  syncs[1]?.();
  await nextTurn();
  assert.equal(done.at(-1), 'drop 4');
});

test('timers are set without waiting for the sync', () => {
  const { line, done } = watched();
  line.push([journal(1), { type: 'set_timer', timer: 'leader', atMs: 5 }, drop(1)]);
  assert.deepEqual(done, ['set_timer']);
});

test('after a failure no further effect of the queue runs', async () => {
  const { line, done, failures } = watched();
  line.push([{ type: 'epoch_ended', epoch: 0 }, drop(1)]);
  await nextTurn();
  line.push([drop(2)]);
  assert.deepEqual(done, ['epoch_ended']);
  assert.equal(failures.length, 1);
});
