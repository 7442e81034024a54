import type { CliCommand } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { interruptible } from '../end-process.js';
import { integerBetween } from '../option-parsers.js';
import { redisOption, withRuns } from './farm-options.js';

interface BoardCommandOptions {
  readonly redis?: string;
  readonly host: string;
  readonly port: number;
  readonly allowChanges?: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

export function registerBoardCommand(farm: CliCommand, context: CommandContext): void {
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

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}
