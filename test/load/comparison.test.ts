import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { changeText, compareLoads, readEarlierReport } from '../../src/load/comparison.js';
import { LoadError } from '../../src/load/load-error.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';
import { sampleReport } from './sample-report.js';

const directory = temporaryDirectory();
after(() => removeDirectory(directory));

function written(content: unknown): string {
  const path = join(directory, 'old.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('a report to compare with', () => {
  test('comes back as it was written, with or without usage', () => {
    const report = sampleReport();
    const read = readEarlierReport(written(report));
    assert.deepEqual([read.totals, read.samples[0]?.node?.main], [report.totals, { busy: 0.3, cores: 0.3 }]);
    const samples = report.samples.map(({ node: _node, generator: _generator, ...sample }) => sample);
    const { resources: _, verdict: __, sampled_errors: ___, ...older } = { ...report, samples };
    assert.equal(readEarlierReport(written(older)).samples.length, 2);
  });

  test('is refused with the reason if it is not a report', () => {
    const report = sampleReport();
    const cases: readonly (readonly [content: unknown, reason: RegExp])[] = [
      ['{', /expected JSON/],
      ['[]', /it is no report of "heddle load --report": kind is missing$/],
      [{ ...report, blocks: { ...report.blocks, fill_max: undefined } }, /: blocks\.fill_max is missing$/],
      [
        { ...report, kind: 'heddle load report 9' },
        /it is a heddle load report 9, and this version reads heddle load report 1$/,
      ],
      [{ ...report, kind: 'heddle-bench-1' }, /it is no report of .* kind: /],
      [{ ...report, per_second: { sent: 1, accepted: 1, sealed: -1 } }, /per_second\.sealed: /],
      [{ ...report, started: '</script>' }, /started: /],
      [
        { ...report, samples: [...report.samples].reverse() },
        /samples: expected samples in order of their time$/,
      ],
      [
        {
          ...report,
          refusals: Object.fromEntries(Array.from({ length: 200 }, (_, place) => [`r${place}`, 1])),
        },
        /refusals: expected at most 100 reasons$/,
      ],
      [{ ...report, url: 'x'.repeat(2_000) }, /url: /],
    ];
    for (const [content, reason] of cases) {
      assert.throws(
        () => readEarlierReport(written(content)),
        (error) => error instanceof LoadError && error.code === 'bad_report' && reason.test(error.message),
        String(reason),
      );
    }
    assert.throws(
      () => readEarlierReport(join(directory, 'none.json')),
      /--compare: cannot read .*none\.json/,
    );
  });
});

describe('the comparison of two loads', () => {
  test('has every figure of both, and the reasons given in either', () => {
    const now = sampleReport({ refusals: { pool_full: 5 } });
    const before = {
      ...sampleReport({ refusals: { fee_too_low: 2 } }),
      per_second: { sent: 400, accepted: 200, sealed: 200 },
    };
    const { figures, started } = compareLoads(now, before);
    assert.equal(started, before.started);
    const of = (name: string) => figures.find((figure) => figure.name === name) ?? assert.fail(name);
    assert.deepEqual(of('sealed'), { name: 'sealed', unit: '/s', before: 200, now: 250 });
    assert.deepEqual([of('refused: pool_full').before, of('refused: pool_full').now], [0, 5]);
    assert.deepEqual([of('refused: fee_too_low').before, of('refused: fee_too_low').now], [2, 0]);
    assert.equal(of('until in a block, p99').unit, 'ms');
  });

  test('warns of different settings, but not of a different seed', () => {
    const now = sampleReport();
    const settings = { ...now.settings, rate: 100, seed: 7 };
    const before = { ...now, settings, node_version: '0.0.9', ended: 'interrupted' as const };
    assert.deepEqual(compareLoads(now, before).warnings, [
      'the earlier load ended early: interrupted',
      '--rate: 100 before, 500 now',
      'version of the node: 0.0.9 before, 0.1.0 now',
    ]);
    assert.deepEqual(compareLoads(now, now).warnings, []);
  });

  test('shows a change as a percentage, or as a difference if the earlier value is zero', () => {
    const change = (before: number, now: number) => changeText({ name: '', unit: '', before, now });
    assert.deepEqual(
      [change(200, 250), change(200, 150), change(0, 12), change(5, 5), change(4, 0)],
      ['+25.0 %', '−25.0 %', '+12', '=', '−100.0 %'],
    );
  });
});
