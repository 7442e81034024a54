import { Option } from 'commander';
import { defined } from '../../base/defined.js';
import { formatHash } from '../../client/client.js';
import type { Log } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { interruptible } from '../end-process.js';
import { height, integerBetween, listOf } from '../option-parsers.js';
import { eventText } from '../outcome-text.js';
import { askNode, type NodeCommandOptions } from '../sending-options.js';
import { contracts, decoded, type LogFilterOptions, logFilter, topics } from './log-filter.js';
import { followLogs, logHistory } from './log-history.js';

interface LogsOptions extends NodeCommandOptions, LogFilterOptions {
  readonly from?: bigint;
  readonly to?: bigint;
  readonly limit?: number;
  readonly follow?: boolean;
}

export function registerLogsCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('logs')
    .option('--contract <ADDRESS>', 'only events of this contract; repeatable for several', contracts)
    .option('--event <NAME>', "only this event of the contracts' interfaces")
    .addOption(
      new Option(
        '--where <FIELD=VALUE>',
        'only events of --event with this value of an indexed field, such as from=dev:0; repeatable',
      )
        .argParser(listOf(String))
        .conflicts('topic'),
    )
    .option(
      '--topic <HASHES>',
      'accepted topics of the next position, after that of --event; several with commas, any accepts all; repeatable',
      topics,
    )
    .option('--idl <FILE>', "the contracts' interface (default: those on chain)")
    .option('--from <HEIGHT>', 'first block (default: 0, with --follow the next block)', height)
    .addOption(
      new Option('--to <HEIGHT>', 'last block (default: the tip)').argParser(height).conflicts('follow'),
    )
    .option('--limit <N>', 'end after this many events (default: never)', integerBetween(1, 1_000_000_000))
    .option('--follow', 'continue with new events as they happen (Ctrl-C ends it)')
    .reading()
    .notes('JSON is one object per line.')
    .examples(
      'heddle logs --contract 0x682c…1b --event Transfer',
      'heddle logs --contract 0x682c…1b --event Transfer --where from=dev:0 --where to=dev:1',
      'heddle logs --contract 0x682c…1b --from 1200 --limit 100 --json',
      'heddle logs --contract 0x682c…1b --from 0 --follow',
      'heddle logs --contract 0x682c…1b --contract 0x91f0…7e --event Transfer',
    )
    .action(async (options: LogsOptions) => {
      if (options.from !== undefined && options.to !== undefined && options.to < options.from) {
        throw new UsageError(`--to: expected at least --from ${options.from}, got ${options.to}`);
      }
      await printLogs(options, context);
    });
}

async function printLogs(options: LogsOptions, context: CommandContext): Promise<void> {
  const { from, to, limit, follow, json } = options;
  const { console, workingDirectory } = context;
  await askNode(options, context, async (client) => {
    const filter = await logFilter(client, options, workingDirectory);
    const print = (log: Log): void => {
      const shown = decoded(log, filter);
      console.out(`${json ? rpcTypes.Log.toJson(shown) : logText(shown)}\n`);
    };
    if (follow !== true) {
      const range = defined({ from: from ?? 0n, to, limit });
      for await (const log of logHistory(client, filter, range)) print(log);
      return;
    }
    await interruptible('interrupted', async (signal) => {
      try {
        const onRetry = (reason: string) => console.err(`heddle: ${reason}; still trying\n`);
        await followLogs(client, filter, defined({ from, limit, signal, onLog: print, onRetry }));
      } catch (error) {
        // Ctrl-C is the usual end.
        if (!signal.aborted) throw error;
      }
    });
  });
}

function logText(log: Log): string {
  return `${log.height}  ${formatHash(log.tx_hash)}  ${eventText(log)}`;
}
