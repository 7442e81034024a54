import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resharingStatus } from '../../../src/chain/epochs/resharing-status.js';
import { setOf, tipAt } from '../../support/worlds/epoch-tips.js';

const stateOf = (...world: Parameters<typeof tipAt>) => resharingStatus(tipAt(...world)).state;
const first = setOf(0n, 4);
const second = setOf(1n, 4, 1);

test('a single validator has no resharing to report', () => {
  assert.deepEqual(resharingStatus(tipAt(3n, [setOf(0n, 1)])), {
    state: { type: 'ready' },
    epoch: 0n,
    dealers_expected: 1,
    dealings_received: 1,
    complaints: 0,
  });
});

test('dealings are counted in the second third of an epoch, until there are enough', () => {
  assert.deepEqual(stateOf(2n, [first]), { type: 'idle' });
  assert.deepEqual(stateOf(3n, [first]), { type: 'dealing' });
  const two = resharingStatus(tipAt(15n, [first, second], { dealings: 2 }));
  assert.deepEqual(two, {
    state: { type: 'dealing' },
    epoch: 1n,
    dealers_expected: 4,
    dealings_received: 2,
    complaints: 0,
  });
  assert.deepEqual(stateOf(18n, [first, second], { dealings: 3 }), { type: 'ready' });
});

test('voided dealings do not count, and complaints are counted', () => {
  const voided = resharingStatus(tipAt(14n, [first, second], { dealings: 3, complaints: 1 }));
  assert.deepEqual([voided.state.type, voided.dealings_received, voided.complaints], ['dealing', 3, 1]);
  assert.deepEqual(stateOf(14n, [first, second], { dealings: 4, complaints: 1 }), { type: 'ready' });
  assert.deepEqual(stateOf(19n, [first, second], { dealings: 4, complaints: 1 }), { type: 'ready' });
  const late = stateOf(16n, [first, second], { dealings: 3, complaints: 1 });
  assert.match(
    late.type === 'failed' ? late.value : '',
    /epoch 1 has 2 of 3 dealings, and complaints void 1 others: .* changes wait/,
  );
});

test('the status recognizes an epoch with too few dealings by its unchanged shares', () => {
  const kept = { ...first, epoch: 1n };
  const state = stateOf(10n, [first, kept]);
  assert.equal(state.type, 'failed');
  assert.match(state.type === 'failed' ? state.value : '', /epoch 0 had fewer than 3 valid dealings/);
  assert.deepEqual(stateOf(10n, [first, second]), { type: 'idle' });
  assert.deepEqual(stateOf(10n, [first, setOf(1n, 5, 1)]), { type: 'idle' });
  // The next attempt has begun.
  assert.deepEqual(stateOf(13n, [first, kept]), { type: 'dealing' });
  // A node that started from a later snapshot does not know the previous shares.
  assert.deepEqual(stateOf(10n, [kept]), { type: 'idle' });
});
