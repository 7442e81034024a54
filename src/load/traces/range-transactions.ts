import type { Client } from '../../client/client.js';
import { ClientError } from '../../client/client-error.js';
import type { GetBlocksArgs, RangeTx } from '../../generated/node-rpc-v1.js';

/** Heights per request: the node's limit for a range. */
const RANGE = 1_000n;

/**
 * The pages of a range of heights, in order. Each page is requested while the previous one is consumed.
 * @throws ClientError `bad_answer` if a page does not go on
 * @param ask requests a page; its `next_height` tells where the next one begins if it ends early
 */
export async function* rangePages<Page extends { readonly next_height?: bigint }>(
  from: bigint,
  to: bigint,
  ask: (range: GetBlocksArgs) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  const request = (next: bigint) => {
    const last = next + RANGE - 1n < to ? next + RANGE - 1n : to;
    const page = ask({ from_height: next, to_height: last });
    // The loop awaits the page later; until then, a rejection must not count as unhandled.
    page.catch(() => undefined);
    return { first: next, last, page };
  };
  for (let asked = request(from); ; ) {
    const page = await asked.page;
    const { next_height: next = asked.last + 1n } = page;
    if (next > to) {
      yield page;
      return;
    }
    if (next <= asked.first) {
      throw new ClientError(
        'bad_answer',
        `the page from ${asked.first} ends before it: next_height is ${next}`,
      );
    }
    asked = request(next);
    yield page;
  }
}

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
