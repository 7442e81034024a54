import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilDue } from '../../src/consensus/pacing.js';

const timer = { seal: 'timer', blockTimeMs: 250, idleBlockTimeMs: 5_000 } as const;
const instant = { ...timer, seal: 'instant' } as const;

test('with work a block is due one block time after its parent', () => {
  assert.equal(untilDue(timer, 0, 'ready'), 250);
  assert.equal(untilDue(timer, 100, 'ready'), 150);
  assert.equal(untilDue(timer, 9_000, 'ready'), 0);
});

test('with --seal instant work makes a block due at once', () => {
  assert.equal(untilDue(instant, 0, 'ready'), 0);
});

test('without work an empty block is due only after the idle block time', () => {
  assert.equal(untilDue(timer, 1_000, 'none'), 4_000);
  assert.equal(untilDue(instant, 1_000, 'none'), 4_000);
  assert.equal(untilDue(timer, 6_000, 'none'), 0);
});

test('an idle block time of 0 seals no empty block', () => {
  assert.equal(untilDue({ ...timer, idleBlockTimeMs: 0 }, 1_000_000, 'none'), undefined);
});

test('but at the idle pace of the default it does where transactions wait for the base fee to fall', () => {
  assert.equal(untilDue({ ...timer, idleBlockTimeMs: 0 }, 1_000, 'base_fee'), 4_000);
  assert.equal(untilDue({ ...instant, idleBlockTimeMs: 0 }, 60_000, 'base_fee'), 0);
  assert.equal(untilDue({ ...timer, idleBlockTimeMs: 200 }, 50, 'base_fee'), 150);
});
