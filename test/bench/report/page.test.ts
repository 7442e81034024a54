import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Script } from 'node:vm';
import { contentsOf } from '../../../bench/report/contents.js';
import { benchmarkPage } from '../../../bench/report/page.js';
import { pagePlots, pageText } from '../../support/pages/page-plots.js';
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
  test('draws a bar for each figure beside its baseline, scaled by the longest bar of that figure', () => {
    const page = benchmarkPage(contentsOf(run));
    const groups = [...page.matchAll(/<div><dt>(.*?)<\/dt><dd>(.*?)<\/dd><\/div>/g)].map(
      ([, name, bars = '']) => [
        name,
        [...bars.matchAll(/<span>(.*?)<\/span><i style="width:(.*?)"><\/i><span>(.*?)<\/span>/g)].map(
          ([, ...bar]) => bar,
        ),
      ],
    );
    assert.deepEqual(groups, [
      [
        'one',
        [
          ['Heddle', '50.0%', '12 µs'],
          ['bare', '25.0%', '6 µs'],
          ['anvil', '100.0%', '24 µs'],
        ],
      ],
      [
        'two',
        [
          ['Heddle', '100.0%', '11 µs'],
          ['bare', '50.0%', '5.5 µs'],
        ],
      ],
    ]);
  });

  test('draws series on logarithmic axes with their units, and with the fitted line', () => {
    const [reads, answers] = pagePlots(benchmarkPage(contentsOf(run)));
    assert.deepEqual(reads?.x, { label: 'accounts', isLogarithmic: true });
    assert.deepEqual(reads?.y, { label: 'ms', isLogarithmic: true });
    const [group] = reads?.groups ?? [];
    assert.deepEqual(group?.at, [10, 100, 1_000]);
    assert.deepEqual(
      group?.lines.map(({ label, values }) => [label, values.map((value) => Math.round(value ?? 0))]),
      [
        ['median', [20, 200, 2_000]],
        ['least', [20, 200, 2_000]],
        ['most', [20, 200, 2_000]],
        ['2 · accounts^1.00', [20, 200, 2_000]],
      ],
    );
    assert.equal(answers?.groups[0]?.lines.length, 3, 'a series without a power law has no fitted line');
  });

  test('begins with the number of aims met and a list of those missed', () => {
    const text = (of: typeof run) => pageText(benchmarkPage(contentsOf(of)));
    assert.match(text(run), /1 benchmark: 1 of 1 aims were met\./);
    const aim = { of: 'value', at: 'most', bound: 2 } as const;
    const missed = text(sampleRun([figure('alone', [3], { aim })], []));
    assert.match(
      missed,
      /0 of 1 aims were met\.\s+Missed aims\s*codecs: alone: 3 µs, aim at most 2 µs: missed/,
    );
    assert.match(text(sampleRun([figure('alone', [3])], [])), /none of their figures has an aim/);
  });

  test('contains the tables too', () => {
    const text = pageText(benchmarkPage(contentsOf(run)));
    assert.match(text, /one \| 12 µs \(10 to 14\) \| bare: 6 µs; anvil: 24 µs \|/);
    assert.match(text, /alone \| 3 µs \|/);
    assert.match(text, /exponent \| 1\.00 ± 0\.00 \|/);
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
    const code = scripts.filter(([, attributes]) => attributes === '');
    assert.equal(code.length, 1);
    assert.ok(new Script(code[0]?.[2] ?? ''));
    assert.equal(pagePlots(page)[0]?.title, hostile);
  });
});
