import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InclusionTracker } from '../../src/load/inclusion-tracker.js';

function tracked() {
  const latencies: number[] = [];
  return { latencies, tracker: new InclusionTracker((ms) => latencies.push(ms)) };
}

test('a transaction is sealed once its account expects a later nonce in its lane', () => {
  const { latencies, tracker } = tracked();
  tracker.advance(0, 1, 5n, 0);
  tracker.accepted(0, 1, 6n, 20, 25);
  tracker.accepted(0, 1, 5n, 10, 26);
  tracker.accepted(1, 1, 5n, 11, 27);
  assert.equal(tracker.waiting, 3);
  tracker.advance(0, 1, 6n, 110);
  assert.deepEqual(latencies, [100]);
  tracker.advance(0, 0, 9n, 120);
  assert.equal(tracker.waiting, 2);
  tracker.advance(0, 1, 7n, 130);
  assert.deepEqual(latencies, [100, 110]);
  assert.equal(tracker.waiting, 1);
});

test('one that is in a block before it is acknowledged counts with the acknowledgement', () => {
  const { latencies, tracker } = tracked();
  tracker.advance(0, 0, 3n, 50);
  tracker.accepted(0, 0, 2n, 10, 60);
  assert.deepEqual(latencies, [50]);
  assert.equal(tracker.waiting, 0);
});

test('a nonce that nobody was told of is passed over', () => {
  const { latencies, tracker } = tracked();
  tracker.accepted(0, 0, 0n, 1, 1);
  tracker.accepted(0, 0, 2n, 3, 3);
  tracker.advance(0, 0, 3n, 10);
  assert.deepEqual(latencies, [9, 7]);
  assert.equal(tracker.waiting, 0);
});
