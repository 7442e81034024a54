import { type Command, Option } from 'commander';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { interruptible } from '../end-process.js';
import { redisOption, withRuns } from './farm-options.js';
import { type HostAndPort, hostAndPort } from './host-and-port.js';

interface BoardCommandOptions {
  readonly redis?: string;
  readonly listen: HostAndPort;
  readonly allowChanges?: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

export function registerBoardCommand(farm: Command, context: CommandContext): void {
  farm
    .command('board')
    .description('serve a web page with the queues (bull-board), and metrics of the runs at /metrics')
    .addOption(
      new Option('--listen <HOST:PORT>', 'a loopback address, because the page has no login')
        .argParser(hostAndPort)
        .default({ host: '127.0.0.1', port: 9_600 }, '127.0.0.1:9600'),
    )
    .option('--allow-changes', 'let the buttons that retry, promote and delete jobs work')
    .addOption(redisOption())
    .addHelpText('after', '\nTo reach it from elsewhere: ssh -L 9600:127.0.0.1:9600 HOST\n')
    .action((options: BoardCommandOptions) => board(options, context));
}

async function board(
  { redis, listen, allowChanges }: BoardCommandOptions,
  context: CommandContext,
): Promise<void> {
  if (!LOOPBACK.test(listen.host)) {
    throw new CliError(
      'usage',
      `--listen: expected a loopback address such as 127.0.0.1:9600, got ${listen.host}`,
    );
  }
  const { serveBoard } = await import('../../farm/board/board.js');
  await withRuns(redis, context, async (store) => {
    const served = await serveBoard({ store, ...listen, allowsChanges: allowChanges === true });
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
