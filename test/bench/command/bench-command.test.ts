import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { benchCommand } from '../../../bench/command/bench-command.js';
import { readRun } from '../../../bench/results/read-run.js';
import { runJson } from '../../../bench/results/write-run.js';
import { CATALOGUE, PROGRAMS } from '../fixtures/catalogue.js';

describe('the command of npm run bench', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  after(() => rmSync(directory, { recursive: true }));

  interface Outcome {
    readonly code: number;
    readonly out: string;
    readonly err: string;
  }

  async function bench(args: readonly string[]): Promise<Outcome> {
    let [out, err] = ['', ''];
    const code = await benchCommand(args, {
      catalogue: CATALOGUE,
      programs: PROGRAMS,
      signal: new AbortController().signal,
      out: (line) => {
        out += `${line}\n`;
      },
      err: (line) => {
        err += `${line}\n`;
      },
    });
    return { code, out, err };
  }

  describe('npm run bench', () => {
    test('keeps what a benchmark records, in three forms', async () => {
      const folder = join(directory, 'records');
      const { code, out } = await bench(['records', '--quick', '--out', folder, '--x', '7', '--', '--list']);
      assert.equal(code, 0);
      assert.deepEqual(readdirSync(folder).sort(), ['report.html', 'report.md', 'run.json']);
      const run = readRun(join(folder, 'run.json'));
      assert.equal(run.quick, true);
      assert.equal(run.machine.node, process.version);
      const [before, after] = run.machine.verificationMicros;
      assert.ok(before > 1 && before < 1e5 && after > 1 && after < 1e5);
      const [result] = run.benchmarks;
      assert.deepEqual(result?.arguments, ['--few', '--x', '7', '--list']);
      assert.deepEqual(result?.figures[0]?.rounds, [10, 11, 12]);
      assert.deepEqual(
        result?.series[0]?.points.map(({ size }) => size),
        [10, 100, 1_000],
      );
      assert.match(readFileSync(join(folder, 'report.md'), 'utf8'), /11 µs \(10 to 12\)/);
      assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /11 µs \(10 to 12\)/);
      assert.ok(out.startsWith(`Node.js ${process.version} on `), out);
      assert.match(out, /\[1\/1\] records: a benchmark of the tests/);
      assert.match(out, /Exponents:\n {2}records: reads: 1\.00 ± 0\.00 over accounts, at most 1: met/);
      assert.match(
        out,
        /Missed aims:\n {2}records: call: answers: 2 \(2 to 2\) times, aim at most 1\.5 times bare/,
      );
      assert.ok(out.includes(join(folder, 'run.json')));
    });

    test('notes a benchmark that fails, runs the others, and fails at the end', async () => {
      const folder = join(directory, 'fails');
      const { code, out } = await bench(['micro', 'engine', '--out', folder]);
      assert.equal(code, 1);
      const { benchmarks } = readRun(join(folder, 'run.json'));
      assert.deepEqual(
        benchmarks.map(({ name, figures, failure }) => [name, figures.length, failure?.split(':')[0]]),
        [
          ['records', 1, undefined],
          ['fails', 1, 'exit code 3'],
          ['sends-text', 0, 'it sent no figure'],
          ['absent', 0, 'exit code 1'],
        ],
      );
      assert.match(out, /Failed:\n {2}fails: exit code 3\n {2}sends-text: it sent no figure: figure\.unit: /);
      assert.match(readFileSync(join(folder, 'report.md'), 'utf8'), /\*\*Failed\*\*: exit code 3/);
    });

    test('compares with an earlier run by ratios, and fails if a figure got worse', async () => {
      const folder = join(directory, 'earlier');
      await bench(['records', '--out', folder]);
      const path = join(folder, 'run.json');
      const again = await bench(['records', '--out', join(directory, 'again'), '--compare', path]);
      assert.equal(again.code, 0);
      assert.match(again.out, /Compared with the earlier run: 0 worse, 0 better, 4 within the noise/);
      assert.doesNotMatch(again.out, /Warning/);
      const run = readRun(path);
      const faster = run.benchmarks.map((result) => ({
        ...result,
        figures: result.figures.map((figure) => ({
          ...figure,
          rounds: figure.rounds.map((round) => round / 2),
        })),
      }));
      const machine = { ...run.machine, node: 'v18.1.0' };
      writeFileSync(path, runJson({ ...run, machine, benchmarks: faster }));
      const slower = await bench(['records', '--out', join(directory, 'slower'), '--compare', path]);
      assert.equal(slower.code, 1);
      assert.match(
        slower.out,
        /Worse beyond the noise:\n {2}records: call: answers: 2\.00 times worse, noise 5 %/,
      );
      assert.ok(
        slower.out.includes(
          `Warning: the earlier run was on Node.js v18.1.0, this one on ${process.version};`,
        ),
      );
    });

    test('refuses wrong usage before it measures', async () => {
      const folder = join(directory, 'refused');
      for (const [args, message] of [
        [['record'], /no benchmark or part "record"; did you mean records\?/],
        [['records', 'fails', '--x'], /"--x" is no option of this command/],
        [['records', '--compare', join(directory, 'absent.json')], /cannot read .*absent\.json/],
        [['records', '--compare', fileURLToPath(import.meta.url)], /expected JSON of npm run bench/],
        [['records', '--compare'], /argument missing/],
      ] as const) {
        const { code, out, err } = await bench([
          ...args,
          ...(args.length === 2 && args[1] === '--compare' ? [] : ['--out', folder]),
        ]);
        assert.equal(code, 2, err);
        assert.match(err, message);
        assert.equal(out, '');
      }
      assert.equal(existsSync(folder), false);
      const { code, err } = await bench(['records', '--out', fileURLToPath(import.meta.url)]);
      assert.equal(code, 2);
      assert.match(err, /--out: cannot make the folder/);
    });

    test('lists the benchmarks and shows examples in its help', async () => {
      const { code, out } = await bench(['--list']);
      assert.equal(code, 0);
      assert.match(out, /^micro \(default\)\n {2}records {5}a benchmark of the tests\n/);
      const help = await bench(['--help']);
      assert.equal(help.code, 0);
      assert.match(help.out, /Examples:\n {2}\$ npm run bench /);
    });
  });
});
