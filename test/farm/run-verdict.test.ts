import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunSummary, RunWorker } from '../../src/farm/run-summary.js';
import { verdictOfRun } from '../../src/farm/run-summary.js';
import { CallStatistics } from '../../src/farm/statistics.js';

const BEGAN = Date.parse('2026-01-02T03:04:05Z');

function worker(node: string, busyMs: number, { jobs = 10, calls = 1_000 } = {}): RunWorker {
  return { name: `worker of ${node}`, node, jobs, calls, busy_ms: busyMs };
}

function summary(workers: readonly RunWorker[], changes: Partial<RunSummary> = {}): RunSummary {
  const statistics = new CallStatistics();
  for (let i = 0; i < 2_000; i++) statistics.add({ outcome: 'success', timeUs: 1 });
  return {
    run: 'r',
    kind: 'calls',
    source: 'calls.ndjson',
    submitted_ms: BEGAN,
    finished_ms: BEGAN + 10_000,
    pins: [],
    statistics: statistics.toRecord(),
    workers,
    failures: [],
    disagreements: [],
    ...changes,
  };
}

describe('the verdict on a run of the farm', () => {
  test('names the nodes if all of them were always busy, and the slowest of them', () => {
    const { sentence, limit, evidence } = verdictOfRun(
      summary([worker('http://a', 9_500), worker('http://b', 9_800, { calls: 500 })]),
    );
    assert.equal(limit, 'nodes');
    assert.equal(
      sentence,
      '2,000 calls, 200/s, none failed; the limit was the 2 nodes, which were busy all of the time',
    );
    assert.deepEqual(evidence, [
      'slowest node http://b: 51 calls per busy second; fastest http://a: 105',
      '2 nodes were busy 97 % of 10 s',
    ]);
  });

  test('adds up the workers of a node', () => {
    const workers = [worker('http://a', 5_000), worker('http://a', 4_900)];
    assert.equal(verdictOfRun(summary(workers)).limit, 'nodes');
  });

  test('says that nodes waited for work, or that there were too few jobs', () => {
    const idle = verdictOfRun(summary([worker('http://a', 2_000), worker('http://b', 3_000)]));
    assert.equal(idle.limit, 'work');
    assert.match(idle.sentence, /not the nodes, which waited for jobs/);
    const few = verdictOfRun(
      summary([worker('http://a', 9_900, { jobs: 2 }), worker('http://b', 4_000, { jobs: 1 })]),
    );
    assert.equal(few.limit, 'work');
    assert.match(few.sentence, /the number of jobs: 3 do not keep 2 nodes busy$/);
  });

  test('says that the limit is unknown', () => {
    const mixed = verdictOfRun(summary([worker('http://a', 9_900), worker('http://b', 7_000)]));
    assert.deepEqual(
      [mixed.limit, /limit unknown: 1 of 2 nodes were idle at times$/.test(mixed.sentence)],
      ['unknown', true],
    );
    assert.match(verdictOfRun(summary([])).sentence, /limit unknown: nothing was timed$/);
  });

  test('leaves out the time before the workers started', () => {
    const late = { submitted_ms: BEGAN - 3_600_000, first_ms: BEGAN + 950 };
    const { limit, sentence } = verdictOfRun(summary([worker('http://a', 9_500)], late));
    assert.equal(limit, 'nodes');
    assert.match(sentence, /^2,000 calls, 200\/s/);
  });

  test('judges no unfinished run, and counts what failed', () => {
    const { finished_ms: _, ...unfinished } = summary([worker('http://a', 9_500)]);
    assert.match(verdictOfRun(unfinished).sentence, /^2,000 calls, none failed; the run is not finished$/);
    const statistics = new CallStatistics();
    statistics.add({ outcome: 'reverted', timeUs: 1 });
    statistics.add({ error: 'bad_line', undetermined: false, timeUs: 1 });
    statistics.add({ error: 'timeout', undetermined: true, timeUs: 1 });
    const { sentence, evidence } = verdictOfRun(summary([], { statistics: statistics.toRecord() }));
    assert.match(sentence, /^3 calls, 0\.3\/s, 2 failed/);
    assert.deepEqual(evidence, ['failed: bad_line 1, timeout 1', 'of 3 ended without success: reverted 1']);
  });
});
