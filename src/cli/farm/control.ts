import { FarmError } from '../../farm/farm-error.js';
import { expectRunName } from '../../farm/run/run-record.js';
import type { CliCommand } from '../cli-command.js';
import type { CommandContext } from '../command-context.js';
import { redisOption, withRuns } from './farm-options.js';

interface ControlOptions {
  readonly redis?: string;
  readonly undetermined?: boolean;
}

/** `heddle farm cancel`, `retry` and `remove`. */
export function registerControlCommands(farm: CliCommand, context: CommandContext): void {
  farm
    .command('cancel')
    .description('take the jobs of a run out of the queue; results so far stay')
    .argument('<RUN>', 'the run')
    .addOption(redisOption())
    .action((run: string, { redis }: ControlOptions) =>
      withRuns(redis, context, async (store) => {
        const { progress } = await store.read(expectRunName(run));
        if (progress.state === 'open' && progress.done === progress.jobs) {
          throw new FarmError('wrong_state', `the run ${run} is complete: there is nothing to cancel`);
        }
        await store.cancel(run);
        context.console.out(
          `${run} is canceled: ${progress.done} of ${progress.jobs} jobs are done; "heddle farm retry ${run}" goes on\n`,
        );
      }),
    );

  farm
    .command('retry')
    .description('put jobs that were given up or canceled into the queue again')
    .argument('<RUN>', 'the run')
    .option('--undetermined', 'also jobs with calls that ended by a timeout or an internal error')
    .addOption(redisOption())
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
          `heddle: the submission of ${run} is incomplete; "heddle farm submit … --resume ${run}" goes on with it\n`,
        );
      }),
    );

  farm
    .command('remove')
    .description('delete a run with its calls and results from Redis')
    .argument('<RUN>', 'the run')
    .addOption(redisOption())
    .action((run: string, { redis }: ControlOptions) =>
      withRuns(redis, context, async (store) => {
        await store.remove(expectRunName(run));
        context.console.out(`${run} is removed\n`);
      }),
    );
}
