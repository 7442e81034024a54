import { formatAddress, formatAmount } from '../../client/client.js';
import type { PendingValidatorChange } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import type { CommandContext } from '../command-context.js';
import { askNode, type ReadOptions } from '../read/ask-node.js';
import { changeText } from './change-text.js';

/** `heddle validator changes`. */
export function registerPendingChangesCommand(validator: CliCommand, context: CommandContext): void {
  validator
    .command('changes')
    .reading()
    .description('list pending changes of the validator set, and who approves them')
    .notes('All nodes list the changes in blocks. Only validators list those that still gather approvals.')
    .examples('heddle validator changes --url http://127.0.0.1:9600')
    .action(async (options: ReadOptions) => {
      const { pending_changes: changes } = await askNode(options, context, (client) =>
        client.validator_status(),
      );
      context.console.out(options.json === true ? changesJson(changes) : changesText(changes));
    });
}

function changesJson(changes: readonly PendingValidatorChange[]): string {
  return `[${changes.map((change) => rpcTypes.PendingValidatorChange.toJson(change)).join(',')}]\n`;
}

/** Three lines for each change. */
export function changesText(changes: readonly PendingValidatorChange[]): string {
  if (changes.length === 0) return 'no pending changes\n';
  return changes
    .map(({ change, approvals, approvals_needed: needed, included, effective_height: height }) => {
      const approvers = approvals.map(({ index, address }) => `\n    ${index} ${formatAddress(address)}`);
      const when = `takes effect at height ${formatAmount(height)} at the earliest`;
      return [
        changeText(change),
        `  ${included ? 'in a block' : 'in no block yet'}; ${when}`,
        `  approved by ${approvals.length}, ${needed} needed${approvers.join('')}`,
        '',
      ].join('\n');
    })
    .join('');
}
