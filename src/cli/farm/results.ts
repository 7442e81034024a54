import { join } from 'node:path';
import { pause } from '../../async/pause.js';
import { count } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import { FarmError } from '../../farm/farm-error.js';
import { type CollectedRun, collect } from '../../farm/results/collect.js';
import { openFolder } from '../../farm/results/folder.js';
import type { Compression, ResultFormat } from '../../farm/results/result-writer.js';
import { ResultsError } from '../../farm/results/result-writer.js';
import { openStream } from '../../farm/results/stream-target.js';
import { expectRunName } from '../../farm/run/run-record.js';
import type { RunStore } from '../../farm/run/run-store.js';
import { type RunStatus, readStatus } from '../../farm/run-status.js';
import type { RunSummary } from '../../farm/run-summary.js';
import { verdictOfRun } from '../../farm/run-summary.js';
import { summaryPage } from '../../farm/summary-page.js';
import { writeText } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, ReportedFailure } from '../cli-error.js';
import { interruptible } from '../end-process.js';
import { integerBetween } from '../option-parsers.js';
import { SteppedProgress } from '../progress.js';
import { redisOption, withRuns } from './farm-options.js';

interface ResultsOptions {
  readonly redis?: string;
  readonly out: string;
  readonly format: ResultFormat;
  readonly compress?: Compression;
  readonly linesPerFile: number;
  readonly partial?: boolean;
  readonly wait?: boolean;
  readonly summary?: string;
}

const STANDARD_OUTPUT = '-';
const WAIT_MS = 1_000;

export function registerResultsCommand(farm: CliCommand, context: CommandContext): void {
  farm
    .command('results')
    .description('write the results of a run in the order of its input, with a summary page')
    .argument('<RUN>', 'the run')
    .option(
      '--out <DIR>',
      'folder for files of results, summary.html and summary.json; - is standard output',
      STANDARD_OUTPUT,
    )
    .choice('--format <FORMAT>', 'form of the results', ['ndjson', 'parquet'], 'ndjson')
    .choice(
      '--compress <HOW>',
      'default: gzip into a folder, none to standard output; zstd needs Node 22.15',
      ['none', 'gzip', 'zstd'],
    )
    .option(
      '--lines-per-file <N>',
      'results in one file of the folder',
      integerBetween(1, 1_000_000_000),
      1_000_000,
    )
    .option('--wait', 'wait until the run is complete')
    .option('--partial', 'write what there is; calls without a result get an error of kind no_result')
    .option('--summary <FILE>', 'write the summary page to this file too')
    .addOption(redisOption())
    .notes(
      'A result of a call is {"line", "id", "method", "height", "block_hash", "result"}, or has "error" instead of "result". A',
      'result of a trace is {"line", "height", "index", "tx_hash", "receipt", "trace"}. A call that reverted has "error_name" too,',
      'the name of the error that the contract declares. If writing to a folder is interrupted, the same command continues',
      'after the last complete file. The exit code is 1 if two workers disagree about a job.',
    )
    .examples(
      'heddle farm results RUN | jq .result.gas_used',
      'heddle farm results RUN --wait --out results --format parquet',
    )
    .action((run: string, options: ResultsOptions) => results(run, options, context));
}

async function results(run: string, options: ResultsOptions, context: CommandContext): Promise<void> {
  await withRuns(options.redis, context, (store) =>
    interruptible('interrupted', async (signal) => {
      const status = await readyStatus(store, expectRunName(run), options, signal);
      const collected = await write(store, status, options, signal);
      await report(status, collected, options, context);
    }),
  );
}

/** The status of a run whose results can be written. @throws FarmError wrong_state */
async function readyStatus(
  store: RunStore,
  run: string,
  { wait, partial }: ResultsOptions,
  signal: AbortSignal,
): Promise<RunStatus> {
  let status = await readStatus(store, run);
  const isOpen = (): boolean => status.phase === 'running' || status.phase === 'submitting';
  while (wait === true && isOpen() && (await pause(WAIT_MS, signal))) status = await readStatus(store, run);
  signal.throwIfAborted();
  if (status.phase === 'complete' || partial === true) return status;
  const { done, jobs } = status.progress;
  const advice = isOpen() ? '--wait waits for the rest' : `"heddle farm retry ${run}" tries the rest again`;
  throw new FarmError(
    'wrong_state',
    `the run ${run} is ${status.phase}: ${done} of ${jobs} jobs are done; ${advice}, --partial writes what there is`,
  );
}

