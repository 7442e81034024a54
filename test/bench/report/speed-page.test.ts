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

  test('leaves out benchmarks that record nothing, and says that a run was quick', () => {
    const silent = sampleRun([], [], 'abi');
    const page = speedPage({ ...run, quick: true, benchmarks: [...run.benchmarks, ...silent.benchmarks] });
    assert.doesNotMatch(page, /### abi/);
    assert.match(page, /^npm run bench -- codecs --quick$/m);
    assert.match(page, /quick: few and short rounds/);
  });
});
