import { formatAddress, formatHash } from '../../client/client.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { atOption, blockAt } from '../common-options.js';
import { columns } from '../sending-options.js';
import { address, slot as slotValue } from '../values.js';
import { askNode, type ReadOptions } from './ask-node.js';

interface StorageOptions extends ReadOptions {
  readonly at?: bigint;
}

export function registerStorageCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('storage')
    .argument('<CONTRACT>', 'the contract', address)
    .argument(
      '<SLOT>',
      '64 hex digits, or the field number of a cell in contracts that use the SDK',
      slotValue,
    )
    .addOption(atOption())
    .reading()
    .notes('JSON has no "value" if the slot has none.')
    .examples('heddle storage 0x682c…1b 0', 'heddle storage 0x682c…1b 0x1400…00 --at 1200')
    .action(async (contract: Uint8Array, slot: Uint8Array, options: StorageOptions) => {
      const {
        header,
        account,
        slot: proof,
      } = await askNode(options, context, (client) =>
        client.state_proof({ contract, slot, ...blockAt(options.at) }),
      );
      const record = account.value === undefined ? undefined : ledger.AccountRecord.decode(account.value);
      if (record?.contract === undefined) {
        throw new CliError(`there is no contract at ${formatAddress(contract)} after block ${header.height}`);
      }
      const value = proof?.value;
      if (options.json) {
        const found = { slot, ...(value !== undefined && { value }) };
        context.console.out(`${rpcTypes.SlotValue.toJson(found)}\n`);
        return;
      }
      context.console.out(
        columns([
          ['contract', formatAddress(contract)],
          ['slot', formatHash(slot)],
          ['value', value === undefined ? 'none: nothing is stored there' : toPrefixedHex(value)],
          ['block', `${header.height}`],
        ]),
      );
    });
}
