import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { errorMessage, hasCode } from '../../src/base/errors.js';
import type { Benchmark } from '../catalogue/benchmark.js';
import type { Figure, Series } from '../results/figure.js';
import { parseMeasured } from '../results/read-run.js';
import type { BenchmarkResult } from '../results/run.js';

/** Time for an interrupted benchmark and its nodes to end by themselves. */
const END_MS = 5_000;
const POLL_MS = 50;
const PRELOADED = new URL('end-with-command.js', import.meta.url).href;

export interface BenchmarkTask {
  readonly benchmark: Benchmark;
  /** Those of the catalogue, then those of the command line. */
  readonly arguments: readonly string[];
  /** Folder of the compiled programs, as a URL that ends with a slash. */
  readonly programs: URL;
  /** Ends the benchmark and the processes that it has started. */
  readonly signal: AbortSignal;
}

/** Runs a benchmark in its own process, and collects its figures. Never throws. */
export async function runBenchmark(task: BenchmarkTask): Promise<BenchmarkResult> {
  const { benchmark, signal } = task;
  const begin = performance.now();
  const figures = new Map<string, Figure>();
  const series = new Map<string, Series>();
  let bad: string | undefined;
  const child = start(task);
  child.on('message', (message) => {
    const parsed = parseMeasured(message);
    if ('bad' in parsed) bad ??= `it sent no figure: ${parsed.bad}`;
    else if (parsed.measured.kind === 'figure') {
      const { figure } = parsed.measured;
      if (figures.has(figure.name)) bad ??= `it measured ${JSON.stringify(figure.name)} twice`;
      figures.set(figure.name, figure);
    } else {
      const measured = parsed.measured.series;
      if (series.has(measured.name)) bad ??= `it measured ${JSON.stringify(measured.name)} twice`;
      series.set(measured.name, measured);
    }
  });
  const interrupt = () => signalGroup(child, 'SIGTERM');
  signal.addEventListener('abort', interrupt, { once: true });
  const end = await ended(child, signal);
  signal.removeEventListener('abort', interrupt);
  await endGroup(child);
  const failure = signal.aborted ? 'interrupted' : (end ?? bad);
  return {
    name: benchmark.name,
    seconds: (performance.now() - begin) / 1_000,
    arguments: task.arguments,
    figures: [...figures.values()],
    series: [...series.values()],
    ...(failure === undefined ? {} : { failure }),
  };
}

function start({ benchmark, arguments: args, programs }: BenchmarkTask): ChildProcess {
  const program = fileURLToPath(new URL(`${benchmark.program}.js`, programs));
  return spawn(process.execPath, [...(benchmark.nodeFlags ?? []), '--import', PRELOADED, program, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Its own process group: a signal to the group reaches the benchmark and its nodes; Ctrl-C reaches only this process.
    detached: true,
  });
}

/** Resolves once the process is gone and its messages are read. @returns the reason if it did not end well */
async function ended(child: ChildProcess, signal: AbortSignal): Promise<string | undefined> {
  const gone = new AbortController();
  void killLater(child, signal, gone.signal);
  try {
    await Promise.all([once(child, 'exit'), child.connected ? once(child, 'disconnect') : undefined]);
  } catch (error) {
    return `it did not start: ${errorMessage(error)}`;
  } finally {
    gone.abort();
  }
  const { exitCode, signalCode } = child;
  if (signalCode !== null) return `ended by ${signalCode}`;
  return exitCode === 0 ? undefined : `exit code ${exitCode}`;
}

/** Kills the group of a process that does not end within {@link END_MS} after the interruption. */
async function killLater(child: ChildProcess, interrupted: AbortSignal, gone: AbortSignal): Promise<void> {
  try {
    if (!interrupted.aborted) await once(interrupted, 'abort', { signal: gone });
    await pause(END_MS, undefined, { signal: gone });
    signalGroup(child, 'SIGKILL');
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}

/** Ends what a benchmark has left behind: nothing of it may disturb the next one. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (!signalGroup(child, 'SIGTERM')) return;
  for (let waited = 0; waited < END_MS; waited += POLL_MS) {
    await pause(POLL_MS);
    if (!signalGroup(child, 0)) return;
  }
  signalGroup(child, 'SIGKILL');
}

/** @returns whether the group has a process */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: it is empty. EPERM on macOS: only ended processes are left.
    if (hasCode(error, 'ESRCH') || hasCode(error, 'EPERM')) return false;
    throw error;
  }
}
