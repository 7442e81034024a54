import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { median, relativeSpread, roundRatios } from '../../../bench/results/rounds.js';
import { summarizeFigure, summarizeSeries } from '../../../bench/results/summary.js';
import { figure } from '../sample-run.js';

test('a median of an even number of rounds is the mean of the middle two', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([7]), 7);
});

test('a spread ignores one disturbed round, and one round has none', () => {
  const quiet = relativeSpread([98, 99, 100, 101, 102]) ?? 0;
  assert.ok(quiet > 0.01 && quiet < 0.03, `${quiet}`);
  assert.equal(relativeSpread([98, 99, 100, 101, 900]), quiet);
  assert.equal(relativeSpread([5]), undefined);
  assert.equal(relativeSpread([5, 5, 5]), 0);
});

test('ratios are computed per round, and are undefined if a round is missing or 0', () => {
  assert.deepEqual(roundRatios([2, 6], [1, 2]), [2, 3]);
  assert.equal(roundRatios([2, 6], [1]), undefined);
  assert.equal(roundRatios([2], [0]), undefined);
});

describe('the summary of a figure', () => {
  test('has the median ratio of the rounds, which is not the ratio of the medians', () => {
    const { median, least, most, baselines } = summarizeFigure(
      figure('x', [1, 20, 3], { baselines: [{ name: 'bare', rounds: [1, 10, 9] }] }),
    );
    assert.deepEqual([median, least, most], [3, 1, 20]);
    const [bare] = baselines;
    assert.deepEqual([bare?.median, bare?.ratio.median, bare?.ratio.most], [9, 1, 2]);
  });

  test('tells whether the value, or its ratio to the first baseline, meets an aim', () => {
    const baselines = [
      { name: 'bare', rounds: [5, 5] },
      { name: 'other', rounds: [1, 1] },
    ];
    const met = (aim: { of: 'value' | 'ratio'; at: 'least' | 'most'; bound: number }) =>
      summarizeFigure(figure('x', [10, 10], { baselines, aim })).aim?.met;
    assert.equal(met({ of: 'value', at: 'most', bound: 10 }), true);
    assert.equal(met({ of: 'value', at: 'least', bound: 11 }), false);
    assert.equal(met({ of: 'ratio', at: 'most', bound: 2 }), true);
    assert.equal(met({ of: 'ratio', at: 'least', bound: 2.1 }), false);
  });

  test('judges no ratio without a baseline', () => {
    const summary = summarizeFigure(figure('x', [1], { aim: { of: 'ratio', at: 'least', bound: 1 } }));
    assert.equal(summary.aim, undefined);
  });
});

describe('the summary of a series', () => {
  const series = { name: 'reads', over: 'accounts', unit: 'ms', better: 'lower' } as const;
  const points = (exponent: number) =>
    [10, 100, 1_000].map((size) => ({ size, rounds: [size ** exponent, 1.01 * size ** exponent] }));

  test('reports an exponent above the largest allowed one', () => {
    const met = (exponent: number) =>
      summarizeSeries({ ...series, points: points(exponent), largestExponent: 1.1 }).met;
    assert.deepEqual([met(0.2), met(1), met(1.09), met(1.11)], [true, true, true, false]);
  });

  test('has no fit where no power law is expected', () => {
    const { fit, met, points: shown } = summarizeSeries({ ...series, points: points(1) });
    assert.deepEqual([fit, met, shown.length], [undefined, undefined, 3]);
  });
});
