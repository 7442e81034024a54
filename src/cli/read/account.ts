import { formatAddress, formatAmount } from '../../client/client.js';
import type { Account } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import type { CommandContext } from '../command-context.js';
import { atOption } from '../common-options.js';
import { columns, type Lines } from '../sending-options.js';
import { address } from '../values.js';
import { accountAt } from './account-state.js';
import { askNode, type ReadOptions } from './ask-node.js';

interface AccountOptions extends ReadOptions {
  readonly at?: bigint;
}

export function registerAccountCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('account')
    .argument('<ADDRESS>', 'the account', address)
    .addOption(atOption())
    .reading()
    .examples('heddle account dev:0', 'heddle account 0x5f0c…91 --at 1200 --json')
    .action(async (of: Uint8Array, options: AccountOptions) => {
      const account = await askNode(options, context, (client) => accountAt(client, of, options.at));
      context.console.out(
        options.json ? `${rpcTypes.Account.toJson(account)}\n` : columns(accountLines(account)),
      );
    });
}

function accountLines({ address, exists, balance, lanes, deploy_index, is_contract }: Account): Lines {
  return [
    ['account', `${formatAddress(address)}${exists ? '' : ' (not in the state)'}`],
    ['balance', formatAmount(balance)],
    ...lanes.map(
      ({ lane, next_nonce, pending }) =>
        [`lane ${lane}`, `next nonce ${next_nonce}${pending === 0 ? '' : `, ${pending} pending`}`] as const,
    ),
    ['contract', is_contract ? 'yes, see "heddle contract show"' : 'no'],
    ...(deploy_index === 0n ? [] : [['deployments', `${deploy_index}`] as const]),
  ];
}
