import { type Client, formatAddress, formatAmount, formatHash, RpcCallError } from '../../client/client.js';
import type { Transaction } from '../../generated/ledger.js';
import type {
  BlockRef,
  BlockSummary,
  RangeTx,
  Receipt,
  TxByHashResult,
  TxStatus,
} from '../../generated/node-rpc-v1.js';
import { cut } from '../../idl/decoded-text.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { eventText, statusText, timeText } from '../outcome-text.js';
import { askNode, columns, type Lines, type NodeCommandOptions } from '../sending-options.js';
import { blockRef, hash } from '../values.js';
import { actionLines } from './action-text.js';

export function registerBlockCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('block')
    .argument('[BLOCK]', 'its height, its hash, latest or finalized (default: latest)', blockRef)
    .option('--txs', 'list its transactions too')
    .reading()
    .examples('heddle block', 'heddle block 1200 --txs', 'heddle block finalized --json')
    .action(async (block: BlockRef | undefined, options: NodeCommandOptions & { txs?: boolean }) => {
      const text = await askNode(options, context, async (client) => {
        const summary = await findBlock(client, block ?? { type: 'latest' });
        const transactions = options.txs ? await transactionsOf(client, summary.height) : undefined;
        return options.json ? blockJson(summary, transactions) : blockText(summary, transactions);
      });
      context.console.out(text);
    });
}

/** @throws CliError if there is no such block */
async function findBlock(client: Client, block: BlockRef): Promise<BlockSummary> {
  const at = await heightOf(client, block);
  try {
    const { blocks } = await client.get_block_summaries({ from_height: at, to_height: at });
    const [summary] = blocks;
    if (summary === undefined) throw new CliError(`the node's answer lacks block ${at}`);
    return summary;
  } catch (error) {
    if (!(error instanceof RpcCallError) || error.kind !== 'not_found') throw error;
    throw new CliError(error.message, { cause: error });
  }
}

async function heightOf(client: Client, block: BlockRef): Promise<bigint> {
  if (block.type === 'height') return block.value;
  if (block.type === 'hash') return heightOfHash(client, block.value);
  const { tip, finalized_height: finalized } = await client.status();
  return block.type === 'latest' ? tip.height : finalized;
}

/** No method finds a block by its hash alone, but a proof of any account has the block's header. */
async function heightOfHash(client: Client, hash: Uint8Array): Promise<bigint> {
  try {
    const { header } = await client.state_proof({
      contract: new Uint8Array(20),
      at: { type: 'hash', value: hash },
    });
    return header.height;
  } catch (error) {
    // The refusal of a block whose state is no longer kept names its height.
    const kept = error instanceof RpcCallError && error.kind === 'state_unavailable';
    const found = kept ? error.data['height'] : undefined;
    if (typeof found === 'number' && Number.isSafeInteger(found) && found >= 0) return BigInt(found);
    throw error;
  }
}

async function transactionsOf(client: Client, at: bigint): Promise<readonly RangeTx[]> {
  return (await client.get_txs_in_range({ from_height: at, to_height: at })).transactions;
}

function blockJson(summary: BlockSummary, transactions: readonly RangeTx[] | undefined): string {
  const json = rpcTypes.BlockSummary.toJson(summary);
  if (transactions === undefined) return `${json}\n`;
  const list = transactions.map((each) => rpcTypes.RangeTx.toJson(each)).join(',');
  return `${json.slice(0, -1)},"transactions":[${list}]}\n`;
}

function blockText(block: BlockSummary, transactions: readonly RangeTx[] | undefined): string {
  const lines: Lines = [
    ['block', `${block.height}${block.finalized ? ', final' : ''}`],
    ['hash', formatHash(block.hash)],
    ['parent', formatHash(block.parent_hash)],
    ['time', timeText(block.timestamp_ms)],
    ['proposer', `${block.proposer} (epoch ${block.epoch}, view ${block.view})`],
    ['state root', formatHash(block.state_root)],
    ['transactions', `${block.tx_count}`],
    ['gas used', `${formatAmount(block.gas_used)} of ${formatAmount(block.gas_limit)}`],
    ['base fee', formatAmount(block.base_fee)],
  ];
  if (transactions === undefined) return columns(lines);
  const sealed = block.tx_count - transactions.length;
  const listed = [
    ...transactions.map(
      ({ index, tx_hash, transaction, status, gas_used }) =>
        `${String(index).padStart(5)}  ${formatHash(tx_hash)}  ${transaction.transaction.action.type}, ${statusText(status)}, ${formatAmount(gas_used)} gas\n`,
    ),
    ...(sealed > 0 ? [`       and ${sealed} sealed or opened\n`] : []),
  ];
  return `${columns(lines)}${listed.length === 0 ? '' : `\n${listed.join('')}`}`;
}

/** @param oldest the lowest height with transactions that the node knows; undefined if it knows all */
export function unknownTransaction(tx: Uint8Array, oldest: bigint | undefined): CliError {
  const since = oldest === undefined ? '' : `; this node knows the blocks from ${oldest} on`;
  return new CliError(
    `there is no transaction ${formatHash(tx)}, neither in a block nor in the pool${since}`,
  );
}

export function registerTxCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('tx')
    .argument('<HASH>', 'hash of the transaction', hash)
    .reading()
    .examples('heddle tx 9b1c…e0', 'heddle tx 9b1c…e0 --json')
    .action(async (tx: Uint8Array, options: NodeCommandOptions) => {
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

function senderLine({ sender, lane, nonce }: Transaction | Receipt): readonly [string, string] {
  return ['from', `${formatAddress(sender)} (lane ${lane}, nonce ${nonce})`];
}

function sealedLine({ height, opens_at }: Receipt): readonly [string, string] {
  if (opens_at === undefined) return ['action', 'sealed'];
  return ['action', `sealed, ${height < opens_at ? 'opens' : 'opened'} with the key of block ${opens_at}`];
}

export function registerReceiptCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('receipt')
    .argument('<HASH>', 'hash of the transaction', hash)
    .reading()
    .examples('heddle receipt 9b1c…e0', 'heddle receipt 9b1c…e0 --json | jq .status')
    .action(async (tx: Uint8Array, options: NodeCommandOptions) => {
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
    senderLine(receipt),
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
