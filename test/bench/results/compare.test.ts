import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareRuns } from '../../../bench/results/compare.js';
import type { Figure, Unit } from '../../../bench/results/figure.js';
import type { BenchmarkRun } from '../../../bench/results/run.js';
import { figure, sampleRun } from '../sample-run.js';

const compare = (before: Figure, after: Figure) => {
  const [change] = compareRuns(sampleRun([before]), sampleRun([after])).changes;
  assert.ok(change !== undefined);
  return change;
};

describe('a comparison of two runs', () => {
  test('names a figure that is slower beyond the noise', () => {
    const change = compare(figure('x', [10, 10.1, 9.9]), figure('x', [12, 12.1, 11.9]));
    assert.equal(change.verdict, 'worse');
    assert.ok(Math.abs(change.factor - 1.2) < 1e-9 && change.noise < 0.2);
  });

  test('follows the direction of a figure', () => {
    const rate = { unit: '/s', better: 'higher' } as const;
    const [low, high] = [figure('x', [100, 101, 99], rate), figure('x', [200, 201, 199], rate)];
    assert.equal(compare(low, high).verdict, 'better');
    assert.equal(compare(high, low).verdict, 'worse');
    assert.equal(compare(figure('x', [2, 2, 2]), figure('x', [1, 1, 1])).verdict, 'better');
  });

  test('calls the same change noise if rounds scatter', () => {
    assert.equal(compare(figure('x', [10, 14, 7]), figure('x', [12, 16, 8])).verdict, 'within the noise');
  });

  test('calls changes below 5 % noise, and below 15 % if no run has a second round', () => {
    assert.equal(compare(figure('x', [100, 100]), figure('x', [104, 104])).verdict, 'within the noise');
    assert.equal(compare(figure('x', [100]), figure('x', [114])).verdict, 'within the noise');
    assert.equal(compare(figure('x', [100]), figure('x', [116])).verdict, 'worse');
  });

  test('takes the ratio to a baseline that both runs have, because machines differ', () => {
    const bare = (rounds: readonly number[]) => ({ baselines: [{ name: 'bare', rounds }] });
    // Twice as slow, but on a machine that is twice as slow.
    const moved = compare(
      figure('x', [10, 10, 10], bare([5, 5, 5])),
      figure('x', [20, 20, 20], bare([10, 10, 10])),
    );
    assert.deepEqual(
      [moved.verdict, moved.baseline, moved.before, moved.after],
      ['within the noise', 'bare', 2, 2],
    );
    // The rounds of one machine scatter together with its baseline.
    const steady = compare(
      figure('x', [10, 30, 20], bare([5, 15, 10])),
      figure('x', [13, 39, 26], bare([5, 15, 10])),
    );
    assert.equal(steady.verdict, 'worse');
  });

  test('takes the values if the baselines have different names', () => {
    const change = compare(
      figure('x', [10, 10], { baselines: [{ name: 'anvil 1', rounds: [5, 5] }] }),
      figure('x', [20, 20], { baselines: [{ name: 'anvil 2', rounds: [10, 10] }] }),
    );
    assert.deepEqual([change.verdict, change.baseline], ['worse', undefined]);
  });

  test('calls a change that the speed of the machine explains noise, unless the figure is not a time', () => {
    const slow = (run: BenchmarkRun): BenchmarkRun => ({
      ...run,
      machine: { ...run.machine, verificationMicros: [37.5, 60] },
    });
    const verdict = (unit: Unit) => {
      const [before, after] = [1, 1.4].map((value) => sampleRun([figure('x', [value, value], { unit })]));
      assert.ok(before !== undefined && after !== undefined);
      return compareRuns(before, slow(after)).changes[0]?.verdict;
    };
    assert.deepEqual([verdict('ms'), verdict('MiB')], ['within the noise', 'worse']);
  });

  test('names what differs between the runs themselves', () => {
    const [before, after] = [sampleRun([]), sampleRun([])];
    assert.deepEqual(compareRuns(before, after).differences, []);
    const elsewhere = { ...after, quick: true, machine: { ...after.machine, cores: 8 } };
    assert.deepEqual(compareRuns(before, elsewhere).differences, [
      'cores: 2 before, 8 now',
      'length: full before, quick now',
    ]);
  });

  test('lists figures that only one run has, and leaves out benchmarks that did not run', () => {
    const before = sampleRun([figure('gone', [1]), figure('kept', [1])]);
    const other = sampleRun([figure('elsewhere', [1])], [], 'views');
    const after = sampleRun([figure('kept', [1]), figure('fresh', [1])]);
    const { changes, missing, added } = compareRuns(
      { ...before, benchmarks: [...before.benchmarks, ...other.benchmarks] },
      after,
    );
    assert.deepEqual(
      changes.map(({ name }) => name),
      ['kept'],
    );
    assert.deepEqual([missing, added], [['codecs: gone'], ['codecs: fresh']]);
  });

  test('compares series point by point, and puts the worst first', () => {
    const series = (factor: number) => ({
      name: 'reads',
      over: 'accounts',
      unit: 'ms' as const,
      better: 'lower' as const,
      points: [10, 100].map((size) => ({ size, rounds: [1, 1, 1].map((value) => value * factor * size) })),
    });
    const before = sampleRun([figure('x', [1, 1])], [series(1)]);
    const { changes } = compareRuns(before, sampleRun([figure('x', [1.2, 1.2])], [series(1.5)]));
    assert.deepEqual(
      changes.map(({ name, verdict }) => [name, verdict]),
      [
        ['reads, 10 accounts', 'worse'],
        ['reads, 100 accounts', 'worse'],
        ['x', 'worse'],
      ],
    );
  });
});
