import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { CallStatistics } from '../../src/farm/statistics.js';
import { type RunSummary, summaryPage } from '../../src/farm/summary-page.js';
import { drawnPlots } from '../support/drawn-plots.js';

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

/** The page's text without its style and scripts, one line for each row. */
function textOf(page: string): string {
  return page
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<\/t[dh]>/g, ' | ')
    .replace(/<[^>]*>/g, '');
}

test('the page shows counts, rates, states, workers and reasons', () => {
  const text = textOf(summaryPage(summary()));
  for (const shown of [
    'brave-otter',
    'calls from calls.ndjson; submitted 2026-01-02T03:04:05.000Z, finished 2026-01-02T03:04:07.000Z',
    '1,022 | 1,001 | 20 | 1 | 2 | 511 |',
    `100 | ${'ab'.repeat(32)} | 1,022 |`,
    'success | 900 | 88.1 % |',
    'invalid | 1 | 0.1 % |',
    'bad_line | 20 | 2.0 % |',
    'host-1 | http://127.0.0.1:1 | 3 | 1,022 | 2 | 511 |',
    'bad_line | expected JSON | 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … |',
    'gas used | 1,001 | 0 | 70,879 | ≈ 72,000 | ≈ 110,000 |',
  ]) {
    assert.ok(text.includes(shown), `${shown} in\n${text}`);
  }
  assert.doesNotMatch(text, /disagree|not finished|not shown/);
});

test('the distributions have all calls, on rising edges that a logarithmic axis can show', () => {
  const plots = drawnPlots(summaryPage(summary()));
  assert.deepEqual(
    plots.map(({ options }) => [options.title, options.series.map(({ label }) => label)]),
    [
      ['Gas used', ['gas', 'calls', '% below']],
      ['Time of a call', ['ms', 'calls', '% below']],
    ],
  );
  for (const [{ series }, calls] of plots.map((plot, place) => [plot, [1_001, 1_022][place]] as const)) {
    const [at = [], counts = [], below = []] = series;
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
  assert.match(page, /<div class="bad"><h2>Workers disagree about 1 job</);
  assert.match(textOf(page), /7 \| 1–500 \| a, b \| 11, 22/);
  assert.match(textOf(page), /not finished/);
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
  assert.deepEqual(drawnPlots(page), []);
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
  assert.equal(page.split('&#60;/script&#62;&#60;script&#62;alert(1)').length - 1, 14);
  const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  assert.deepEqual(
    scripts.map(([, attributes]) => attributes?.trim()),
    ['type="application/json" id="charts"', '', ''],
  );
  for (const [, , code = ''] of scripts.slice(1)) assert.ok(new Script(code));
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
  assert.match(textOf(page), /4,900 more are not shown/);
});
