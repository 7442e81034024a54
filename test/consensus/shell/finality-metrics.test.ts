import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overdueMs } from '../../../src/consensus/shell/finality-metrics.js';

const times = { blockTimeMs: 250, idleBlockTimeMs: 5_000 };

test('a block is overdue once work has waited for several block times without one', () => {
  assert.equal(overdueMs({ ...times, sinceBlockMs: 6_000, waitingMs: 6_000 }), 6_000);
  assert.equal(overdueMs({ ...times, sinceBlockMs: 5_000, waitingMs: 5_000 }), undefined);
  // The work arrived a moment ago.
  assert.equal(overdueMs({ ...times, sinceBlockMs: 9_000, waitingMs: 10 }), undefined);
});

test('without work a block is overdue after several idle block times, if configured', () => {
  assert.equal(overdueMs({ ...times, sinceBlockMs: 19_000, waitingMs: undefined }), undefined);
  assert.equal(overdueMs({ ...times, sinceBlockMs: 21_000, waitingMs: undefined }), 21_000);
  const quiet = { ...times, idleBlockTimeMs: 0 };
  assert.equal(overdueMs({ ...quiet, sinceBlockMs: 3_600_000, waitingMs: undefined }), undefined);
  assert.equal(overdueMs({ ...quiet, sinceBlockMs: 3_600_000, waitingMs: 6_000 }), 3_600_000);
});
