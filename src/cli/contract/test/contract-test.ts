import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { errorMessage, hasCode } from '../../../base/errors.js';
import { counted } from '../../../base/number-text.js';
import { sdkFolder } from '../../../contract-sdk/build-contract.js';
import { ContractError } from '../../../contract-sdk/contract-error.js';
import { type ContractProject, readContractProject } from '../../../contract-sdk/contract-project.js';
import { coverageReport, coverageText, lcovText } from '../../../contract-sdk/coverage-report.js';
import { gasReport, gasReportText, type MethodGas } from '../../../contract-sdk/gas-report.js';
import { parseSnapshot, snapshotDifferences, snapshotText } from '../../../contract-sdk/gas-snapshot.js';
import { compileForTests } from '../../../contract-sdk/test-builds.js';
import { writeText } from '../../answer.js';
import type { CliCommand, CommandContext } from '../../cli-command.js';
import { CliError, UsageError } from '../../cli-error.js';
import { interruptible } from '../../end-process.js';
import { listOf } from '../../option-parsers.js';
import { writeBuild, writeGenerated } from '../contract-project.js';
import { findTestFiles, runTestFiles } from './run-test-files.js';
import { watchProject } from './watch-project.js';

interface TestOptions {
  readonly watch?: boolean;
  readonly coverage?: boolean;
  readonly lcov?: string;
  readonly gasReport?: boolean;
  readonly gasJson?: string;
  readonly gasSnapshot?: boolean;
  readonly snapshotFile: string;
  readonly check?: boolean;
  readonly tolerance: number;
  readonly name?: string;
  readonly import: readonly string[];
}

export function registerContractTestCommand(contract: CliCommand, context: CommandContext): void {
  contract
    .command('test')
    .description('build a contract and run its tests on the engine of the node, without a node')
    .argument('[FOLDER]', 'the folder with its contract.json', '.')
    .argument('[FILES...]', 'tests, relative to the folder (default: test/**/*.test.mjs, also .js and .ts)')
    .option('--watch', 'build and test again whenever a source or test changes, until Ctrl-C')
    .option('--name <PATTERN>', 'only tests whose name matches this regular expression')
    .option(
      '--import <MODULE>',
      'module that Node loads before the tests; may be repeated',
      listOf(String),
      [],
    )
    .option('--coverage', 'print which lines of the sources the tests ran')
    .option('--lcov <FILE>', 'write the coverage of lines for other tools, as lcov.info')
    .option('--gas-report', 'print the gas of each method')
    .option('--gas-json <FILE>', 'write the gas of each method as JSON')
    .option('--gas-snapshot', 'write the gas of each method to a file to be compared later')
    .option('--snapshot-file <FILE>', 'the file of --gas-snapshot, relative to the folder', '.gas-snapshot')
    .option('--check', 'compare with the gas snapshot instead, and fail if they differ')
    .option(
      '--tolerance <PERCENT>',
      'largest change of gas that --check accepts; unless it is 0, 2 gas too',
      percent,
      0.1,
    )
    .notes(
      'A failed call names the lines of the source that it stopped in. Gas is that of the optimized build, also with',
      '--coverage.',
    )
    .examples(
      'heddle contract test my_token',
      'heddle contract test my_token test/transfer.test.mjs --watch',
      'heddle contract test my_token --coverage --lcov coverage/lcov.info',
      'heddle contract test my_token --gas-snapshot',
      'heddle contract test my_token --gas-snapshot --check --tolerance 1',
    )
    .action((folder: string, files: readonly string[], options: TestOptions) =>
      testContract(resolve(context.workingDirectory, folder), files, options, context),
    );
}

function percent(text: string): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 100)) throw new InvalidArgumentError('expected a number from 0 to 100.');
  return value;
}

async function testContract(
  folder: string,
  files: readonly string[],
  options: TestOptions,
  context: CommandContext,
): Promise<void> {
  if (options.check && !options.gasSnapshot) {
    throw new UsageError('--check compares gas: give it with --gas-snapshot');
  }
  if (options.watch && options.gasSnapshot) {
    throw new UsageError('--gas-snapshot records one run: give it without --watch');
  }
  await interruptible('interrupted', async (signal) => {
    if (!options.watch) {
      await testOnce(folder, files, options, context, signal);
      return;
    }
    await watchProject(folder, signal, {
      run: (until) => testOnce(folder, files, options, context, until),
      onFailure: (error) => context.console.err(`heddle: ${errorMessage(error)}\n`),
      onWait: () => context.console.out('\nwaiting for changes; Ctrl-C ends\n'),
    });
  });
}

async function testOnce(
  folder: string,
  given: readonly string[],
  options: TestOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const { console, environment, workingDirectory } = context;
  const project = await readContractProject(folder);
  const coverage = options.coverage === true || options.lcov !== undefined;
  await writeGenerated(project);
  const builds = await compileForTests(project, { sdk: sdkFolder(), coverage });
  const wasm = await writeBuild(project, builds.release);
  console.out(`wrote ${relative(workingDirectory, wasm)}, ${builds.release.code.length} bytes\n`);
  const files = await findTestFiles(folder, given);
  const { name, import: imports } = options;
  const tests = { folder, files, imports, ...(name !== undefined && { name }) };
  const { passed, records } = await runTestFiles(tests, [builds.debug], environment, signal);
  signal.throwIfAborted();
  if (coverage) {
    const report = coverageReport(
      builds.lines,
      records.flatMap((record) => ('lines' in record ? [record.lines] : [])),
    );
    if (options.coverage) console.out(`\n${coverageText(report)}`);
    if (options.lcov !== undefined)
      await writeText(resolve(context.workingDirectory, options.lcov), lcovText(report), '--lcov');
  }
  const gas = gasReport(records.flatMap((record) => ('call' in record ? [record.call] : [])));
  if (options.gasReport) console.out(`\n${gasReportText(gas)}`);
  if (options.gasJson !== undefined) {
    await writeText(
      resolve(context.workingDirectory, options.gasJson),
      `${JSON.stringify(gas, null, 2)}\n`,
      '--gas-json',
    );
  }
  if (!passed) throw new CliError('the tests failed');
  if (options.gasSnapshot) await snapshot(project, gas, options, context);
}

async function snapshot(
  { folder }: ContractProject,
  gas: readonly MethodGas[],
  { snapshotFile, check, tolerance }: TestOptions,
  context: CommandContext,
): Promise<void> {
  const path = join(folder, snapshotFile);
  const shown = relative(context.workingDirectory, path);
  if (!check) {
    await writeText(resolve(context.workingDirectory, path), snapshotText(gas), '--gas-snapshot');
    context.console.out(`wrote ${shown}, ${gas.length} methods\n`);
    return;
  }
  const differences = snapshotDifferences(await readSnapshot(path, shown), gas, tolerance);
  if (differences.length === 0) {
    context.console.out(`gas is as in ${shown}\n`);
    return;
  }
  context.console.out(`\n${differences.join('\n')}\n\n`);
  throw new CliError(
    `gas differs from ${shown} (${counted(differences.length, 'difference')}); --gas-snapshot without --check updates it`,
  );
}

async function readSnapshot(path: string, shown: string): Promise<readonly MethodGas[]> {
  try {
    return parseSnapshot(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      throw new CliError(`${shown} does not exist; --gas-snapshot without --check writes it`);
    }
    if (error instanceof ContractError) throw new CliError(`${shown}: ${error.message}`);
    throw error;
  }
}
