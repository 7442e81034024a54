import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { Work } from '../../../src/consensus/core/types.js';
import { WorkMonitor, type WorkMonitorOptions } from '../../../src/consensus/shell/work-monitor.js';

function watched(t: TestContext, more: Partial<WorkMonitorOptions> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const pool = { ready: false, heldBack: undefined as bigint | undefined };
  const told: Work[] = [];
  const watch = new WorkMonitor({
    runtime: NODE_RUNTIME,
    pool: { hasReady: () => pool.ready, heldBackFee: () => pool.heldBack },
    other: () => false,
    isQuietWhenIdle: true,
    sinceBlockMs: () => 1_000,
    onWork: (work) => told.push(work),
    ...more,
  });
  return { watch, pool, told };
}

test('ready transactions count as work until none of them fits a block', (t) => {
  const { watch, pool, told } = watched(t);
  watch.refresh();
  assert.equal(told.length, 0);
  pool.ready = true;
  watch.onTransactionAdded();
  watch.selectionBegins();
  watch.nothingSelected();
  watch.refresh();
  watch.onTransactionAdded();
  watch.selectionBegins();
  watch.nothingSelected();
  watch.committed(true);
  assert.deepEqual(
    told.map(({ transactions }) => transactions),
    [true, false, true, false, true],
  );
});

test('a transaction that arrives during the selection remains work', (t) => {
  const { watch, pool, told } = watched(t);
  pool.ready = true;
  watch.onTransactionAdded();
  watch.selectionBegins();
  watch.onTransactionAdded();
  watch.nothingSelected();
  assert.equal(told.at(-1)?.transactions, true);
  watch.selectionBegins();
  watch.nothingSelected();
  assert.equal(told.at(-1)?.transactions, false);
});

test('a quiet chain seals at the default idle pace while transactions wait for a lower base fee', (t) => {
  const { watch, pool, told } = watched(t);
  pool.heldBack = 1_000n;
  watch.onTransactionAdded();
  t.mock.timers.tick(3_999);
  assert.equal(told.length, 0);
  t.mock.timers.tick(1);
  assert.deepEqual(told, [{ transactions: false, other: true }]);
  watch.committed(false);
  assert.equal(told.at(-1)?.other, false);
  t.mock.timers.tick(4_000);
  assert.equal(told.at(-1)?.other, true);
  watch.stop();
});

test('a quiet chain seals at once after a long pause, but not if idle blocks are due anyway', (t) => {
  const late = watched(t, { sinceBlockMs: () => 60_000 });
  late.pool.heldBack = 1_000n;
  late.watch.onTransactionAdded();
  t.mock.timers.tick(0);
  assert.equal(late.told.at(-1)?.other, true);
  t.mock.timers.reset();
  const paced = watched(t, { isQuietWhenIdle: false });
  paced.pool.heldBack = 1_000n;
  paced.watch.onTransactionAdded();
  t.mock.timers.tick(60_000);
  assert.equal(paced.told.length, 0);
});

test('while a sole validator builds a block, pending transactions count as part of it', (t) => {
  const clock: string[] = [];
  const { watch, pool, told } = watched(t, {
    clock: { pause: () => clock.push('pause'), resume: () => clock.push('resume') },
  });
  pool.ready = true;
  watch.onTransactionAdded();
  watch.pause();
  watch.onTransactionAdded();
  pool.ready = false;
  watch.committed(true);
  watch.resume();
  assert.deepEqual(
    told.map(({ transactions }) => transactions),
    [true, false],
  );
  assert.deepEqual(clock, ['pause', 'resume']);
});

test('after its stop it reports nothing, even if a proposal ends', (t) => {
  const { watch, pool, told } = watched(t, { clock: { pause: () => undefined, resume: () => undefined } });
  watch.pause();
  watch.stop();
  pool.ready = true;
  watch.resume();
  watch.committed(true);
  watch.onTransactionAdded();
  assert.deepEqual(told, []);
});
