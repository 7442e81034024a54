import { pause } from '../../async/pause.js';
import { count } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import { expectRunName } from '../../farm/run/run-record.js';
import type { RunStore } from '../../farm/run/run-store.js';
import { type RunStatus, readStatus, readStatuses } from '../../farm/run-status.js';
import { isLost, readReports, type WorkerReport } from '../../farm/worker/worker-report.js';
import { textTable } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { interruptible } from '../end-process.js';
import { integerBetween } from '../option-parsers.js';
import { Screen } from '../screen.js';
import { redisOption, withRuns } from './farm-options.js';

interface StatusOptions {
  readonly redis?: string;
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly intervalMs: number;
}

const LISTED = 50;

const ENDED: ReadonlySet<RunStatus['phase']> = new Set(['complete', 'stuck', 'canceled', 'removed']);

export function registerFarmStatusCommand(farm: CliCommand, context: CommandContext): void {
  farm
    .command('status')
    .description('show progress, workers and failures of a run; without a name, all runs and workers')
    .argument('[RUN]', 'the run')
    .option('--watch', 'look again until the run ends (Ctrl-C ends it before)')
    .option('--interval-ms <MS>', 'time between looks', integerBetween(100, 3_600_000), 1_000)
    .json('print JSON, one object per look')
    .addOption(redisOption())
    .examples(
      'heddle farm status',
      'heddle farm status RUN --watch',
      'heddle farm status RUN --json | jq .done',
    )
    .action((run: string | undefined, options: StatusOptions) =>
      withRuns(options.redis, context, (store) =>
        run === undefined
          ? listRuns(store, options, context)
          : showRun(store, expectRunName(run), options, context),
      ),
    );
}

async function listRuns(
  store: RunStore,
  { json }: StatusOptions,
  { console }: CommandContext,
): Promise<void> {
  const names = await store.names();
  const runs = await readStatuses(store, names.slice(0, LISTED), (error) =>
    console.err(`heddle: ${error.message}\n`),
  );
  const text = async () => renderRuns(runs, names.length, await readReports(store.redis)).join('\n');
  console.out(`${json === true ? JSON.stringify(runs.map(statusJson)) : await text()}\n`);
}

async function showRun(
  store: RunStore,
  run: string,
  { json, watch, intervalMs }: StatusOptions,
  { console }: CommandContext,
): Promise<void> {
  const text = (now: RunStatus): string[] =>
    json === true ? [JSON.stringify(statusJson(now))] : renderRun(now, Date.now());
  let now = await readStatus(store, run);
  const isDrawn = watch === true && console.isTerminal && json !== true;
  const screen = isDrawn ? new Screen(console) : undefined;
  const show = (): void => {
    if (screen !== undefined) screen.draw(text(now));
    else console.out(`${text(now).join('\n')}\n`);
  };
  try {
    show();
    if (watch !== true) return;
    await interruptible('interrupted; the run continues', async (signal) => {
      while (!ENDED.has(now.phase) && (await pause(intervalMs, signal))) {
        now = await readStatus(store, run);
        show();
      }
    });
  } finally {
    screen?.close();
  }
}

const BAR_CHARACTERS = 30;
const SHOWN_FAILURES = 10;

/** A submission without progress for this time counts as stopped, in milliseconds. */
const STOPPED_MS = 60_000;

const SHOWN_CHARACTERS = 160;

/** The status of a run as lines for people. @param now milliseconds since 1970 */
export function renderRun(status: RunStatus, now: number): string[] {
  const { run, record, progress, phase, waiting, active, failedJobs, disagreements } = status;
  const { calls, answered, failed, undetermined, jobs, done } = progress;
  return [
    `run          ${run}, ${phase}: ${printable(record.source)}`,
    `state        block ${record.pin.height} (${record.pin.hash})`,
    `progress     ${progressBar(status, now)}`,
    ...submissionLine(status, now),
    `jobs         ${count(done)} of ${count(jobs)} done, ${count(active)} in progress, ${count(waiting)} waiting, ${count(failedJobs)} given up`,
    `calls        ${count(calls)}: ${count(answered)} answered, ${count(failed)} failed, ${count(undetermined)} undetermined`,
    `in Redis     ${megabytes(progress.input_bytes)} of calls, ${megabytes(progress.result_bytes)} of results`,
    ...workerLines(status, now),
    ...failureLines(status),
    ...(progress.disagreements === 0
      ? []
      : [
          '',
          `${count(progress.disagreements)} DISAGREEMENTS: workers got different results for the same calls; the first counts`,
          ...disagreements
            .slice(0, SHOWN_FAILURES)
            .flatMap(({ job, workers, lines }) => [
              `  job ${job}: ${printable(workers[0])}: ${printable(lines[0])}`,
              `  ${' '.repeat(`job ${job}:`.length)} ${printable(workers[1])}: ${printable(lines[1])}`,
            ]),
        ]),
  ];
}

export function renderRuns(
  runs: readonly RunStatus[],
  all: number,
  reports: readonly WorkerReport[],
): string[] {
  const now = Date.now();
  const runLines =
    runs.length === 0
      ? ['no runs yet; "heddle farm submit" makes one']
      : table(
          ['run', 'phase', 'jobs', 'calls', 'failed', 'submitted'],
          ...runs.map(({ run, phase, progress, record }) => [
            run,
            phase,
            `${count(progress.done)}/${count(progress.jobs)}`,
            count(progress.calls),
            count(progress.failed + progress.undetermined),
            new Date(record.created_ms).toISOString().slice(0, 19),
          ]),
        );
  return [
    ...runLines,
    ...(all > runs.length ? [`and ${count(all - runs.length)} older ones`] : []),
    '',
    ...(reports.length === 0
      ? ['no workers; start one with "heddle farm worker"']
      : reportTable(reports, now)),
  ];
}

