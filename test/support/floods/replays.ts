import { RpcClient } from '../../outside/rpc.js';
import { type Flood, rpcBody } from './flood.js';

const CONNECTIONS = 30;
const CALLS = 40;
const PAGE = 8;

interface TransactionsPage {
  readonly transactions: readonly { readonly tx_hash: string; readonly height: number }[];
  readonly next_height?: number;
}

/**
 * Traces the last transactions of more blocks than a node keeps write logs for, so that it executes each block
 * repeatedly.
 */
export const REPLAYS: Flood = {
  name: 'replays',
  attacks: '30 connections send batches of 40 traces over 71 blocks: blocks that are executed again for them',
  world: { blocks: 71, transfersABlock: 600 },
  arm: async ({ url, world }) => {
    const blocks = await transactionsOfBlocks(url, world.first, world.last);
    let asked = 0;
    const next = (): string => {
      const calls = Array.from({ length: CALLS }, () => {
        asked++;
        const hashes = blocks[asked % blocks.length] ?? [];
        const hash = hashes[hashes.length - 1 - ((asked * 7) % Math.ceil(hashes.length / 4))];
        return rpcBody('chain_traceTransaction', { tx_hash: hash });
      });
      return `[${calls.join()}]`;
    };
    return (attack) => attack.keepSending(CONNECTIONS, next);
  },
};

/** The transaction hashes of each non-empty block, in order. */
async function transactionsOfBlocks(url: string, first: number, last: number): Promise<string[][]> {
  const rpc = new RpcClient(url);
  const blocks = new Map<number, string[]>();
  try {
    for (let from = first; from <= last; ) {
      const to = Math.min(last, from + PAGE - 1);
      const answer = await rpc.call('get_txs_in_range', { from_height: from, to_height: to });
      const { transactions, next_height: next } = answer as TransactionsPage;
      for (const { tx_hash: hash, height } of transactions) {
        const hashes = blocks.get(height);
        if (hashes === undefined) blocks.set(height, [hash]);
        else hashes.push(hash);
      }
      from = next ?? to + 1;
    }
  } finally {
    rpc.close();
  }
  return [...blocks.values()];
}
