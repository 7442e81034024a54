import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lifecycle } from '../../../src/consensus/shell/lifecycle.js';
import { ListeningPhase } from '../../../src/consensus/shell/listening-phase.js';
import { NO_PEERS } from '../../../src/consensus/shell/sole-validator.js';
import { ManualRuntime } from '../../support/worlds/manual-runtime.js';
import { shellContext } from '../../support/worlds/shell-context.js';

/** Validator 0 of four while it listens; two others are enough. */
function listening(connected: readonly number[]) {
  const runtime = new ManualRuntime();
  const asked: number[] = [];
  const { log } = shellContext({});
  const lifecycle = new Lifecycle({ runtime, log, onFailure: assert.ifError });
  lifecycle.start();
  const phase = new ListeningPhase(
    shellContext({
      runtime,
      lifecycle,
      network: { ...NO_PEERS, connected: () => connected, send: (to) => asked.push(to) },
    }),
  );
  phase.begin();
  const ended = phase.end();
  /** Lets time pass in steps that are shorter than the phase's own. */
  const wait = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      runtime.advance(10);
      for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    }
  };
  return { phase, ended, asked, wait, runtime, lifecycle };
}

test('a node listens until a quorum, itself included, has reported its position', async () => {
  const { phase, ended, wait } = listening([1, 2, 3]);
  phase.onPosition(1);
  await wait(1_000);
  assert.equal(phase.isListening, true);
  phase.onPosition(3);
  await wait(40);
  await ended;
  assert.equal(phase.isListening, false);
});

test('each silent peer is asked once a second', async () => {
  const { phase, asked, wait, lifecycle } = listening([1, 2]);
  await wait(500);
  assert.deepEqual(asked, [1, 2]);
  phase.onPosition(2);
  await wait(1_000);
  assert.deepEqual(asked, [1, 2, 1]);
  lifecycle.stop();
});

test('a node that listens among silent peers ends after a while, but not without enough peers', async () => {
  const enough = listening([1, 2]);
  await enough.wait(4_000);
  assert.equal(enough.phase.isListening, true);
  await enough.wait(1_100);
  assert.equal(enough.phase.isListening, false);
  const few = listening([1]);
  await few.wait(20_000);
  assert.equal(few.phase.isListening, true);
  few.lifecycle.stop();
  await few.ended;
  assert.equal(few.runtime.timers, 0);
});

test('reports of an earlier epoch do not count', async () => {
  const { phase, wait, lifecycle } = listening([1, 2, 3]);
  phase.onPosition(1);
  phase.restart();
  phase.onPosition(2);
  await wait(100);
  assert.equal(phase.isListening, true);
  lifecycle.stop();
});
