import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recorder } from '../../src/load/recorder.js';

function count(recorder: Recorder, transactions: number, latencyMs: number): void {
  for (let i = 0; i < transactions; i++) {
    recorder.sent();
    recorder.accepted(latencyMs, new Uint8Array(32), 0);
    recorder.sealed(latencyMs);
  }
}

test('a remainder of a few milliseconds joins the span before it', () => {
  const recorder = new Recorder();
  count(recorder, 1_000, 2);
  recorder.sample(1_000, 0, 0);
  count(recorder, 1_000, 4);
  recorder.sample(2_000, 0, 0);
  count(recorder, 100, 50);
  const last = recorder.lastSample(2_005, 1_000, 7, 3);
  assert.equal(recorder.samples.length, 2);
  assert.equal(recorder.samples[1], last);
  assert.equal(last.at_s, 2.005);
  assert.ok(Math.abs(last.accepted - 1_100 / 1.005) < 1e-6);
  assert.ok(Math.abs(last.sealed - 1_100 / 1.005) < 1e-6);
  assert.deepEqual([last.unsealed, last.pool], [7, 3]);
  assert.ok((last.accepted_p99_ms ?? 0) > 45 && (last.accepted_p50_ms ?? 99) < 5);
});

test('a remainder of half a span or more, or one without a predecessor, is a span of its own', () => {
  const recorder = new Recorder();
  count(recorder, 10, 1);
  recorder.sample(1_000, 0, 0);
  count(recorder, 30, 1);
  assert.equal(recorder.lastSample(1_600, 1_000, 0, 0).accepted, 50);
  assert.equal(recorder.samples.length, 2);
  const short = new Recorder();
  count(short, 2, 1);
  assert.equal(short.lastSample(100, 1_000, 0, 0).sealed, 20);
  assert.equal(short.samples.length, 1);
});

test('a span without transactions has no latency', () => {
  const recorder = new Recorder();
  recorder.sent();
  recorder.accepted(3, new Uint8Array(32), 0);
  const accepted = recorder.sample(1_000, 1, 1);
  assert.ok((accepted.accepted_p50_ms ?? 0) > 2);
  assert.ok(!('sealed_p50_ms' in accepted) && !('sealed_p99_ms' in accepted));
  const empty = recorder.sample(2_000, 1, 1);
  assert.ok(!('accepted_p50_ms' in empty) && !('accepted_p99_ms' in empty));
});
