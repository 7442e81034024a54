import { InvalidArgumentError } from 'commander';
import { hashOfText } from '../../client/address-words.js';
import { type Client, formatAmount, formatHash, RpcCallError } from '../../client/client.js';
import type { BlockSummary, RangeTx } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { height } from '../option-parsers.js';
import { statusText, timeText } from '../outcome-text.js';
import { columns, type Lines } from '../sending-options.js';
import { askNode, type ReadOptions } from './ask-node.js';

interface BlockOptions extends ReadOptions {
  readonly txs?: boolean;
}

type Wanted =
  | { readonly type: 'latest' | 'finalized' }
  | { readonly type: 'height'; readonly value: bigint }
  | { readonly type: 'hash'; readonly value: Uint8Array };

export function registerBlockCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('block')
    .argument('[BLOCK]', 'its height, its hash, latest or finalized (default: latest)', wanted)
    .option('--txs', 'list its transactions too')
    .reading()
    .examples('heddle block', 'heddle block 1200 --txs', 'heddle block finalized --json')
    .action(async (block: Wanted | undefined, options: BlockOptions) => {
      const text = await askNode(options, context, async (client) => {
        const summary = await findBlock(client, block ?? { type: 'latest' });
        const transactions = options.txs ? await transactionsOf(client, summary.height) : undefined;
        return options.json ? blockJson(summary, transactions) : blockText(summary, transactions);
      });
      context.console.out(text);
    });
}

function wanted(text: string): Wanted {
  if (text === 'latest' || text === 'finalized') return { type: text };
  const hash = hashOfText(text);
  if (hash !== undefined) return { type: 'hash', value: hash };
  if (/^\d{1,16}$/.test(text)) return { type: 'height', value: height(text) };
  throw new InvalidArgumentError(
    `expected a height, a hash (64 hex digits), latest or finalized, got ${JSON.stringify(text)}`,
  );
}

/** @throws CliError if there is no such block */
async function findBlock(client: Client, block: Wanted): Promise<BlockSummary> {
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

async function heightOf(client: Client, block: Wanted): Promise<bigint> {
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
