import { type Client, formatAddress, formatAmount, formatHash } from '../../client/client.js';
import type { Transaction } from '../../generated/ledger.js';
import type { Receipt, TxByHashResult, TxStatus } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import type { CommandContext } from '../command-context.js';
import { statusText, timeText } from '../outcome-text.js';
import { columns, type Lines } from '../sending-options.js';
import { hash } from '../values.js';
import { actionLines } from './action-text.js';
import { askNode, type ReadOptions } from './ask-node.js';
import { unknownTransaction } from './unknown-transaction.js';

export function registerTxCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('tx')
    .argument('<HASH>', 'hash of the transaction', hash)
    .reading()
    .examples('heddle tx 9b1c…e0', 'heddle tx 9b1c…e0 --json')
    .action(async (tx: Uint8Array, options: ReadOptions) => {
      const text = await askNode(options, context, async (client) => {
        const found = await client.tx_by_hash({ tx_hash: tx });
        if (found.status.type === 'not_found') throw unknownTransaction(tx, found.oldest_height);
        return options.json
          ? `${rpcTypes.TxByHashResult.toJson(found)}\n`
          : columns(await transactionLines(client, tx, found));
      });
      context.console.out(text);
    });
}

async function transactionLines(
  client: Client,
  tx: Uint8Array,
  { status, transaction: signed }: TxByHashResult,
): Promise<Lines> {
  const { receipt } =
    status.type === 'included' ? await client.tx_receipt({ tx_hash: tx }) : { receipt: undefined };
  return [
    ['transaction', formatHash(tx)],
    ...statusLines(status, receipt),
    ...(signed !== undefined
      ? [...headerLines(signed.transaction), ...(await actionLines(client, signed.transaction.action))]
      : receipt !== undefined
        ? [senderLine(receipt), sealedLine(receipt)]
        : [['action', 'sealed'] as const]),
  ];
}

function statusLines(status: TxStatus, receipt: Receipt | undefined): Lines {
  switch (status.type) {
    case 'pending': {
      const { ready, received_ms } = status.value;
      const state = ready ? 'ready for the next block' : 'waits for its nonce or bundle';
      return [['status', `pending, ${state}, since ${timeText(received_ms)}`]];
    }
    case 'included': {
      const { height, index, finalized } = status.value;
      const outcome = receipt === undefined ? 'included' : statusText(receipt.status);
      return [
        ['status', `${outcome}${finalized ? ', final' : ''}`],
        ['block', `${height} (index ${index})`],
      ];
    }
    case 'rejected':
      return [['status', `rejected: ${status.value}`]];
    case 'not_found':
      return [];
  }
}

function headerLines(transaction: Transaction): Lines {
  const { gas_limit, max_fee, priority_fee, valid_until } = transaction;
  return [
    senderLine(transaction),
    ['gas limit', formatAmount(gas_limit)],
    [
      'max fee',
      `${formatAmount(max_fee)} per unit of gas, ${formatAmount(priority_fee)} of it for the proposer`,
    ],
    ...(valid_until === undefined ? [] : [['valid until', `block ${valid_until}`] as const]),
  ];
}

function senderLine({
  sender,
  lane,
  nonce,
}: Pick<Transaction, 'sender' | 'lane' | 'nonce'>): readonly [string, string] {
  return ['from', `${formatAddress(sender)} (lane ${lane}, nonce ${nonce})`];
}

function sealedLine({ height, opens_at }: Receipt): readonly [string, string] {
  if (opens_at === undefined) return ['action', 'sealed'];
  return ['action', `sealed, ${height < opens_at ? 'opens' : 'opened'} with the key of block ${opens_at}`];
}
