// get_logs with several contracts, on a stored chain.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { CursorError } from '../../src/ledger/queries/cursor.js';
import { RpcError } from '../../src/rpc/errors.js';
import { type ListingNode, listingNodes } from '../support/nodes/listing-nodes.js';
import { sweep } from '../support/sweep.js';
import { address, type Chain, event, storeOf, topic } from '../support/worlds/event-chain.js';

interface Page {
  readonly logs: readonly {
    readonly height: number;
    readonly tx_index: number;
    readonly log_index: number;
  }[];
  readonly next_cursor?: string;
}

const nodeOf = async (t: TestContext, chain: Chain): Promise<ListingNode<Page>> =>
  listingNodes<Page>(await storeOf(t, chain))(BigInt(chain.length - 1));

const places = ({ logs }: Page) =>
  logs.map(({ height, tx_index, log_index }) => `${height}/${tx_index}/${log_index}`);

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** All events of a filter, page by page. */
async function all(node: ListingNode<Page>, filter: object): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await node('get_logs', { ...filter, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...places(page));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

test('a filter of several contracts finds the events of each, in order of execution', async (t) => {
  const number = fc.integer({ min: 1, max: 6 });
  const events = fc
    .tuple(number, fc.array(number, { maxLength: 2 }))
    .map(([of, topics]) => event(of, topics));
  const blocks = fc.array(fc.array(fc.array(events, { maxLength: 4 }), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  });
  // With 20 topics, six contracts have more pairs than are scanned one by one.
  const firstTopics = fc.oneof(
    fc.constant([]),
    fc.uniqueArray(number),
    fc.constant([1, 2, 3, 4, ...range(50, 66)]),
  );
  await fc.assert(
    fc.asyncProperty(
      blocks,
      fc.array(number, { minLength: 1, maxLength: 8 }),
      firstTopics,
      async (chain, contracts, accepted) => {
        const node = await nodeOf(t, chain);
        const topics = [accepted.map(topic)];
        const each = new Set(contracts);
        const separate = await Promise.all([...each].map((n) => all(node, { contract: address(n), topics })));
        const together = await all(node, { contracts: contracts.map(address), topics });
        assert.deepEqual([...together].sort(), separate.flat().sort());
        assert.deepEqual(together, [...together].sort());
      },
    ),
    { numRuns: sweep(12) },
  );
});

test('a cursor continues for the same contracts in any order, but not for others', async (t) => {
  const node = await nodeOf(t, [[[event(1, [1]), event(2, [1]), event(3, [1])]]]);
  const [a, b, c] = [1, 2, 3].map(address) as [Uint8Array, Uint8Array, Uint8Array];
  const { next_cursor: cursor } = await node('get_logs', { contracts: [a, b], limit: 1 });
  for (const contracts of [
    [a, b],
    [b, a],
    [b, a, b],
  ]) {
    assert.deepEqual(places(await node('get_logs', { contracts, cursor })), ['0/0/1']);
  }
  for (const other of [{ contracts: [a, b, c] }, { contracts: [a] }, { contract: a }, {}]) {
    await assert.rejects(node('get_logs', { ...other, cursor }), CursorError);
  }
  const one = await node('get_logs', { contracts: [a, a], limit: 1 });
  assert.deepEqual(one, await node('get_logs', { contract: a, limit: 1 }));
});

test('a list of contracts has 1 to 100 of them, and no single contract may stand beside it', async (t) => {
  const node = await nodeOf(t, [[[event(1, [1])]]]);
  const refused = async (args: object): Promise<string> => {
    const error: unknown = await node('get_logs', args).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof RpcError);
    return `${error.kind}: ${error.message}`;
  };
  const many = (count: number) => range(0, count).map((n) => address(n % 256));
  assert.equal(
    await refused({ contract: address(1), contracts: many(2) }),
    'invalid_params: params.contracts: expected nothing beside params.contract, got 2 addresses',
  );
  assert.equal(
    await refused({ contracts: [] }),
    'invalid_params: params.contracts: expected 1 to 100 addresses, got none',
  );
  assert.equal(
    await refused({ contracts: many(101) }),
    'limit_exceeded: params.contracts: at most 100, got 101',
  );
  assert.deepEqual(places(await node('get_logs', { contracts: many(100) })), ['0/0/0']);
});
