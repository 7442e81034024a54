import type { CommandContext } from './command-context.js';
import { urlOrDefault } from './common-options.js';
import { tokenOf } from './token-file.js';

/** The node that a command talks to. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly tokenFile?: string;
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
