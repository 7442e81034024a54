import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentsOf } from '../../../bench/report/contents.js';
import { exponentLines } from '../../../bench/report/lines.js';
import { reportMarkdown } from '../../../bench/report/markdown.js';
import { compareRuns } from '../../../bench/results/compare.js';
import { figure, sampleRun } from '../sample-run.js';

const bare = { baselines: [{ name: 'bare server', rounds: [4, 5, 8] }] };
const run = sampleRun(
  [
    figure('balance: 16 connections', [10, 12.34, 14], {
      ...bare,
      aim: { of: 'ratio', at: 'most', bound: 2 },
    }),
    figure('balance: resident', [1234.5], { unit: 'MiB' }),
    figure('start', [1.5], { unit: 's', aim: { of: 'value', at: 'most', bound: 2 } }),
  ],
  [
    {
      name: 'state: reads',
      over: 'accounts',
      unit: 'ms',
      better: 'lower',
      points: [1e4, 1e5].map((size) => ({ size, rounds: [size / 1e3, size / 1e3] })),
      largestExponent: 0,
    },
  ],
);

/** The cells of every line of a table. */
const cells = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('the report in Markdown', () => {
  const text = reportMarkdown(contentsOf(run));
  const rows = cells(text);
  const row = (label: string) => rows.find(([first]) => first === label);

  test('lists each figure with its rounds, baseline, ratio and aim, in one table per name prefix', () => {
    assert.deepEqual(row('balance'), ['balance', 'figure', 'baseline', 'ratio to it', 'aim']);
    assert.deepEqual(row('16 connections'), [
      '16 connections',
      '12.3 µs (10 to 14)',
      'bare server: 5 µs',
      '2.47 (1.75 to 2.5)',
      'at most 2 times bare server: missed',
    ]);
    assert.deepEqual(row('resident'), ['resident', '1,230 MiB', '', '', '']);
    // Columns that no row of a table needs are left out.
    assert.deepEqual(row('start'), ['start', '1.5 s', 'at most 2 s: met']);
  });

  test('lists series with exponent, error and bound', () => {
    assert.deepEqual(row('accounts'), ['accounts', 'reads']);
    assert.deepEqual(row('10,000'), ['10,000', '10 ms (10 to 10)']);
    assert.deepEqual(row('exponent'), ['exponent', '1.00 ± 0.00']);
    assert.deepEqual(row('largest exponent'), ['largest exponent', 'at most 0: missed']);
    assert.deepEqual(exponentLines(contentsOf(run)), [
      'codecs: state: reads: 1.00 ± 0.00 over accounts, at most 0: missed',
    ]);
  });

  test('begins with the missed aims and names the machine', () => {
    assert.deepEqual(row('processor'), ['processor', 'Some CPU']);
    assert.match(text, /37\.5 µs before the run, 38\.3 µs after it/);
    const missed = text.split('## Missed aims')[1]?.split('##')[0] ?? '';
    assert.match(
      missed,
      /- codecs: balance: 16 connections: 2\.47 \(1\.75 to 2\.5\) times, aim at most 2 times/,
    );
    assert.match(missed, /- codecs: state: reads: exponent 1\.00/);
    assert.doesNotMatch(missed, /start/);
  });

  test('names what changed since the earlier run', () => {
    const faster = sampleRun([figure('start', [1], { unit: 's' }), figure('old', [1])]);
    const compared = reportMarkdown(contentsOf(run), compareRuns(faster, run));
    assert.match(compared, /1 worse, 0 better, 0 within the noise; no longer measured: codecs: old; new: /);
    assert.deepEqual(
      cells(compared).find(([first]) => first === 'codecs: start'),
      ['codecs: start', '1 s', '1.5 s', '1.5×', '15 %', 'worse'],
    );
  });

  test('shows a failed benchmark, and one that the catalogue does not have', () => {
    const [only] = run.benchmarks;
    assert.ok(only !== undefined);
    const failed = { ...run, benchmarks: [{ ...only, name: 'retired', failure: 'exit code 3' }] };
    assert.match(
      reportMarkdown(contentsOf(failed)),
      /## Others\n\n### retired\n[\s\S]*\*\*Failed\*\*: exit code 3/,
    );
  });

  test('keeps hostile names within their cells', () => {
    const name = 'a | b\n\n# h <script>alert(1)</script> [x](http://y) `c` \\| **d** &lt;';
    const hostile = sampleRun([figure(name, [1], { baselines: [{ name, rounds: [1] }] })], [], 'x\n# y');
    const shown = reportMarkdown(contentsOf(hostile));
    assert.deepEqual(
      cells(shown)
        .slice(-1)
        .map((row) => row.length),
      [4],
    );
    assert.doesNotMatch(shown, /<script/);
    assert.doesNotMatch(shown, /(?<!\\)\]\(http/);
    assert.doesNotMatch(shown, /^# (?!Benchmark)/m);
    assert.ok(shown.includes('\\\\\\|'), 'a backslash before a bar is escaped with it');
  });
});
