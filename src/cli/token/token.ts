import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import type { Tier } from '../../idl/manifest.js';
import type { TokenRecord } from '../../rpc/access/quota-store.js';
import type { TokenAdmin } from '../../rpc/access/token-service.js';
import {
  type IssuedToken,
  MAX_NAME_CHARACTERS,
  MAX_TOKEN_GAS,
  MAX_TOKEN_RATE,
  MAX_TOKEN_TIME,
} from '../../rpc/access/tokens.js';
import { type JsonFlag, printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { configOf } from '../node/node-options.js';
import { integerBetween } from '../option-parsers.js';
import { durationMs } from '../values.js';
import { withNodeOptions, withTokenAdmin } from './token-access.js';
import { recordJson, recordLines, recordTable } from './token-view.js';
import { registerUsageCommand } from './usage.js';

const DEFAULT_TTL = '30d';

interface IssueOptions {
  readonly tier: Tier;
  readonly sub?: string;
  readonly units?: number;
  readonly rate?: number;
  readonly gas?: number;
  readonly time?: number;
  readonly ttl: number;
  readonly json?: boolean;
}

export function registerTokenCommands(program: CliCommand, context: CommandContext): void {
  const token = program
    .command('token')
    .notes(
      'A caller sends its token as "Authorization: Bearer <token>". Changes take effect within a second.',
    )
    .examples(
      'heddle token issue --tier paid --units 1000000 --ttl 30d --sub alice',
      'heddle token issue --tier paid --gas 200000000 --time 500 --sub bob',
      'heddle token list',
      'heddle token top-up ID --units 500000',
      'heddle token revoke ID',
      'heddle token usage --by token',
    );

  const issue = token
    .command('issue')
    .description('print a new token on standard output')
    .addOption(
      new Option('--tier <TIER>', 'methods that the token reaches')
        .choices(['public', 'paid', 'admin'])
        .makeOptionMandatory(),
    )
    .option(
      '--sub <NAME>',
      'owner; calls of all tokens of an owner are scheduled as those of one client (default: a random name)',
      subject(MAX_NAME_CHARACTERS),
    )
    .option(
      '--units <N>',
      'prepaid compute units (default: unlimited)',
      integerBetween(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--rate <N>', 'compute units per second (default: unlimited)', integerBetween(1, MAX_TOKEN_RATE))
    .option(
      '--gas <N>',
      'gas per second of calls, simulations and traces (default: unlimited)',
      integerBetween(1, MAX_TOKEN_GAS),
    )
    .option(
      '--time <MS>',
      'execution time of calls, simulations and traces, in milliseconds per second; 1000 keeps one thread busy ' +
        '(default: unlimited)',
      integerBetween(1, MAX_TOKEN_TIME),
    )
    .addOption(
      // Commander would show the default in milliseconds.
      new Option('--ttl <TIME>', 'lifetime such as 90s, 45m, 12h or 30d')
        .argParser(lifetime)
        .default(lifetime(DEFAULT_TTL), DEFAULT_TTL),
    )
    .json('print the token and its claims as JSON');
  withNodeOptions(issue).action(async (options: IssueOptions, self: CliCommand) => {
    const { tier, sub = `client-${randomBytes(4).toString('hex')}`, units, rate, gas, time, ttl } = options;
    const claims = { subject: sub, tier, units, rate, gas, time, expiresAtMs: Date.now() + ttl };
    const issued = await withTokenAdmin(configOf(self, context), context, (tokens) => tokens.issue(claims));
    printAnswer(context, options, issuedJson(issued), `${issued.token}\n`);
  });

  withNodeOptions(token.command('list').description('list all tokens, oldest first').json()).action(
    async (options: JsonFlag, self: CliCommand) => {
      const records = await withTokenAdmin(configOf(self, context), context, (tokens) => tokens.list());
      const now = Date.now();
      const values = records.map((record) => recordJson(record, now));
      printAnswer(context, options, values, recordTable(records, now));
    },
  );

  const withRecord = (
    command: CliCommand,
    change: (tokens: TokenAdmin, id: string) => Promise<TokenRecord>,
  ) =>
    withNodeOptions(command.argument('<ID>', 'id of the token').json()).action(
      async (id: string, options: JsonFlag, self: CliCommand) => {
        const record = await withTokenAdmin(configOf(self, context), context, (tokens) => change(tokens, id));
        const now = Date.now();
        printAnswer(context, options, recordJson(record, now), recordLines(record, now));
      },
    );
  withRecord(token.command('show').description('show one token'), (tokens, id) => tokens.show(id));
  withRecord(
    token.command('revoke').description('refuse a token from now on; this cannot be undone'),
    (tokens, id) => tokens.revoke(id),
  );
  const topUp = token
    .command('top-up')
    .description('add prepaid units to a token that was issued with --units')
    .requiredOption('--units <N>', 'compute units to add', integerBetween(1, Number.MAX_SAFE_INTEGER));
  withRecord(topUp, (tokens, id) => tokens.topUp(id, topUp.getOptionValue('units') as number));
  registerUsageCommand(token, context);
}

function issuedJson(issued: IssuedToken): object {
  const { id, token, tier, subject, units, rate, gas, time, expiresAtMs } = issued;
  return {
    id,
    token,
    tier,
    sub: subject,
    units: units ?? null,
    rate: rate ?? null,
    expires_ms: expiresAtMs,
    gas: gas ?? null,
    time: time ?? null,
  };
}

const MAX_TTL_MS = 10 * 365 * 86_400_000;

/** Parses a lifetime such as 30d, 12h, 45m or 90s, at most ten years, to milliseconds. @throws InvalidArgumentError */
export function lifetime(text: string): number {
  const ms = durationMs(text);
  if (ms > 0 && ms <= MAX_TTL_MS && !text.endsWith('ms')) return ms;
  throw new InvalidArgumentError(
    `expected a lifetime such as 30d, 12h, 45m or 90s, at most ten years, got ${JSON.stringify(text)}`,
  );
}

/** Parses the `sub` of a token. @param max length in characters @throws InvalidArgumentError */
export function subject(max: number): (text: string) => string {
  return (text) => {
    if (text !== '' && text.length <= max) return text;
    throw new InvalidArgumentError(`expected a name of 1 to ${max} characters, got ${text.length}`);
  };
}
