import { type Client, formatAddress, formatAmount, formatHash } from '../../client/client.js';
import type { Receipt } from '../../generated/node-rpc-v1.js';
import { cut } from '../../idl/decoded-text.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { eventText, statusText } from '../outcome-text.js';
import { columns, type Lines } from '../sending-options.js';
import { hash } from '../values.js';
import { askNode, type ReadOptions } from './ask-node.js';
import { unknownTransaction } from './unknown-transaction.js';

export function registerReceiptCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('receipt')
    .argument('<HASH>', 'hash of the transaction', hash)
    .reading()
    .examples('heddle receipt 9b1c…e0', 'heddle receipt 9b1c…e0 --json | jq .status')
    .action(async (tx: Uint8Array, options: ReadOptions) => {
      const receipt = await askNode(options, context, (client) => findReceipt(client, tx));
      context.console.out(
        options.json ? `${rpcTypes.Receipt.toJson(receipt)}\n` : columns(receiptLines(receipt)),
      );
    });
}

/** @throws CliError if there is no receipt, with the transaction's state */
async function findReceipt(client: Client, tx: Uint8Array): Promise<Receipt> {
  const { receipt } = await client.tx_receipt({ tx_hash: tx });
  if (receipt !== undefined) return receipt;
  const { status, oldest_height: oldest } = await client.tx_by_hash({ tx_hash: tx });
  switch (status.type) {
    case 'not_found':
      throw unknownTransaction(tx, oldest);
    case 'rejected':
      throw new CliError(`${formatHash(tx)} has no receipt: it was rejected: ${status.value}`);
    case 'pending':
    case 'included':
      throw new CliError(`${formatHash(tx)} has no receipt yet: it is pending`);
  }
}

function receiptLines(receipt: Receipt): Lines {
  const { contract, decoded, output, opens_at: opensAt } = receipt;
  return [
    ['transaction', formatHash(receipt.tx_hash)],
    ['status', `${statusText(receipt.status)}${receipt.finalized ? ', final' : ''}`],
    ...(opensAt === undefined ? [] : [['sealed', sealedText(receipt.height, opensAt)] as const]),
    ['block', `${receipt.height} (index ${receipt.index})`],
    ['from', `${formatAddress(receipt.sender)} (lane ${receipt.lane}, nonce ${receipt.nonce})`],
    ['gas used', formatAmount(receipt.gas_used)],
    ['fee', formatAmount(receipt.fee)],
    ...(contract === undefined ? [] : [['contract', formatAddress(contract)] as const]),
    ...(decoded !== undefined
      ? [['result', cut(JSON.stringify(decoded))] as const]
      : output.length > 0
        ? [['output', cut(toPrefixedHex(output))] as const]
        : []),
    ...receipt.logs.map((log) => ['event', eventText(log)] as const),
  ];
}

function sealedText(height: bigint, opensAt: bigint): string {
  return height < opensAt
    ? `included only: its action runs once the key of block ${opensAt} is known`
    : `opened with the key of block ${opensAt}`;
}
