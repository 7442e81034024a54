import type { Client } from '../../client/client.js';
import type { RangeTx } from '../../generated/node-rpc-v1.js';
import { rangePages } from './range-pages.js';

/** The transactions of a range of blocks in chain order. */
export async function* rangeTransactions(
  client: Pick<Client, 'get_txs_in_range'>,
  from: bigint,
  to: bigint,
): AsyncGenerator<RangeTx, void, undefined> {
  for await (const { transactions } of rangePages(from, to, (range) => client.get_txs_in_range(range))) {
    yield* transactions;
  }
}