async function write(
  store: RunStore,
  status: RunStatus,
  { out, format, compress, linesPerFile }: ResultsOptions,
  signal: AbortSignal,
): Promise<CollectedRun> {
  const { run, record, progress, phase } = status;
  const isStream = out === STANDARD_OUTPUT;
  const form = { format, compress: compress ?? (isStream ? 'none' : 'gzip'), kind: record.kind };
  // A folder with other results, as of a run that was retried since, must not be taken for these.
  const name = `${run} ${record.id}, version ${progress.version}${phase === 'complete' ? '' : `, ${progress.done} jobs`}`;
  const opened = isStream
    ? { skipLines: 0, writer: await openStream(process.stdout, 'standard output', form) }
    : await openFolder(out, { ...form, run: name, linesPerFile });
  const { writer, skipLines } = opened;
  const bar = isStream ? undefined : new SteppedProgress('lines');
  try {
    const collected = await collect({
      store,
      stored: status,
      writer,
      skipLines,
      signal,
      asked: new Set(status.disagreements.map(({ job }) => job)),
      onLines: (lines) => bar?.update('writing', lines, Math.max(lines, progress.calls)),
    });
    await writer.close();
    return collected;
  } catch (error) {
    await writer.abort();
    if (error instanceof ResultsError && error.code === 'unwritable' && !isStream) {
      throw new CliError(`${error.message}; the same command continues after the last complete file`, {
        cause: error,
      });
    }
    throw error;
  } finally {
    bar?.stop();
  }
}

async function report(
  status: RunStatus,
  collected: CollectedRun,
  { out, summary }: ResultsOptions,
  { console }: CommandContext,
): Promise<void> {
  const data = summaryOf(status, collected);
  const page = summaryPage(data);
  const verdict = verdictOfRun(data);
  const files: (readonly [path: string, text: string])[] = [
    ...(out === STANDARD_OUTPUT
      ? []
      : [
          [join(out, 'summary.html'), page] as const,
          [join(out, 'summary.json'), `${JSON.stringify({ ...data, verdict }, undefined, 2)}\n`] as const,
        ]),
    ...(summary === undefined ? [] : [[summary, page] as const]),
  ];
  for (const [path, text] of files) await writeText(path, text);
  const { lines, missing, statistics } = collected;
  console.err(
    `${count(lines)} results: ${count(statistics.answered)} answered, ${count(statistics.failed + statistics.undetermined)} failed\n`,
  );
  console.err(`verdict: ${shownLine(verdict.sentence)}\n`);
  if (missing > 0) console.err(`heddle: ${count(missing)} jobs have no results\n`);
  const { progress, run } = status;
  if (progress.disagreements > 0) {
    console.err(
      `heddle: workers disagree about ${count(progress.disagreements)} jobs; "heddle farm status ${run}" shows the first lines that differ\n`,
    );
    throw new ReportedFailure();
  }
}

function summaryOf(status: RunStatus, { statistics, pins, places }: CollectedRun): RunSummary {
  const { run, record, progress, shares, failures, disagreements, phase } = status;
  return {
    run,
    kind: record.kind,
    source: record.source,
    submitted_ms: record.created_ms,
    pins,
    statistics,
    ...(phase === 'complete' && progress.last_ms !== undefined && { finished_ms: progress.last_ms }),
    ...(progress.first_ms !== undefined && { first_ms: progress.first_ms }),
    workers: shares.map(({ worker: name, ...share }) => ({ name, ...share })),
    failures: failures.map(({ line, kind, message }) => ({ line, kind, message })),
    disagreements: disagreements.map(({ job, workers, checksums }) => ({
      job,
      lines: places.get(job) ?? '',
      workers,
      checksums,
    })),
  };
}
