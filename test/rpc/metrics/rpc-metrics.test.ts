import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcMetrics } from '../../../src/rpc/metrics/rpc-metrics.js';
import { sumOfCounts } from '../../../src/rpc/metrics/sum-of-counts.js';

test('counts of several threads add up, and survive the transfer between them', () => {
  const one = new RpcMetrics();
  const other = new RpcMetrics();
  one.method('T.a').succeeded(performance.now() - 3, true, 7);
  one.method('T.a').failed('not_found', 0, false);
  other.method('T.a').succeeded(performance.now() - 30, true, 8);
  other.method('T.a').failed('not_found', 0, false);
  other.method('T.b').succeeded(0, false, 9);
  one.refuse('parse_error');
  other.refuse('parse_error');
  one.httpRequests = 3;
  other.httpRequests = 4;
  other.callsInFlight.enter();
  const sum = sumOfCounts(structuredClone(one.counts()), structuredClone(other.counts()));
  const a = sum.methods.get('T.a');
  assert.equal(a?.ok, 2);
  assert.equal(a?.errors.get('not_found'), 2);
  assert.equal(
    a?.latency.buckets.reduce((total, count) => total + count, 0),
    2,
  );
  assert.equal(sum.methods.get('T.b')?.ok, 1);
  assert.equal(sum.refused.get('parse_error'), 2);
  assert.equal(sum.httpRequests, 7);
  assert.equal(sum.callsInFlight, 1);
  assert.equal(one.method('T.a').ok, 1, 'adding up changes nothing');
});
