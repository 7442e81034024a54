import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { major } from 'semver';
import { errorMessage } from '../../src/base/errors.js';
import type { Benchmark } from '../catalogue/benchmark.js';
import { DEFAULT_PARTS } from '../catalogue.js';
import { besideAnvil } from '../report/beside-anvil.js';
import { contentsOf } from '../report/contents.js';
import { comparisonLine, exponentLines, missedLine } from '../report/lines.js';
import { reportMarkdown } from '../report/markdown.js';
import { benchmarkPage } from '../report/page.js';
import { type Comparison, compareRuns } from '../results/compare.js';
import { RunFileError, readRun } from '../results/read-run.js';
import type { BenchmarkRun } from '../results/run.js';
import { runJson } from '../results/write-run.js';
import { textTable } from '../support/text-table.js';
import { BenchError } from './bench-error.js';
import { runAll } from './run-all.js';
import { select } from './selection.js';

export interface BenchContext {
  readonly catalogue: readonly Benchmark[];
  /** Folder of the compiled programs, as a URL that ends with a slash. */
  readonly programs: URL;
  readonly signal: AbortSignal;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

interface Options {
  readonly quick?: boolean;
  readonly list?: boolean;
  readonly out?: string;
  readonly compare?: string;
}

/**
 * Runs `npm run bench` with these arguments.
 *
 * @returns the exit code: 1 if a benchmark failed or a figure got worse, 2 for wrong usage
 */
export async function benchCommand(args: readonly string[], context: BenchContext): Promise<number> {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const further = end === -1 ? [] : args.slice(end + 1);
  let exitCode = 0;
  const command = commandLine(context).action(async (words: readonly string[], options: Options) => {
    exitCode = options.list === true ? list(context) : await bench(words, further, options, context);
  });
  try {
    await command.parseAsync(own, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof BenchError || error instanceof RunFileError)) throw error;
    context.err(`bench: ${error.message}`);
    return 2;
  }
}

function commandLine({ out, err }: BenchContext): Command {
  return new Command('npm run bench --')
    .description('Measures how fast this node is, and how cost grows, beside baselines in the same rounds.')
    .argument('[names...]', `benchmarks, groups or parts (default: ${DEFAULT_PARTS.join(' ')})`)
    .option('--quick', 'fewer and shorter rounds')
    .option('--out <DIR>', 'folder for the results (default: bench-results/ with the time)')
    .option(
      '--compare <OLD.json>',
      'compare with the run.json of an earlier run; exit code 1 if a figure got worse',
    )
    .option('--list', 'print the benchmarks by part')
    .helpOption('-h, --help', 'print help')
    .allowUnknownOption()
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) })
    .addHelpText(
      'after',
      `
Benchmarks run one after another, each in its own process. With the name of one benchmark, every unknown argument
goes to it; further ones may follow a second --.

The folder gets run.json, report.md, and report.html with plots. A figure got worse if it changed by more than the
noise of both runs, at least 5 %; where both runs have a baseline, their ratios to it are compared, and elsewhere
the change must be larger than that of the machine's speed.

The exit code is 1 if a benchmark failed or a figure got worse, and 2 for wrong usage. Ctrl-C stops the benchmark
with its nodes and keeps what was measured.

Examples:
  $ npm run bench                                       the parts ${DEFAULT_PARTS.join(', ')}
  $ npm run bench -- --quick                            the same in a few minutes
  $ npm run bench -- codecs hashes tree                 some benchmarks
  $ npm run bench -- peers                              reads, calls and transfers, beside anvil and ganache
  $ npm run bench -- transfers --transfers 200000       an argument of a benchmark
  $ npm run bench -- floods -- --help                   the options of a benchmark
  $ npm run bench -- views --compare bench-results/2026-01-31T120000/run.json
`,
    );
}

function list({ catalogue, out }: BenchContext): number {
  const width = Math.max(...catalogue.map(({ name }) => name.length)) + 2;
  for (const part of new Set(catalogue.map((benchmark) => benchmark.part))) {
    out(`${part}${DEFAULT_PARTS.includes(part) ? ' (default)' : ''}`);
    for (const { name, about } of catalogue.filter((benchmark) => benchmark.part === part))
      out(`  ${name.padEnd(width)}${about}`);
  }
  for (const group of new Set(catalogue.flatMap(({ group = [] }) => group))) {
    const names = catalogue.filter((benchmark) => benchmark.group === group).map(({ name }) => name);
    out(`${group}: ${names.join(', ')}`);
  }
  return 0;
}

async function bench(
  words: readonly string[],
  further: readonly string[],
  { quick = false, out, compare }: Options,
  context: BenchContext,
): Promise<number> {
  const selection = select(words, further, context.catalogue);
  const earlier = compare === undefined ? undefined : readRun(compare);
  const folder = out ?? join('bench-results', new Date().toISOString().slice(0, 19).replaceAll(':', ''));
  // Fails before the benchmarks, which may take an hour.
  makeFolder(folder);
  const { programs, signal, out: print } = context;
  const run = await runAll({ ...selection, quick, programs, signal, print });
  const comparison = earlier === undefined ? undefined : compareRuns(earlier, run);
  const contents = contentsOf(run, context.catalogue);
  writeFileSync(join(folder, 'run.json'), runJson(run));
  writeFileSync(join(folder, 'report.md'), reportMarkdown(contents, comparison));
  writeFileSync(join(folder, 'report.html'), benchmarkPage(contents, comparison));

  const anvil = besideAnvil(contents);
  if (anvil !== undefined) print(`\n${textTable(anvil)}`);
  printAll(print, 'Exponents', exponentLines(contents));
  printAll(print, 'Missed aims', contents.missedAims.map(missedLine));
  printAll(print, 'Failed', failures(run));
  if (earlier !== undefined && comparison !== undefined) {
    printComparison(print, comparison);
    warnOfOtherNode(print, earlier.machine.node, run.machine.node);
  }
  print(`\n${['run.json', 'report.md', 'report.html'].map((name) => join(folder, name)).join('\n')}`);
  const isWorse = comparison?.changes.some(({ verdict }) => verdict === 'worse') ?? false;
  return isWorse || failures(run).length > 0 ? 1 : 0;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new BenchError('usage', `--out: cannot make the folder ${path}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

function failures({ benchmarks }: BenchmarkRun): string[] {
  return benchmarks.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]));
}

function printAll(print: BenchContext['out'], title: string, lines: readonly string[]): void {
  if (lines.length > 0) print(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** Another major version alone changes the speed of the same build. */
function warnOfOtherNode(print: BenchContext['out'], before: string, now: string): void {
  if (major(before) === major(now)) return;
  print(
    `\nWarning: the earlier run was on Node.js ${before}, this one on ${now}; that alone changes figures`,
  );
}

function printComparison(print: BenchContext['out'], comparison: Comparison): void {
  print(`\nCompared with the earlier run: ${comparisonLine(comparison)}`);
  const worse = comparison.changes.filter(({ verdict }) => verdict === 'worse');
  printAll(
    print,
    'Worse beyond the noise',
    worse.map(
      ({ benchmark, name, factor, noise }) =>
        `${benchmark}: ${name}: ${factor.toFixed(2)} times worse, noise ${(100 * noise).toFixed(0)} %`,
    ),
  );
}
