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
  tracker.accepted({ account: 0, lane: 1, nonce: 6n, sentAtMs: 20, nowMs: 25 });
  tracker.accepted({ account: 0, lane: 1, nonce: 5n, sentAtMs: 10, nowMs: 26 });
  tracker.accepted({ account: 1, lane: 1, nonce: 5n, sentAtMs: 11, nowMs: 27 });
  assert.equal(tracker.waiting, 3);
  tracker.advance(0, 1, 6n, 110);
  assert.deepEqual(latencies, [100]);
  tracker.advance(0, 0, 9n, 120);
  assert.equal(tracker.waiting, 2);
  tracker.advance(0, 1, 7n, 130);
  assert.deepEqual(latencies, [100, 110]);
  assert.equal(tracker.waiting, 1);
});

test('a transaction included before it is acknowledged counts from the acknowledgement', () => {
  const { latencies, tracker } = tracked();
  tracker.advance(0, 0, 3n, 50);
  tracker.accepted({ account: 0, lane: 0, nonce: 2n, sentAtMs: 10, nowMs: 60 });
  assert.deepEqual(latencies, [50]);
  assert.equal(tracker.waiting, 0);
});

test('an unknown nonce is skipped', () => {
  const { latencies, tracker } = tracked();
  tracker.accepted({ account: 0, lane: 0, nonce: 0n, sentAtMs: 1, nowMs: 1 });
  tracker.accepted({ account: 0, lane: 0, nonce: 2n, sentAtMs: 3, nowMs: 3 });
  tracker.advance(0, 0, 3n, 10);
  assert.deepEqual(latencies, [9, 7]);
  assert.equal(tracker.waiting, 0);
});
