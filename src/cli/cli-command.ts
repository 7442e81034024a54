import { Command, Option, type ParseOptionsResult } from 'commander';
import { DEFAULT_HOST, DEFAULT_PORT } from '../config/defaults.js';
import type { Console } from './console.js';

/** What a command runs in. */
export interface CommandContext {
  readonly console: Console;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
}

export const DEFAULT_URL = `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;

export function urlOption(): Option {
  return new Option('--url <URL>', `the node to talk to (default: HEDDLE_URL, else ${DEFAULT_URL})`);
}

/** The environment variable that names a token file for every command that talks to a node. */
export const TOKEN_FILE_VARIABLE = 'HEDDLE_TOKEN_FILE';

/** @param fallback the default if the variable is not set, for the description */
export function tokenFileOption(fallback = 'no token'): Option {
  return new Option(
    '--token-file <FILE>',
    `access token to send, such as a node's admin.token (default: ${TOKEN_FILE_VARIABLE}, else ${fallback})`,
  );
}

/** A command of `heddle`, with the options and the ends of help texts that many have. */
export class CliCommand extends Command {
  #takesDashes = false;

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** Adds the options of {@link ConnectionOptions}. @param token the default of `--token-file`, in words */
  connection(token?: string): this {
    return this.addOption(urlOption()).addOption(tokenFileOption(token));
  }

  /** Adds an option that takes one of a few words. @param usual the default, if there is one */
  choice(flags: string, description: string, words: readonly string[], usual?: string): this {
    return this.addOption(new Option(flags, description).choices(words).default(usual));
  }

  /** Adds the option that prints the answer as JSON instead of text. */
  json(description = 'print JSON'): this {
    return this.option('--json', description);
  }

  /** Adds the options of {@link NodeCommandOptions}. */
  reading(): this {
    return this.connection().json('print JSON, with the values as the RPC methods give them');
  }

  /** Adds the arguments of a contract's function. They may begin with a dash, such as -x, as options may not. */
  functionArguments(description: string): this {
    this.#takesDashes = true;
    return this.argument('[ARGS...]', description);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const { operands, unknown } = super.parseOptions(args);
    const [first, ...rest] = unknown;
    const isOption = first === undefined || first.startsWith('--') || first === '-h';
    if (!this.#takesDashes || isOption) return { operands, unknown };
    const after = this.parseOptions(rest);
    return { operands: [...operands, first, ...after.operands], unknown: after.unknown };
  }

  /** Adds lines to the end of the help. */
  notes(...lines: readonly string[]): this {
    return this.addHelpText('after', `\n${lines.join('\n')}`);
  }

  /** Adds examples to the end of the help. */
  examples(...lines: readonly string[]): this {
    const title = lines.length === 1 ? 'Example' : 'Examples';
    return this.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`);
  }
}
