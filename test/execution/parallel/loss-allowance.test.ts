import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  LOSS_PER_WORKER,
  LossAllowance,
  SharedAllowance,
} from '../../../src/execution/parallel/loss-allowance.js';

/* Two workers, whose least allowance is 4 million gas; a block has at most 500 million. */
describe('the allowance for lost gas', () => {
  let allowance: LossAllowance;
  let shared: SharedAllowance;

  beforeEach(() => {
    allowance = new LossAllowance(2 * LOSS_PER_WORKER, 500_000_000n);
    shared = new SharedAllowance(allowance.buffer);
  });

  test('is a tenth of the block, or a little for each worker', () => {
    allowance.update({ merged: 0, kept: 0, rest: 300e6 });
    assert.equal(allowance.room, 30e6);
    allowance.update({ merged: 0, kept: 0, rest: 1e6 });
    assert.equal(allowance.room, 4e6);
    allowance.update({ merged: 0, kept: 0, rest: 9e12 });
    assert.equal(allowance.room, 50e6, 'no block uses more than its limit');
  });

  test('gives an attempt twice its expected gas, or what is left', () => {
    allowance.update({ merged: 0, kept: 0, rest: 100e6 });
    assert.equal(shared.take(3_000_000n), 6_000_000n);
    assert.equal(shared.take(10n), 1_000_000n, 'little is not worth a limit');
    assert.equal(shared.take(2_500_000n), 3_000_000n);
    assert.equal(shared.take(0n), undefined);
    shared.add(500n);
    assert.equal(shared.take(501n), undefined);
    assert.equal(shared.take(500n), 500n);
  });

  test('counts gas at risk as lost until its outcome is in the block', () => {
    allowance.update({ merged: 0, kept: 0, rest: 100e6 });
    assert.equal(shared.take(5_000_000n), 10_000_000n);
    shared.add(4_000_000n);
    allowance.risked(6_000_000n);
    assert.equal(allowance.room, 4e6);
    allowance.update({ merged: 6e6, kept: 6e6, rest: 94e6 });
    assert.equal(allowance.room, 16e6);
    assert.equal(shared.take(8_000_000n), 16_000_000n);
  });
});
