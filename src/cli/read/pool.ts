import { defined } from '../../base/defined.js';
import { type Client, formatAddress, formatAmount, formatHash } from '../../client/client.js';
import type { PendingSummary, TxpoolStats } from '../../generated/node-rpc-v1.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { integerBetween } from '../option-parsers.js';
import { askNode, columns, type Lines, type NodeCommandOptions } from '../sending-options.js';
import { address } from '../values.js';

interface PoolOptions extends NodeCommandOptions {
  readonly sender?: Uint8Array;
  readonly limit: number;
}

/** The usual limit of a node for one page of a listing. */
const PAGE = 500;

export function registerPoolCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('pool')
    .option('--sender <ADDRESS>', 'only transactions of this account', address)
    .option('--limit <N>', 'most transactions to list', integerBetween(0, 1_000_000), 20)
    .reading()
    .examples('heddle pool', 'heddle pool --sender dev:0 --limit 100 --json')
    .action(async (options: PoolOptions) => {
      const { stats, transactions } = await askNode(options, context, async (client) => ({
        stats: await client.txpool_stats(),
        transactions: await pending(client, options),
      }));
      context.console.out(options.json ? poolJson(stats, transactions) : poolText(stats, transactions));
    });
}

async function pending(client: Client, { sender, limit }: PoolOptions): Promise<readonly PendingSummary[]> {
  const found: PendingSummary[] = [];
  let cursor: string | undefined;
  while (found.length < limit) {
    const page = await client.list_pending_txs(
      defined({ sender, cursor, limit: Math.min(PAGE, limit - found.length) }),
    );
    found.push(...page.transactions);
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  return found;
}

function poolJson(stats: TxpoolStats, transactions: readonly PendingSummary[]): string {
  const list = transactions.map((each) => rpcTypes.PendingSummary.toJson(each)).join(',');
  return `{"stats":${rpcTypes.TxpoolStats.toJson(stats)},"transactions":[${list}]}\n`;
}

function poolText(stats: TxpoolStats, transactions: readonly PendingSummary[]): string {
  const { sealed } = stats;
  const lines: Lines = [
    ['pool', `${formatAmount(BigInt(stats.size))} of ${formatAmount(BigInt(stats.capacity))}`],
    ['size', `${formatAmount(stats.bytes)} bytes`],
    ['ready', `${stats.ready}, ${stats.gapped} behind a gap, in ${stats.lanes} lanes`],
    [
      'sealed',
      `${sealed.size}${sealed.next_open_height === undefined ? '' : `, next opening at ${sealed.next_open_height}`}`,
    ],
    ['bundles', `${stats.bundles}`],
    ['min fee', formatAmount(stats.min_fee)],
    ['base fee', formatAmount(stats.base_fee)],
  ];
  const listed = transactions.map((each) => `${pendingText(each)}\n`).join('');
  return `${columns(lines)}${listed === '' ? '' : `\n${listed}`}`;
}

function pendingText(pending: PendingSummary): string {
  const { tx_hash, sender, lane, nonce, kind, ready, max_fee, opens_at } = pending;
  const state = ready ? 'ready' : 'waiting';
  const opens = opens_at === undefined ? '' : `, opens at ${opens_at}`;
  return `${formatHash(tx_hash)}  ${kind.type} of ${formatAddress(sender)} (lane ${lane}, nonce ${nonce}), max fee ${formatAmount(max_fee)}, ${state}${opens}`;
}
