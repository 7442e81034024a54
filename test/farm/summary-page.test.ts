import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import type { RunSummary } from '../../src/farm/run-summary.js';
import { CallStatistics } from '../../src/farm/statistics.js';
import { summaryPage } from '../../src/farm/summary-page.js';
import { pagePlots, pageText } from '../support/pages/page-plots.js';

const HOSTILE = `</script><script>alert(1)</script><img src=x onerror="alert(2)">'&amp;`;

function summary(changes: Partial<RunSummary> = {}): RunSummary {
  const statistics = new CallStatistics();
  for (let i = 0; i < 1_000; i++) {
    statistics.add({
      outcome: i % 10 === 0 ? 'reverted' : 'success',
      gas: 21_000 + i * 100,
      timeUs: 800 + i,
    });
  }
  statistics.add({ outcome: 'invalid', gas: 0, timeUs: 0 });
  for (let i = 0; i < 20; i++) statistics.add({ error: 'bad_line', undetermined: false, timeUs: 1 });
  statistics.add({ error: 'overloaded', undetermined: true, timeUs: 100_000 });
  return {
    run: 'brave-otter',
    kind: 'calls',
    submitted_ms: Date.parse('2026-01-02T03:04:05Z'),
    finished_ms: Date.parse('2026-01-02T03:04:07Z'),
    source: 'calls.ndjson',
    pins: [{ height: '100', block_hash: 'ab'.repeat(32), calls: 1_022 }],
    statistics: statistics.toRecord(),
    workers: [{ name: 'host-1', node: 'http://127.0.0.1:1', jobs: 3, calls: 1_022, busy_ms: 2_000 }],
    failures: Array.from({ length: 20 }, (_, place) => ({
      line: place + 1,
      kind: 'bad_line',
      message: 'expected JSON',
    })),
    disagreements: [],
    ...changes,
  };
}

test('the page shows counts, rates, states, workers and reasons', () => {
  const text = pageText(summaryPage(summary()));
  for (const shown of [
    'brave-otter',
    'calls from calls.ndjson; submitted 2026-01-02T03:04:05.000Z, finished 2026-01-02T03:04:07.000Z',
    '1,022 | 1,001 | 20 | 1 | 2 | 511 |',
    '1,022 calls, 511/s, 21 failed; the limit was the node, which was busy all of the time.',
    `100 | 1,022 | ${'ab'.repeat(32)} |`,
    'success900 (88.1 %)',
    'invalid1 (0.1 %)',
    'bad_line20 (2.0 %)',
    'host-1 | http://127.0.0.1:1 | 3 | 1,022 | 2 | 511 |',
    'bad_line | expected JSON | 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … |',
    'calls | 1,001 | 1,022 |',
    'mean | 70,879 | 1.37 |',
    'p50 | ≈ 72,000 | ≈ 1.3 |',
  ]) {
    assert.ok(text.includes(shown), `${shown} in\n${text}`);
  }
  assert.doesNotMatch(text, /disagree|not finished|not shown/);
});

test('the time before the workers started counts neither in the verdict nor in the table', () => {
  const { submitted_ms: begun } = summary();
  const late = { submitted_ms: begun - 3_600_000, first_ms: begun + 2_000 / 3 };
  const text = pageText(summaryPage(summary(late)));
  assert.match(text, /1,022 calls, 511\/s, /);
  assert.ok(text.includes('1,022 | 1,001 | 20 | 1 | 2 | 511 |'), text);
});

test('the distributions have all calls, in ascending buckets that a logarithmic axis can show', () => {
  const plots = pagePlots(summaryPage(summary()));
  assert.deepEqual(
    plots.map(({ title, x, y }) => [title, x.label, y.label]),
    [
      ['Gas used', 'gas of a call', 'calls'],
      ['Gas used: calls below', 'gas of a call', '% of the calls'],
      ['Time of a call', 'milliseconds', 'calls'],
      ['Time of a call: calls below', 'milliseconds', '% of the calls'],
    ],
  );
  const valuesOf = (place: number) => plots[place]?.groups[0]?.lines[0]?.values ?? [];
  for (const [place, calls] of [
    [0, 1_001],
    [2, 1_022],
  ] as const) {
    const [at, counts, below] = [plots[place]?.groups[0]?.at ?? [], valuesOf(place), valuesOf(place + 1)];
    assert.ok(at.every((value, place) => Number(value) > Number(at[place - 1] ?? 0)));
    assert.equal(
      counts.reduce((sum: number, count) => sum + Number(count), 0),
      calls,
    );
    assert.ok(below.every((value, place) => Number(value) >= Number(below[place - 1] ?? 0)));
    assert.deepEqual([below[0], below.at(-1), counts.at(-1)], [0, 100, 0]);
  }
});

test('workers that disagree stand out, and an unfinished run says so', () => {
  const { finished_ms: _, ...unfinished } = summary({
    disagreements: [{ job: 7, lines: '1–500', workers: ['a', 'b'], checksums: ['11', '22'] }],
  });
  const page = summaryPage(unfinished);
  assert.match(page, /<section class="notice notice-bad"><h2>Workers disagree about 1 job</);
  assert.match(pageText(page), /7 \| 1–500 \| a, b \| 11, 22/);
  assert.match(pageText(page), /not finished/);
});

test('an empty run has a page too', () => {
  const page = summaryPage(
    summary({
      statistics: new CallStatistics().toRecord(),
      pins: [],
      workers: [],
      failures: [],
      submitted_ms: Number.NaN,
    }),
  );
  assert.deepEqual(pagePlots(page), []);
  assert.match(page, /submitted at an unknown time/);
});

test('texts from nodes and workers cannot become markup or end a script', () => {
  const { statistics } = summary();
  const page = summaryPage(
    summary({
      run: HOSTILE,
      source: HOSTILE,
      pins: [{ height: HOSTILE, block_hash: HOSTILE, calls: 1 }],
      statistics: { ...statistics, outcomes: { [HOSTILE]: 1_001 }, errors: { [HOSTILE]: 21 } },
      workers: [{ name: HOSTILE, node: HOSTILE, jobs: 1, calls: 1, busy_ms: 1 }],
      failures: [{ line: 1, kind: HOSTILE, message: HOSTILE }],
      disagreements: [{ job: 1, lines: HOSTILE, workers: [HOSTILE], checksums: [HOSTILE] }],
    }),
  );
  assert.doesNotMatch(page, /<img|<script>alert/);
  assert.doesNotMatch(page, /<(?:script|link|img)[^>]+(?:src|href)=/);
  assert.ok(page.split('&#60;/script&#62;&#60;script&#62;alert(1)').length > 12);
  const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  const code = scripts.filter(([, attributes]) => attributes === '');
  assert.equal(code.length, 1);
  assert.ok(new Script(code[0]?.[2] ?? ''));
});

test('the page stays short whatever a node sends', () => {
  const long = 'x'.repeat(1_000_000);
  const page = summaryPage(
    summary({
      failures: Array.from({ length: 5_000 }, (_, line) => ({ line, kind: `kind_${line}`, message: long })),
      workers: Array.from({ length: 500 }, () => ({ name: long, node: long, jobs: 1, calls: 1, busy_ms: 0 })),
    }),
  );
  assert.ok(page.length < 300_000, `${page.length} characters`);
  assert.match(pageText(page), /4,900 more are not shown/);
});
