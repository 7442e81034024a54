import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilDue } from '../../src/consensus/pacing.js';

const timer = { seal: 'timer', blockTimeMs: 250, idleBlockTimeMs: 5_000 } as const;
const instant = { ...timer, seal: 'instant' } as const;

test('with work a block is due one block time after its parent', () => {
  assert.equal(untilDue(timer, 0, true), 250);
  assert.equal(untilDue(timer, 100, true), 150);
  assert.equal(untilDue(timer, 9_000, true), 0);
});

test('with --seal instant work makes a block due at once', () => {
  assert.equal(untilDue(instant, 0, true), 0);
});

test('without work an empty block is due only after the idle block time', () => {
  assert.equal(untilDue(timer, 1_000, false), 4_000);
  assert.equal(untilDue(instant, 1_000, false), 4_000);
  assert.equal(untilDue(timer, 6_000, false), 0);
});

test('an idle block time of 0 seals no empty block', () => {
  assert.equal(untilDue({ ...timer, idleBlockTimeMs: 0 }, 1_000_000, false), undefined);
});
