import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import { rangePages } from '../../load/traces/range-transactions.js';
import type { FarmNode } from '../node/farm-node.js';
import type { CutJob } from './cut-calls.js';

const MAX_BLOCKS = 1_000n;
const MAX_TRANSACTIONS = 200;

/** Gas of a job's transactions: about two seconds of compiled loops. */
const MAX_GAS = 1_000_000_000n;

/**
 * Cuts a range of blocks into jobs of up to 200 transactions. A block with more becomes several jobs. The same blocks are
 * always cut alike.
 * @throws NodeAwayError
 */
export async function* cutBlocks(
  node: FarmNode,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): AsyncGenerator<CutJob> {
  let open: { readonly from: bigint; to: bigint; count: number; gas: bigint } | undefined;
  let job = 0;
  let reached = 0;
  const take = (data: { from: bigint; to: bigint; count: number; first?: number }): CutJob => {
    reached += data.count;
    const places =
      data.first === undefined ? {} : { places: { first: data.first, last: data.first + data.count - 1 } };
    const traces = { from: `${data.from}`, to: `${data.to}`, ...places };
    return { job: { data: { job: job++, count: data.count, traces } }, reached };
  };
  for await (const { height, tx_count: count, gas_used: gas } of summaries(node, from, to)) {
    const isFull =
      open !== undefined &&
      (open.count + count > MAX_TRANSACTIONS || open.gas + gas > MAX_GAS || height - open.from >= MAX_BLOCKS);
    if (open !== undefined && isFull) {
      yield take(open);
      open = undefined;
    }
    if (count > MAX_TRANSACTIONS) {
      for (let first = 0; first < count; first += MAX_TRANSACTIONS) {
        yield take({ from: height, to: height, count: Math.min(MAX_TRANSACTIONS, count - first), first });
      }
    } else if (open === undefined) {
      open = { from: height, to: height, count, gas };
    } else {
      open.to = height;
      open.count += count;
      open.gas += gas;
    }
  }
  if (open !== undefined) yield take(open);
}

async function* summaries(node: FarmNode, from: bigint, to: bigint): AsyncGenerator<BlockSummary> {
  const pages = rangePages(from, to, (range) => node.ask((client) => client.get_block_summaries(range)));
  for await (const { blocks } of pages) yield* blocks;
}
