import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { speedPage } from '../../../bench/report/speed-page.js';
import { figure, sampleRun } from '../sample-run.js';

describe('docs/speed.md', () => {
  const run = sampleRun([figure('decode', [1_500, 1_600, 1_700], { unit: 'ns' })]);

  test('has the machine, the command and the sections of the run', () => {
    const page = speedPage(run);
    assert.match(page, /^\| processor +\| Some CPU +\|$/m);
    assert.match(page, /^npm run bench -- codecs$/m);
    assert.match(page, /^## Hot paths in one thread\n\n### codecs\n\nBorsh/m);
    assert.match(page, /^\| decode \| 1,600 ns \(1,500 to 1,700\) \|$/m);
  });

  test('contains no number but those of the run', () => {
    const empty = { ...run, benchmarks: [] };
    const prose = speedPage(empty)
      .replace(/^\|.*$/gm, '')
      .replace(/R²/g, '')
      .replace(/exponent [01]\b/g, '');
    assert.doesNotMatch(prose, /\d/);
  });

  test('gathers the rates relative to anvil, by connections', () => {
    const beside = (name: string, rounds: readonly number[], anvil: readonly number[]) =>
      figure(name, rounds, {
        unit: '/s',
        better: 'higher',
        baselines: [
          { name: 'bare', rounds },
          { name: 'anvil', rounds: anvil },
        ],
      });
    const page = speedPage(
      sampleRun([
        beside('tip, 16 connections: answers', [20, 22], [10, 10]),
        beside('tip, 64 connections: answers', [10], [20]),
        beside('tip, 64 connections: first second', [10], [40]),
        figure('tip, 64 connections: processor time', [1], { baselines: [{ name: 'anvil', rounds: [2] }] }),
        beside('transfers: sealed', [30], [10]),
      ]),
    );
    const [, section = ''] = page.split('## Beside anvil\n');
    assert.deepEqual(
      [...(section.split('\n## ')[0] ?? '').matchAll(/^\|(.*)\|$/gm)]
        .map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
        .filter(([first = '']) => !first.startsWith('---')),
      [
        ['times the rate of anvil', '16 connections', '64 connections', 'its own load'],
        ['tip', '2.1 (2 to 2.2)', '0.5', ''],
        ['tip, first second', '', '0.25', ''],
        ['transfers, sealed', '', '', '3'],
      ],
    );
    assert.doesNotMatch(speedPage(run), /Beside anvil/);
  });

  test('leaves out benchmarks that record nothing, and says that a run was quick', () => {
    const silent = sampleRun([], [], 'abi');
    const page = speedPage({ ...run, quick: true, benchmarks: [...run.benchmarks, ...silent.benchmarks] });
    assert.doesNotMatch(page, /### abi/);
    assert.match(page, /^npm run bench -- codecs --quick$/m);
    assert.match(page, /quick: few and short rounds/);
  });
});
