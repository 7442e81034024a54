import { Option } from 'commander';
import { DayRangeError, dayRange } from '../../rpc/access/usage/day-range.js';
import type { UsageQuery } from '../../rpc/access/usage/usage.js';
import type { CliCommand } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import type { ConnectionOptions } from '../connection-options.js';
import { configOf } from '../node/node-options.js';
import { connectTo, explainRejections } from '../sending-options.js';
import { tokenFileOf } from '../token-file.js';
import { withNodeOptions, withTokenAdmin } from './token-access.js';
import { askedUsage, storedUsage, summed, type UsageKey, type UsageRow } from './usage-rows.js';
import { csvHeader, csvLines, rowJson, usageTable } from './usage-view.js';

interface UsageOptions extends ConnectionOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by?: UsageKey;
  readonly csv?: boolean;
  readonly json?: boolean;
}

type Pages = AsyncIterable<readonly UsageRow[]>;

/** `heddle token usage`. */
export function registerUsageCommand(token: CliCommand, context: CommandContext): void {
  withNodeOptions(
    token
      .command('usage')
      .description('calls and compute units by day, token and method')
      .argument('[ID]', 'id of a token (default: all tokens, or with a token file its own)')
      .option('--from <DAY>', 'first day, such as 2026-01-31 in UTC (default: 29 days before the last)')
      .option('--to <DAY>', 'last day (default: today)')
      .addOption(
        new Option(
          '--by <KEY>',
          'sum by one of these (default: a row for each day, token and method)',
        ).choices(['day', 'token', 'subject', 'method']),
      )
      .addOption(new Option('--csv', 'print CSV').conflicts('json'))
      .json()
      .connection('the data directory'),
  )
    .notes(
      'It reads the data directory, like the other commands on tokens, or asks a node if --url, --token-file or',
      'HEDDLE_TOKEN_FILE is given. A node tells the holder of a token the usage of that token; an ID needs a token of tier',
      'admin. --data-dir, --validator and --quota-store select the data directory again.',
      'Usage is kept for 400 days. Calls of the last few seconds may be missing.',
    )
    .examples(
      'heddle token usage --by subject --from 2026-01-01 --to 2026-01-31',
      'heddle token usage --csv > usage.csv',
      'heddle token usage --url https://node.example --token-file alice.token --by day',
    )
    .action(async (id: string | undefined, options: UsageOptions, self: CliCommand) => {
      const days = daysOf(options);
      const print = (pages: Pages) => printUsage(pages, options, context, `from ${days.from} to ${days.to}`);
      if (asksNode(options, self, context)) {
        await explainRejections(() => print(askedUsage(connectTo(options, context), days, id)));
        return;
      }
      const config = configOf(self, context);
      // Page by page: the node may stop or start in between, and printed rows cannot be taken back.
      const usage = (query: UsageQuery) =>
        withTokenAdmin(config, context, (_tokens, reader) => reader.usage(query));
      await print(storedUsage({ usage }, days, id));
    });
}

/** @throws UsageError */
function daysOf({ from, to }: UsageOptions) {
  try {
    return dayRange({ from, to }, Date.now());
  } catch (error) {
    if (!(error instanceof DayRangeError)) throw error;
    throw new UsageError(`--${error.end}: ${error.message}`);
  }
}

/** Whether the command asks a node by RPC. @throws UsageError */
function asksNode(options: UsageOptions, command: CliCommand, context: CommandContext): boolean {
  const local = ['dataDir', 'validator', 'quotaStore'].filter(
    (name) => command.getOptionValue(name) !== undefined,
  );
  if (options.url === undefined && options.tokenFile === undefined) {
    const file = tokenFileOf(options, context);
    if (local.length > 0 || file === undefined) return false;
    context.console.err(`asking the node, with the token in ${file}; --data-dir shows all tokens\n`);
    return true;
  }
  if (local.length === 0) return true;
  throw new UsageError('expected either a node, by --url and --token-file, or its data directory');
}

async function printUsage(
  pages: Pages,
  { by, csv, json }: UsageOptions,
  { console }: CommandContext,
  days: string,
): Promise<void> {
  const shown: Pages = by === undefined ? pages : once(await summed(pages, by));
  if (csv === true) {
    console.out(csvHeader(by));
    for await (const rows of shown) console.out(csvLines(rows, by));
  } else if (json === true) {
    let separator = '[';
    for await (const rows of shown) {
      for (const row of rows) {
        console.out(`${separator}${rowJson(row, by)}`);
        separator = ',';
      }
    }
    console.out(separator === '[' ? '[]\n' : ']\n');
  } else {
    const rows: UsageRow[] = [];
    for await (const some of shown) for (const row of some) rows.push(row);
    console.out(rows.length === 0 ? `no usage ${days}\n` : usageTable(rows, by));
  }
}

async function* once(rows: readonly UsageRow[]): AsyncGenerator<readonly UsageRow[]> {
  yield rows;
}
