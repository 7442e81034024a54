import { once, setMaxListeners } from 'node:events';
import { statSync } from 'node:fs';
import { SingleBar } from 'cli-progress';
import { errorMessage } from '../../base/errors.js';
import { count, counted } from '../../base/number-text.js';
import { CALL_METHODS, CallsError } from '../../load/calls/call-line.js';
import { fileLines } from '../../load/calls/file-lines.js';
import { type CallCounts, openResults, runCalls } from '../../load/calls/run-calls.js';
import { keptHttpTransport } from '../../load/keep-alive-http-transport.js';
import type { LineFile, LineSink } from '../../load/line-file.js';
import { defaultBatchSize, textCaller } from '../../load/text-caller.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, ReportedFailure, UsageError } from '../cli-error.js';
import { accessTo, type ConnectionOptions } from '../connection-options.js';
import type { Console } from '../console.js';
import { interruptible } from '../end-process.js';
import { integerBetween } from '../option-parsers.js';

interface SimulateOptions extends ConnectionOptions {
  readonly out?: string;
  readonly resume?: boolean;
  readonly concurrency: number;
  readonly batch?: number;
}

const upTo1024 = integerBetween(1, 1_024);

/** Retries for a long time: a large batch of calls should survive a node that is busy or restarting. */
const RETRY = { retries: 8, baseDelayMs: 200, maxDelayMs: 5_000 };

export function registerSimulateCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('simulate')
    .connection()
    .argument('<FILE>', 'calls, one JSON object per line; - reads standard input')
    .option('--out <FILE>', 'file for the results, one per line (default: standard output)')
    .option('--resume', 'continue after the last result in --out')
    .option('--concurrency <N>', 'maximum number of calls in flight', upTo1024, 64)
    .option('--batch <N>', 'calls in one request (default: a quarter of --concurrency, at most 16)', upTo1024)
    .notes(
      'A call is {"method": …, "params": {…}}, with an "id" of any kind if you like; methods:',
      `  ${CALL_METHODS.slice(0, 5).join(', ')},`,
      `  ${CALL_METHODS.slice(5).join(', ')}`,
      'A result is {"line": n, "id": …, "method": …, "result": {…}}, or has "error": {"code", "kind", "message", "data"}',
      'instead. Results come in the order of the calls. A simulated transaction that reverts is a result, not an error.',
      '',
      'The exit code is 1 if a call failed.',
    )
    .examples(
      'heddle simulate calls.ndjson --out results.ndjson',
      'heddle simulate calls.ndjson --out results.ndjson --resume',
      'generate-calls | heddle simulate - | jq .result.gas_used',
    )
    .action((file: string, options: SimulateOptions) => simulate(file, options, context));
}

async function simulate(file: string, options: SimulateOptions, context: CommandContext): Promise<void> {
  if (options.resume === true && options.out === undefined) {
    throw new UsageError('--resume needs --out: the file of results to continue');
  }
  const bytes = file === '-' ? undefined : sizeOf(file);
  const { url, ...access } = accessTo(options, context);
  const transport = keptHttpTransport(url, access);
  let results: LineFile<number> | undefined;
  const bar = callProgress(bytes);
  let counts: CallCounts = { lines: 0, characters: 0, answered: 0, failed: 0 };
  try {
    results = options.out === undefined ? undefined : await openResults(options.out, options.resume === true);
    await interruptible('ended before all calls were answered', (signal) => {
      // Every call in flight adds a listener to the signal.
      setMaxListeners(0, signal);
      return runCalls({
        caller: textCaller(transport, {
          retry: RETRY,
          concurrency: options.concurrency,
          batch: options.batch ?? defaultBatchSize(options.concurrency),
        }),
        lines: fileLines(file),
        sink: results ?? standardOutput(context.console),
        concurrency: options.concurrency,
        skipLines: results?.last ?? 0,
        signal,
        onLine: (now) => {
          counts = now;
          bar?.update(now.characters, { calls: now.answered + now.failed, failed: now.failed });
        },
      });
    });
    await results?.close();
  } catch (error) {
    await results?.close().catch(() => undefined);
    throw explained(error, counts, options);
  } finally {
    bar?.stop();
    await transport.close?.();
  }
  context.console.err(`${summary(counts)}\n`);
  if (counts.failed > 0) throw new ReportedFailure();
}

function explained(error: unknown, counts: CallCounts, options: SimulateOptions): unknown {
  if (!(error instanceof CallsError) && !(error instanceof CliError)) return error;
  const resumeHint = options.out === undefined || counts.lines === 0 ? '' : '; --resume continues from there';
  const done = counts.answered + counts.failed === 0 ? '' : ` (${summary(counts)}${resumeHint})`;
  return new CliError(`${error.message}${done}`, { cause: error });
}

function summary({ answered, failed }: CallCounts): string {
  return `${counted(answered + failed, 'call')}, ${count(answered)} answered, ${count(failed)} failed`;
}

function sizeOf(file: string): number {
  try {
    const stats = statSync(file);
    if (!stats.isDirectory()) return stats.size;
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${errorMessage(error)}`, { cause: error });
  }
  throw new CliError(`cannot read ${file}: it is a directory`);
}

function standardOutput(console: Console): LineSink {
  return {
    write: async (line) => {
      console.out(`${line}\n`);
      // Backpressure: a slow reader slows the node down instead of filling memory.
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    },
  };
}

/** A bar on standard error for progress through a file; none for standard input, whose length is not known. */
function callProgress(bytes: number | undefined): SingleBar | undefined {
  if (bytes === undefined || !process.stderr.isTTY) return undefined;
  const bar = new SingleBar({
    format:
      '{bar} {percentage}%  {calls} calls, {failed} failed  {duration_formatted}, {eta_formatted} to go',
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 200,
  });
  bar.start(Math.max(1, bytes), 0, { calls: 0, failed: 0 });
  return bar;
}
