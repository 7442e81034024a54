import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { defined } from '../base/defined.js';
import { errorMessage } from '../base/errors.js';
import type { BlockRef } from '../generated/node-rpc-v1.js';
import { type CommandContext, DEFAULT_URL, TOKEN_FILE_VARIABLE } from './cli-command.js';
import { CliError } from './cli-error.js';
import { height } from './option-parsers.js';

/** The node that a command talks to. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly tokenFile?: string;
}

export function urlOrDefault(given: string | undefined, environment: CommandContext['environment']): string {
  return given ?? (environment['HEDDLE_URL'] || DEFAULT_URL);
}

export function atOption(): Option {
  return new Option('--at <HEIGHT>', 'the state after this block (default: the last one)').argParser(height);
}

/** A height as a reference to the state after its block. */
export function blockAt(at: bigint | undefined): { readonly at?: BlockRef } {
  return at === undefined ? {} : { at: { type: 'height', value: at } };
}

/** The path of the token file that the option or the environment names; undefined if neither does. */
export function tokenFileOf(
  { tokenFile }: Pick<ConnectionOptions, 'tokenFile'>,
  { environment, workingDirectory }: CommandContext,
): string | undefined {
  const file = tokenFile ?? (environment[TOKEN_FILE_VARIABLE] || undefined);
  return file === undefined ? undefined : resolve(workingDirectory, file);
}

/** The token in the file that the option or the environment names; undefined if neither does. @throws CliError */
export function tokenOf(
  options: Pick<ConnectionOptions, 'tokenFile'>,
  context: CommandContext,
): string | undefined {
  const file = tokenFileOf(options, context);
  return file === undefined ? undefined : readTokenFile(file);
}

/** Reads an access token from a file such as a node's `admin.token`. @throws CliError */
export function readTokenFile(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (/^[!-~]+$/.test(token)) return token;
  } catch (error) {
    throw new CliError(`--token-file: cannot read ${file}: ${errorMessage(error)}`, { cause: error });
  }
  throw new CliError(`--token-file: ${file}: expected a single word, the token`);
}

/** URL and token for a client of the node. @throws CliError if the token cannot be read */
export function accessTo(
  options: ConnectionOptions,
  context: CommandContext,
): { readonly url: string; readonly token?: string } {
  const token = tokenOf(options, context);
  return defined({ url: urlOrDefault(options.url, context.environment), token });
}
