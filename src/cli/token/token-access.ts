import type { Config, OptionName } from '../../config/config.js';
import type { TokenAdmin } from '../../rpc/access/token-service.js';
import type { UsageReader } from '../../rpc/access/usage/usage.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { addNodeOptions } from '../node/node-options.js';
import { SILENT_LOG } from '../silent-log.js';

const OPTIONS_USED: readonly OptionName[] = ['dataDir', 'validator', 'native', 'quotaStore'];

export function withNodeOptions(command: CliCommand): CliCommand {
  addNodeOptions(command, OPTIONS_USED);
  return command;
}

/** Runs a command on the tokens of a node, whether it runs or not; see `withTokens`. */
export async function withTokenAdmin<T>(
  config: Config,
  { console }: CommandContext,
  use: (tokens: TokenAdmin, usage: UsageReader) => Promise<T>,
): Promise<T> {
  // The store is slow to load, and help does not need it.
  const { withTokens } = await import('../../node/offline/with-token-admin.js');
  const warn = (_fields: object, message: string): void => console.err(`warning: ${message}\n`);
  return withTokens(config, { ...SILENT_LOG, warn, error: warn }, use);
}
