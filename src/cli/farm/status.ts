import { pause } from '../../async/pause.js';
import { expectRunName } from '../../farm/run/run-record.js';
import type { RunStore } from '../../farm/run/run-store.js';
import { type RunStatus, readStatus, readStatuses } from '../../farm/status/run-status.js';
import { readReports } from '../../farm/worker/worker-report.js';
import type { CliCommand } from '../cli-command.js';
import type { CommandContext } from '../command-context.js';
import { interruptible } from '../end-process.js';
import { integerBetween } from '../option-parsers.js';
import { Screen } from '../screen.js';
import { redisOption, withRuns } from './farm-options.js';
import { renderRun, renderRuns, statusJson } from './status-view.js';

interface StatusOptions {
  readonly redis?: string;
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly intervalMs: number;
}

/** Runs listed without a name. */
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
    .action((run: string | undefined, options: StatusOptions) => status(run, options, context));
}

async function status(
  run: string | undefined,
  options: StatusOptions,
  context: CommandContext,
): Promise<void> {
  await withRuns(options.redis, context, async (store) => {
    if (run === undefined) await listRuns(store, options, context);
    else await showRun(store, expectRunName(run), options, context);
  });
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
  if (json === true) {
    console.out(`${JSON.stringify(runs.map(statusJson))}\n`);
    return;
  }
  console.out(`${renderRuns(runs, names.length, await readReports(store.redis)).join('\n')}\n`);
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
  if (watch !== true) {
    console.out(`${text(now).join('\n')}\n`);
    return;
  }
  const screen = console.isTerminal && json !== true ? new Screen(console) : undefined;
  const show = (): void => {
    if (screen !== undefined) screen.draw(text(now));
    else console.out(`${text(now).join('\n')}\n`);
  };
  try {
    show();
    await interruptible('interrupted; the run goes on', async (signal) => {
      while (!ENDED.has(now.phase) && (await pause(intervalMs, signal))) {
        now = await readStatus(store, run);
        show();
      }
    });
  } finally {
    screen?.close();
  }
}
