import type { Client } from '../../client/client.js';
import type { CommandContext } from '../cli-command.js';
import type { ConnectionOptions } from '../connection-options.js';
import { connectTo, explainRejections } from '../sending-options.js';

/** The options of every command that reads from a node. */
export interface ReadOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Runs `work` with a client of the chosen node. @throws CliError that explains an unreachable node */
export function askNode<T>(
  options: ReadOptions,
  context: CommandContext,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return explainRejections(() => work(connectTo(options, context)));
}
