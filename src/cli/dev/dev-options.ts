import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type Client, connect, formatHash } from '../../client/client.js';
import { OPTIONS } from '../../config/options.js';
import type { DevBlock, DevV1Types } from '../../generated/dev-v1.js';
import { devV1Codecs } from '../../generated/dev-v1-codecs.js';
import type { JsonEncoder } from '../../idl/codecs/codec.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { readTokenFile, tokenFileOf, urlOrDefault } from '../connection-options.js';
import { columns, explainRejections, type Lines, type NodeCommandOptions } from '../sending-options.js';
import { durationMs } from '../values.js';

const TOKEN_FILE = `${OPTIONS.dataDir.default}/admin.token`;

export function devCommand(parent: CliCommand, name: string, description: string): CliCommand {
  return parent
    .command(name)
    .connection(TOKEN_FILE)
    .description(description)
    .option('--json', 'print the answer of the node as JSON');
}

type ControlType = keyof typeof devV1Codecs;
const encoders: { readonly [T in ControlType]: JsonEncoder<DevV1Types[T]> } = devV1Codecs;

export async function control<T extends ControlType>(
  options: NodeCommandOptions,
  context: CommandContext,
  type: T,
  run: (client: Client) => Promise<DevV1Types[T]>,
  describe: (result: DevV1Types[T]) => Lines,
): Promise<void> {
  const result = await explainRejections(() => run(connectAsAdmin(options, context)));
  const text = options.json === true ? `${encoders[type].toJson(result)}\n` : columns(describe(result));
  context.console.out(text);
}

/** @throws CliError if there is no token */
export function connectAsAdmin(options: NodeCommandOptions, context: CommandContext): Client {
  const given = tokenFileOf(options, context);
  const file = given ?? resolve(context.workingDirectory, TOKEN_FILE);
  if (given === undefined && !existsSync(file)) {
    const hint = 'name it with --token-file FILE: the node prints its path at the start';
    throw new UsageError(
      `development controls need the node's admin token, and there is no ${TOKEN_FILE}; ${hint}`,
    );
  }
  return connect(urlOrDefault(options.url, context.environment), { token: readTokenFile(file) });
}

export function blockLines({ height, hash, state_root, timestamp_ms }: DevBlock): Lines {
  return [
    ['block', `${height} ${formatHash(hash)}`],
    ['state root', formatHash(state_root)],
    ['time', new Date(Number(timestamp_ms)).toISOString()],
  ];
}

/** Parses a duration such as 500ms, 90s, 45m, 12h or 30d to milliseconds. @throws InvalidArgumentError */
export function duration(text: string): number {
  const ms = durationMs(text);
  if (Number.isSafeInteger(ms)) return ms;
  throw new InvalidArgumentError(
    `expected a duration such as 500ms, 90s, 45m, 12h or 30d, got ${JSON.stringify(text)}`,
  );
}

/** Parses a time: milliseconds since 1970, or ISO 8601 such as 2030-01-31T12:00:00Z. @throws InvalidArgumentError */
export function time(text: string): number {
  const ms = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  const expected = 'milliseconds since 1970, or a time such as 2030-01-31T12:00:00Z';
  throw new InvalidArgumentError(`expected ${expected}, got ${JSON.stringify(text)}`);
}