export function statusJson(status: RunStatus): Readonly<Record<string, unknown>> {
  const { run, record, progress, phase, waiting, active, failedJobs, failedExamples } = status;
  const { shares, reports, errors, failures, disagreements } = status;
  const { lines, jobs, done, calls, answered, failed, undetermined } = progress;
  return {
    run,
    kind: record.kind,
    phase,
    source: record.source,
    submitted_ms: record.created_ms,
    height: Number(record.pin.height),
    block_hash: record.pin.hash,
    lines,
    jobs,
    done,
    waiting,
    active,
    failed_jobs: failedJobs,
    calls,
    answered,
    failed,
    undetermined,
    input_bytes: progress.input_bytes,
    result_bytes: progress.result_bytes,
    first_ms: progress.first_ms,
    last_ms: progress.last_ms,
    errors: Object.fromEntries(errors),
    failures,
    failed_job_reasons: failedExamples,
    disagreements,
    workers: reports,
    shares,
  };
}

function progressBar({ run, progress, phase, reports }: RunStatus, now: number): string {
  const { lines, calls, jobs, done, first_ms: firstMs, last_ms: lastMs } = progress;
  const share = jobs === 0 ? 0 : done / jobs;
  const filled = Math.round(share * BAR_CHARACTERS);
  const bar = `[${'='.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}] ${(share * 100).toFixed(1)}%`;
  if (phase !== 'running' && phase !== 'submitting') {
    if (firstMs === undefined || lastMs === undefined || lastMs === firstMs) return bar;
    return `${bar}, ${duration(lastMs - firstMs)}, ${rate((calls * 1_000) / (lastMs - firstMs))}`;
  }
  const perSecond = reports
    .filter((report) => !isLost(report, now))
    .reduce((sum, report) => sum + (report.calls_per_second[run] ?? 0), 0);
  const left = perSecond > 0 ? `, ${duration((Math.max(0, lines - calls) * 1_000) / perSecond)} left` : '';
  return `${bar}, ${rate(perSecond)}${left}`;
}

/** Tells about a submission that has not come further for a while. */
function submissionLine({ run, phase, progress }: RunStatus, now: number): string[] {
  const ms = now - progress.advanced_ms;
  if (phase !== 'submitting' || ms < STOPPED_MS) return [];
  return [`submission   stopped ${duration(ms)} ago; "heddle farm submit … --resume ${run}" continues it`];
}

function workerLines({ shares, reports }: RunStatus, now: number): string[] {
  const byName = new Map(reports.map((report) => [report.name, report]));
  if (shares.length === 0 && reports.length === 0)
    return ['', 'no workers; start one with "heddle farm worker"'];
  const rows = shares.map(({ worker, node, jobs, calls, busy_ms: busyMs }) => {
    const report = byName.get(worker);
    const perSecond = busyMs === 0 ? 0 : (calls * 1_000) / busyMs;
    return [worker, node, count(jobs), count(calls), `${perSecond.toFixed(0)}/s`, stateOf(report, node, now)];
  });
  const idle = reports
    .filter(({ name }) => !shares.some(({ worker }) => worker === name))
    .flatMap((report) =>
      report.nodes.map(({ url }) => [report.name, url, '0', '0', '', stateOf(report, url, now)]),
    );
  return ['', ...table(['worker', 'node', 'jobs', 'calls', 'while busy', 'state'], ...rows, ...idle)];
}

function reportTable(reports: readonly WorkerReport[], now: number): string[] {
  return table(
    ['worker', 'node', 'calls', 'rate', 'in flight', 'state'],
    ...reports.flatMap((report) =>
      report.nodes.map(({ url, in_flight: inFlight, allowed }) => [
        report.name,
        url,
        count(report.calls),
        rate(Object.values(report.calls_per_second).reduce((sum, one) => sum + one, 0)),
        `${inFlight} of ${allowed}`,
        stateOf(report, url, now),
      ]),
    ),
  );
}

function stateOf(report: WorkerReport | undefined, node: string, now: number): string {
  if (report === undefined) return 'ended';
  if (isLost(report, now)) return `lost for ${duration(now - report.seen_ms)}`;
  const problem = report.nodes.find(({ url }) => url === node)?.problem ?? '';
  return problem === '' ? report.state : `waiting: ${printable(problem)}`;
}

function failureLines({ errors, failures, failedJobs, failedExamples, run }: RunStatus): string[] {
  const kinds = errors.map(([kind, number]) => `${count(number)} ${printable(kind)}`).join(', ');
  return [
    ...(errors.length === 0 ? [] : ['', `errors       ${kinds}`]),
    ...failures
      .slice(0, SHOWN_FAILURES)
      .map(({ line, kind, message }) => `  line ${count(line)}: ${printable(kind)}: ${printable(message)}`),
    ...(failures.length > SHOWN_FAILURES ? ['  …; the results hold all'] : []),
    ...(failedJobs === 0
      ? []
      : ['', `given up     ${count(failedJobs)} jobs; "heddle farm retry ${run}" tries them again`]),
    ...failedExamples.map(({ job, reason }) => `  job ${job}: ${printable(reason)}`),
  ];
}

function table(...rows: readonly (readonly string[])[]): string[] {
  return textTable(rows.map((row) => row.map(printable)));
}

function printable(text: string): string {
  const clean = shownLine(text);
  return clean.length > SHOWN_CHARACTERS ? `${clean.slice(0, SHOWN_CHARACTERS)}…` : clean;
}

function rate(perSecond: number): string {
  return `${perSecond.toLocaleString('en', { maximumFractionDigits: perSecond < 10 ? 1 : 0 })} calls/s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 100) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
