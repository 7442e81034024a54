// Methods that walk the chain, at its tip. Handlers with a lower tip play a node that is behind.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { RpcError } from '../../src/rpc/errors.js';
import { listingNodes } from '../support/nodes/listing-nodes.js';
import { address, type Chain, event, storeOf } from '../support/worlds/event-chain.js';

const TIP = 9n;
/** Each block has a transaction with two events. */
const CHAIN: Chain = Array.from({ length: Number(TIP) + 1 }, () => [[event(1, [1]), event(2, [1])]]);
const RANGES = ['get_blocks', 'get_block_summaries', 'get_txs_in_range'];

interface Page {
  readonly blocks?: readonly { readonly height?: number }[];
  readonly transactions?: readonly { readonly height: number }[];
  readonly logs?: readonly { readonly height: number }[];
  readonly searched_to?: number | bigint;
  readonly next_height?: number;
  readonly next_cursor?: string;
}

const nodesOf = async (t: TestContext) => listingNodes<Page>(await storeOf(t, CHAIN));

function notYet(next: bigint) {
  return (error: unknown): boolean =>
    error instanceof RpcError &&
    error.kind === 'not_found' &&
    error.retryable &&
    'next' in error.details &&
    error.details.next === next;
}

const range = (from: bigint, to: bigint) => ({ from_height: from, to_height: to });

test('a range across the tip says where it ends, and the rest is found once it exists', async (t) => {
  const nodeAt = await nodesOf(t);
  const [behind, ahead] = [nodeAt(5n), nodeAt(TIP)];
  for (const method of RANGES) {
    const first = await behind(method, range(2n, 8n));
    const items = first.blocks ?? first.transactions ?? [];
    assert.deepEqual([items.length, first.next_height], [4, 6], method);
    const rest = await ahead(method, range(6n, 8n));
    assert.equal((rest.blocks ?? rest.transactions ?? []).length, 3);
    assert.equal(rest.next_height, undefined);
  }
  for (const filter of [{}, { contract: address(1) }]) {
    const args = { ...filter, ...range(2n, 8n) };
    const first = await behind('get_logs', args);
    assert.equal(first.searched_to, 5);
    const cursor = first.next_cursor ?? assert.fail('the page looks complete');
    await assert.rejects(behind('get_logs', { ...args, cursor }), notYet(6n));
    const rest = await ahead('get_logs', { ...args, cursor });
    assert.deepEqual([rest.searched_to, rest.next_cursor], [8, undefined]);
    assert.deepEqual([...(first.logs ?? []), ...(rest.logs ?? [])], (await ahead('get_logs', args)).logs);
  }
});

test('a range above the tip is not found yet', async (t) => {
  const node = (await nodesOf(t))(TIP);
  for (const from of [TIP + 1n, TIP + 100n, 2n ** 63n]) {
    for (const method of [...RANGES, 'get_logs']) {
      await assert.rejects(node(method, range(from, from + 5n)), notYet(TIP + 1n), `${method} from ${from}`);
    }
    await assert.rejects(node('get_logs', { from_height: from }), notYet(TIP + 1n));
  }
});

test('a cursor from a node that is ahead is not found yet by one that is behind', async (t) => {
  const nodeAt = await nodesOf(t);
  const [behind, ahead] = [nodeAt(5n), nodeAt(TIP)];
  for (const [method, args] of [
    ['list_blocks', { limit: 2 }],
    ['list_txs', { limit: 2 }],
    ['list_txs_by_sender', { limit: 2, sender: new Uint8Array(20) }],
    ['get_logs', { limit: 13 }],
    ['get_logs', { limit: 13, to_height: TIP }],
  ] as const) {
    const { next_cursor: cursor } = await ahead(method, args);
    await assert.rejects(behind(method, { ...args, cursor }), notYet(6n), method);
    await nodeAt(TIP - 1n)(method, { ...args, cursor });
  }
});

test('a page of logs says up to which height all events are listed', async (t) => {
  const node = (await nodesOf(t))(TIP);
  for (const filter of [{}, { contract: address(1) }]) {
    const args = { ...filter, from_height: 1n, limit: 3 };
    const seen: number[] = [];
    for (let cursor: string | undefined, done = false; !done; ) {
      const page = await node('get_logs', { ...args, ...(cursor !== undefined && { cursor }) });
      for (const { height } of page.logs ?? []) seen.push(height);
      const perBlock = 'contract' in filter ? 1 : 2;
      const whole = Math.floor(seen.length / perBlock);
      const { searched_to: to = 0, next_cursor } = page;
      // A page that ends with the last event of a block may not know that it is the last.
      assert.ok(Number(to) === whole || Number(to) === whole - 1, `${to} after ${seen.length} events`);
      cursor = next_cursor;
      done = cursor === undefined;
      if (done) assert.equal(Number(to), Number(TIP));
    }
  }
});
