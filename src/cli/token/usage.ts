import { Option } from 'commander';
import { defined } from '../../base/defined.js';
import { count } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import type { Client } from '../../client/client.js';
import type { TokenDay, UsageQuery, UsageReader } from '../../rpc/access/usage/usage.js';
import { type DayRange, DayRangeError, dayRange } from '../../rpc/access/usage/usage-days.js';
import { textTable } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { type ConnectionOptions, tokenFileOf } from '../connection-options.js';
import { configOf } from '../node/node-options.js';
import { connectTo, explainRejections } from '../sending-options.js';
import { withNodeOptions, withTokenAdmin } from './token-access.js';

interface UsageOptions extends ConnectionOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by?: UsageKey;
  readonly csv?: boolean;
  readonly json?: boolean;
}

type Pages = AsyncIterable<readonly UsageRow[]>;

export function registerUsageCommand(token: CliCommand, context: CommandContext): void {
  withNodeOptions(
    token
      .command('usage')
      .description('calls and compute units by day, token and method')
      .argument('[ID]', 'id of a token (default: all tokens, or with a token file its own)')
      .option('--from <DAY>', 'first day, such as 2026-01-31 in UTC (default: 29 days before the last)')
      .option('--to <DAY>', 'last day (default: today)')
      .choice(
        '--by <KEY>',
        'sum by one of these (default: a row for each day, token and method)',
        COLUMNS.all,
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

/** Days of tokens in one answer. */
const PAGE = 2_000;

/** What the rows of an answer are told apart by. */
export type UsageKey = 'day' | 'token' | 'subject' | 'method';

/** Calls and compute units; a key is empty where rows are summed over it. */
export type UsageRow = Readonly<Record<UsageKey, string>> & {
  readonly calls: number;
  readonly units: number;
};

/** The usage of one token, or of all, a page at a time. */
export async function* storedUsage(
  reader: UsageReader,
  days: DayRange,
  token: string | undefined,
): AsyncGenerator<readonly UsageRow[]> {
  let after: TokenDay | undefined;
  for (;;) {
    const page = await reader.usage({ ...days, token, after, limit: PAGE });
    yield page.flatMap(rowsOf);
    after = page.at(-1);
    if (after === undefined || page.length < PAGE) return;
  }
}

/** The usage of the client's own token, or of the one with this id, a page at a time. */
export async function* askedUsage(
  client: Client,
  { from, to }: DayRange,
  id: string | undefined,
): AsyncGenerator<readonly UsageRow[]> {
  let cursor: string | undefined;
  do {
    const query = defined({ from_day: from, to_day: to, token: id, cursor });
    const { token, subject = '', days, next_cursor } = await client.token_usage(query);
    yield days.flatMap(({ day, methods }) =>
      methods.map(({ method, calls, units }) => ({
        day,
        token,
        subject,
        method,
        calls: Number(calls),
        units: Number(units),
      })),
    );
    cursor = next_cursor;
  } while (cursor !== undefined);
}

/** Sums rows by one key, the most units first; by day in the order of the days. */
export async function summed(
  pages: AsyncIterable<readonly UsageRow[]>,
  by: UsageKey,
): Promise<readonly UsageRow[]> {
  const sums = new Map<string, UsageRow>();
  for await (const rows of pages) {
    for (const row of rows) {
      const known = sums.get(row[by]) ?? { day: '', token: '', subject: '', method: '', calls: 0, units: 0 };
      const { calls, units } = known;
      // A token has one subject.
      const keys = by === 'token' ? { token: row.token, subject: row.subject } : { [by]: row[by] };
      sums.set(row[by], { ...known, ...keys, calls: calls + row.calls, units: units + row.units });
    }
  }
  const rows = [...sums.values()];
  return by === 'day' ? rows : rows.sort((a, b) => b.units - a.units || (a[by] < b[by] ? -1 : 1));
}

function rowsOf({ day, token, subject, methods }: TokenDay): readonly UsageRow[] {
  return methods.map((use) => ({ day, token, subject, ...use }));
}

const COLUMNS: Readonly<Record<UsageKey | 'all', readonly UsageKey[]>> = {
  all: ['day', 'token', 'subject', 'method'],
  day: ['day'],
  token: ['token', 'subject'],
  subject: ['subject'],
  method: ['method'],
};

/** The places at which a spreadsheet may see a formula: the beginning of a cell, or what follows any separator. */
const FORMULA = /(^|[,;|])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

export function usageTable(rows: readonly UsageRow[], by: UsageKey | undefined): string {
  const keys = COLUMNS[by ?? 'all'];
  const sum = (of: 'calls' | 'units') => count(rows.reduce((total, row) => total + row[of], 0));
  const totals = keys.map((_, at) => (at === 0 ? 'total' : ''));
  const table = textTable([
    [...keys, 'calls', 'units'],
    ...rows.map((row) => [...keys.map((key) => row[key]), count(row.calls), count(row.units)]),
    ...(rows.length > 1 ? [[...totals, sum('calls'), sum('units')]] : []),
  ]);
  return `${table.join('\n')}\n`;
}

export function csvHeader(by: UsageKey | undefined): string {
  return `${[...COLUMNS[by ?? 'all'], 'calls', 'units'].join(',')}\n`;
}

/** Rows as lines of CSV, quoted as in RFC 4180, that no spreadsheet takes for formulas. */
export function csvLines(rows: readonly UsageRow[], by: UsageKey | undefined): string {
  const keys = COLUMNS[by ?? 'all'];
  return rows
    .map((row) => `${[...keys.map((key) => csvCell(row[key])), row.calls, row.units].join(',')}\n`)
    .join('');
}

/** A row as JSON, with the names of `heddle token list --json`. */
export function rowJson(row: UsageRow, by: UsageKey | undefined): string {
  const keys = COLUMNS[by ?? 'all'].map((key) => [key === 'subject' ? 'sub' : key, row[key]]);
  return JSON.stringify({ ...Object.fromEntries(keys), calls: row.calls, units: row.units });
}

function csvCell(text: string): string {
  const cell = shownLine(text).replace(FORMULA, "$1'");
  return /[",;|']/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
