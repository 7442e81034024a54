import { FarmError } from '../../farm/farm-error.js';
import { expectRunName } from '../../farm/run/run-record.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { interruptible, untilAborted } from '../end-process.js';
import { integerBetween } from '../option-parsers.js';
import { redisOption, withRuns } from './farm-options.js';
import { registerResultsCommand } from './results.js';
import { registerFarmStatusCommand } from './status.js';
import { registerSubmitCommand } from './submit.js';
import { registerWorkerCommand } from './worker.js';

interface ControlOptions {
  readonly redis?: string;
  readonly undetermined?: boolean;
}

function controlCommand(farm: CliCommand, name: string, description: string): CliCommand {
  return farm.command(name).description(description).argument('<RUN>', 'the run').addOption(redisOption());
}

function registerControlCommands(farm: CliCommand, context: CommandContext): void {
  controlCommand(farm, 'cancel', 'take the jobs of a run out of the queue; results so far stay').action(
    (run: string, { redis }: ControlOptions) =>
      withRuns(redis, context, async (store) => {
        const { progress } = await store.read(expectRunName(run));
        if (progress.state === 'open' && progress.done === progress.jobs) {
          throw new FarmError('wrong_state', `the run ${run} is complete: there is nothing to cancel`);
        }
        await store.cancel(run);
        context.console.out(
          `${run} is canceled: ${progress.done} of ${progress.jobs} jobs are done; "heddle farm retry ${run}" continues it\n`,
        );
      }),
  );

  controlCommand(farm, 'retry', 'put jobs that were given up or canceled into the queue again')
    .option('--undetermined', 'also jobs with calls that ended by a timeout or an internal error')
    .action((run: string, { redis, undetermined }: ControlOptions) =>
      withRuns(redis, context, async (store) => {
        const stored = await store.read(expectRunName(run));
        const again = await store.retry(
          stored,
          ({ statistics }) => undetermined === true && statistics.undetermined > 0,
        );
        context.console.out(`${again} jobs of ${run} are in the queue again\n`);
        if (stored.progress.isSubmitted) return;
        context.console.err(
          `heddle: the submission of ${run} is incomplete; "heddle farm submit … --resume ${run}" continues it\n`,
        );
      }),
    );

  controlCommand(farm, 'remove', 'delete a run with its calls and results from Redis').action(
    (run: string, { redis }: ControlOptions) =>
      withRuns(redis, context, async (store) => {
        await store.remove(expectRunName(run));
        context.console.out(`${run} is removed\n`);
      }),
  );
}

interface BoardCommandOptions {
  readonly redis?: string;
  readonly host: string;
  readonly port: number;
  readonly allowChanges?: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

function registerBoardCommand(farm: CliCommand, context: CommandContext): void {
  farm
    .command('board')
    .description('serve a web page with the queues (bull-board), and metrics of the runs at /metrics')
    .option('--host <ADDRESS>', 'a loopback address, because the page has no login', '127.0.0.1')
    .option('--port <PORT>', 'port to listen on', integerBetween(0, 65_535), 9_600)
    .option('--allow-changes', 'let the buttons that retry, promote and delete jobs work')
    .addOption(redisOption())
    .notes('To reach it from elsewhere: ssh -L 9600:127.0.0.1:9600 HOST', '')
    .action((options: BoardCommandOptions) => board(options, context));
}

async function board(
  { redis, host, port, allowChanges }: BoardCommandOptions,
  context: CommandContext,
): Promise<void> {
  if (!LOOPBACK.test(host)) {
    throw new UsageError(`--host: expected a loopback address such as 127.0.0.1, got ${host}`);
  }
  const { serveBoard } = await import('../../farm/board/board.js');
  await withRuns(redis, context, async (store) => {
    const served = await serveBoard({ store, host, port, allowsChanges: allowChanges === true });
    context.console.out(`the board is on ${served.url} (Ctrl-C ends it)\n`);
    try {
      const lost = await interruptible('ended', (signal) =>
        Promise.race([untilAborted(signal), store.redis.lost]),
      );
      if (lost !== undefined) throw lost;
    } finally {
      served.close();
    }
  });
}

export function registerFarmCommands(program: CliCommand, context: CommandContext): void {
  const farm = program
    .command('farm')
    .notes(
      'A run is a number of calls, or of transactions to trace, cut into jobs. Workers on any machine take jobs from the',
      'queue (BullMQ on Redis or Valkey) and give the calls to their nodes. Each call has exactly one result, whatever',
      'happens to workers, nodes and Redis meanwhile. On one machine, "heddle simulate" and "heddle replay" need no Redis.',
    )
    .examples(
      'heddle farm submit calls.ndjson --name sweep-1',
      'heddle farm worker --url http://127.0.0.1:9545',
      'heddle farm status sweep-1 --watch',
      'heddle farm results sweep-1 --out results --format parquet',
    );
  registerSubmitCommand(farm, context);
  registerWorkerCommand(farm, context);
  registerFarmStatusCommand(farm, context);
  registerResultsCommand(farm, context);
  registerControlCommands(farm, context);
  registerBoardCommand(farm, context);
}
