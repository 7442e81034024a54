import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { urlOption, urlOrDefault } from './common-options.js';
import { tokenFileOption, tokenOf } from './token-file.js';

/** The node that a command talks to. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly tokenFile?: string;
}

/**
 * Adds the options of {@link ConnectionOptions}.
 * @param token the default of `--token-file`, for its description
 */
export function addConnectionOptions(command: Command, token?: string): Command {
  return command.addOption(urlOption()).addOption(tokenFileOption(token));
}

/** URL and token for a client of the node. @throws CliError if the token cannot be read */
export function accessTo(
  options: ConnectionOptions,
  context: CommandContext,
): { readonly url: string; readonly token?: string } {
  const token = tokenOf(options, context);
  return {
    url: urlOrDefault(options.url, context.environment),
    ...(token !== undefined && { token }),
  };
}
