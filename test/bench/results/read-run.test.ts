import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { RunFileError, readRun } from '../../../bench/results/read-run.js';
import { runJson } from '../../../bench/results/write-run.js';
import { figure, sampleRun } from '../sample-run.js';

describe('results of benchmarks', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-bench-run-'));
  after(() => rmSync(directory, { recursive: true }));

  function reading(text: string): () => unknown {
    const path = join(directory, 'run.json');
    writeFileSync(path, text);
    return () => readRun(path);
  }

  const run = sampleRun(
    [figure('odd [\n 1, 2\n] name', [1, 2.5], { baselines: [{ name: 'bare', rounds: [3, 4] }] })],
    [
      {
        name: 's',
        over: 'n',
        unit: '/s',
        better: 'higher',
        points: [{ size: 1, rounds: [-1e-9] }],
        largestExponent: 0,
      },
    ],
  );

  describe('a file of results', () => {
    test('reads as it was written, with lists of numbers on one line', () => {
      const text = runJson(run);
      assert.deepEqual(reading(text)(), run);
      assert.match(text, /"rounds": \[1, 2\.5\]/);
    });

    test('keeps five digits', () => {
      assert.match(
        runJson(sampleRun([figure('x', [1 / 3, 1234567.8, 1234567])])),
        /\[0\.33333, 1234600, 1234567\]/,
      );
    });

    test('is refused with its path and the place of the fault', () => {
      const refused = (text: string, code: string, message: RegExp) =>
        assert.throws(reading(text), (error) => {
          assert.ok(error instanceof RunFileError);
          assert.equal(error.code, code);
          assert.match(error.message, message);
          return true;
        });
      refused('{', 'malformed', /run\.json: expected JSON of npm run bench/);
      refused('[]', 'malformed', /run\.json is no run\.json of npm run bench/);
      refused(
        runJson(run).replace('heddle-bench-1', 'heddle-bench-9'),
        'malformed',
        /format: .*heddle-bench-9/,
      );
      refused(
        runJson(run).replace('"µs"', '"furlong"'),
        'malformed',
        /benchmarks\.0\.figures\.0\.unit: .*furlong/,
      );
      refused(runJson(run).replace('[1, 2.5]', '[]'), 'malformed', /benchmarks\.0\.figures\.0\.rounds: /);
      assert.throws(() => readRun(join(directory, 'absent.json')), {
        code: 'unreadable',
        message: /absent\.json/,
      });
    });
  });
});
