import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Script } from 'node:vm';
import { barCharts } from '../../../bench/report/charts.js';
import { contentsOf } from '../../../bench/report/contents.js';
import { benchmarkPage } from '../../../bench/report/page.js';
import { drawnPlots } from '../../support/drawn-plots.js';
import { figure, sampleRun } from '../sample-run.js';

const run = sampleRun(
  [
    figure('balance: one', [10, 12, 14], {
      baselines: [
        { name: 'bare', rounds: [5, 6, 7] },
        { name: 'anvil', rounds: [20, 24, 28] },
      ],
    }),
    figure('balance: two', [11], { baselines: [{ name: 'bare', rounds: [5.5] }] }),
    figure('alone', [3]),
  ],
  [
    {
      name: 'reads',
      over: 'accounts',
      unit: 'ms',
      better: 'lower',
      points: [10, 100, 1_000].map((size) => ({ size, rounds: [2 * size, 2 * size] })),
      largestExponent: 1,
    },
    {
      name: 'answers',
      over: 'connections',
      unit: '/s',
      better: 'higher',
      points: [1, 2].map((size) => ({ size, rounds: [7] })),
    },
  ],
);

describe('the report as a page', () => {
  test('draws figures beside their baselines, and series with the fitted line', () => {
    const plots = drawnPlots(benchmarkPage(contentsOf(run)));
    assert.deepEqual(
      plots.map(({ options, place }) => [options.title, place]),
      [
        ['balance, µs', 'plots-0'],
        ['reads, ms', 'plots-0'],
        ['answers, /s', 'plots-0'],
      ],
    );
    const [bars, reads, answers] = plots;
    assert.deepEqual(
      bars?.options.series.map(({ label }) => label),
      ['what', 'Heddle', 'bare', 'anvil'],
    );
    assert.deepEqual(bars?.series, [
      [0, 1, 2, 4, 5, 6],
      [12, null, null, 11, null, null],
      [null, 6, null, null, 5.5, null],
      [null, null, 24, null, null, null],
    ]);
    assert.deepEqual(reads?.series.slice(0, 2), [
      [10, 100, 1_000],
      [20, 200, 2_000],
    ]);
    const fit = reads?.series[4]?.map((value) => Math.round(value ?? 0));
    assert.deepEqual([fit, reads?.options.series[4]?.label], [[20, 200, 2_000], '2 · accounts^1.00']);
    assert.equal(answers?.series.length, 4, 'a series without a power law has no fitted line');
  });

  test('breaks the names under bars into lines that fit', () => {
    const names = ['parameters of account, decoded from parsed JSON', 'short', 'averyveryverylongword of it'];
    const rows = [...names, ...Array.from({ length: 9 }, (_, i) => `row ${i}`)];
    const figures = rows.map((name) =>
      figure(`x: ${name}`, [1], { baselines: [{ name: 'bare', rounds: [1] }] }),
    );
    const [chart] = barCharts(
      contentsOf(sampleRun(figures, [])).parts[0]?.benchmarks[0]?.tables[0] ?? assert.fail(),
      'p',
    );
    assert.deepEqual(chart?.labels.slice(0, 3), [
      'parameters\nof account,\ndecoded from\nparsed JSON',
      'short',
      'averyveryverylongword\nof it',
    ]);
    assert.equal(chart?.labelLines, 4);
  });

  test('has the tables too', () => {
    const page = benchmarkPage(contentsOf(run));
    assert.match(page, /<td>one<\/td><td>12 µs \(10 to 14\)<\/td><td>bare: 6 µs; anvil: 24 µs<\/td>/);
    assert.match(page, /<td>alone<\/td><td>3 µs<\/td>/);
    assert.match(page, /<td>exponent<\/td><td>1\.00 ± 0\.00<\/td>/);
  });

  test('needs no network, and hostile names stay text', () => {
    const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"';
    const named = sampleRun(
      [figure(`${hostile}: ${hostile}`, [1], { baselines: [{ name: hostile, rounds: [1] }] })],
      [{ name: hostile, over: hostile, unit: 'ms', better: 'lower', points: [{ size: 1, rounds: [1] }] }],
      hostile,
    );
    const page = benchmarkPage(contentsOf(named));
    assert.doesNotMatch(page, /<(?:script|link|img)[^>]+(?:src|href)=/);
    assert.doesNotMatch(page, /<img|alert\(1\)<\/script>/);
    const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
    assert.deepEqual(
      scripts.map(([, attributes]) => attributes?.trim()),
      ['type="application/json" id="charts"', '', ''],
    );
    for (const [, , code = ''] of scripts.slice(1)) assert.ok(new Script(code));
    assert.equal(drawnPlots(page)[0]?.options.series[1]?.label, 'Heddle');
    assert.equal(drawnPlots(page)[1]?.options.title, `${hostile}, ms`);
  });
});
