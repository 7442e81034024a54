// tokenBalances asks contracts that strangers have deployed, through a node that may lie.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ClientError, connect, tokenBalances } from '../../src/client/client.js';
import type { HeldToken, ListTokensByHolderArgs, ListTokensResult } from '../../src/generated/node-rpc-v1.js';
import { sha256 } from '../outside/bytes.js';
import { hex } from '../support/hex.js';
import { FakeNode, FakeRpcError } from '../support/nodes/fake-node.js';

const HOLDER = new Uint8Array(20).fill(7);
const NOTHING = new Uint8Array(0);
const held = (n: number, name = 'Token'): HeldToken => ({
  contract: new Uint8Array(20).fill(n),
  interface_name: name,
  last_height: BigInt(n),
});

const selector = (signature: string) => hex(sha256(Buffer.from(signature)).subarray(0, 4));
const BALANCE = selector('Token.balance_of(address)');
const SYMBOL = selector('Token.symbol()');
const DECIMALS = selector('Token.decimals()');

const le128 = (amount: bigint) => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(amount & (2n ** 64n - 1n), 0);
  bytes.writeBigUInt64LE(amount >> 64n, 8);
  return bytes;
};
const borshText = (value: string) => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** Output of a view by the first byte of the contract's address and the selector; without one, the view fails. */
type Views = Readonly<Record<number, Readonly<Record<string, Uint8Array>>>>;

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

/** A node with contracts that answer views. @param list the listing; by default all contracts in pages */
async function nodeWith(views: Views, list?: (args: ListTokensByHolderArgs) => ListTokensResult) {
  const all = Object.keys(views).map(Number);
  let calls = 0;
  const pageOf = ({ cursor = '0', limit = 50 }: ListTokensByHolderArgs): ListTokensResult => {
    const next = Number(cursor) + limit;
    return {
      tokens: all.slice(Number(cursor), next).map((n) => held(n)),
      ...(next < all.length ? { next_cursor: String(next) } : {}),
    };
  };
  const node = await FakeNode.start({
    list_tokens_by_holder: list ?? pageOf,
    view_call: ({ contract, input = NOTHING }) => {
      calls++;
      const output = views[contract[0] ?? 0]?.[hex(input.subarray(0, 4))];
      return {
        status: { type: output === undefined ? 'out_of_gas' : 'success' },
        output: output ?? NOTHING,
        gas_used: 1n,
        height: 5n,
        block_hash: new Uint8Array(32),
        logs: [],
      };
    },
  });
  const client = connect(node.url, { retry: { retries: 0 } });
  stop = async () => {
    await client.close();
    await node.stop();
  };
  return { client, calls: () => calls };
}

test('answers that a token would not give are left out', async () => {
  const { client } = await nodeWith({
    1: { [BALANCE]: le128(5n), [SYMBOL]: borshText('THR'), [DECIMALS]: Uint8Array.of(2) },
    2: { [BALANCE]: le128(0n), [SYMBOL]: borshText('NIL') },
    3: { [SYMBOL]: borshText('MUTE') },
    4: { [BALANCE]: Buffer.from('05', 'hex') },
    5: { [BALANCE]: Buffer.concat([le128(5n), Uint8Array.of(1)]) },
    6: { [BALANCE]: le128(2n ** 128n - 1n), [SYMBOL]: borshText('T\u202eHR'), [DECIMALS]: Uint8Array.of(39) },
    7: { [BALANCE]: le128(9n), [SYMBOL]: borshText('x'.repeat(33)), [DECIMALS]: Uint8Array.of(0, 0) },
    8: { [BALANCE]: le128(9n), [SYMBOL]: Uint8Array.of(255, 255, 255, 255) },
  });
  const { tokens, hasMore } = await tokenBalances(client, HOLDER);
  assert.equal(hasMore, false);
  assert.deepEqual(
    tokens.map(({ contract, ...rest }) => [contract[0], rest]),
    [
      [1, { balance: 5n, symbol: 'THR', decimals: 2, lastHeight: 1n }],
      [6, { balance: 2n ** 128n - 1n, lastHeight: 6n }],
      [7, { balance: 9n, lastHeight: 7n }],
      [8, { balance: 9n, lastHeight: 8n }],
    ],
  );
});

test('contracts are queried by the names of their interfaces', async () => {
  const gold = (view: string) => selector(`Gold.${view}`);
  const views = {
    [gold('balance_of(address)')]: le128(5n),
    [gold('symbol()')]: borshText('AU'),
    [gold('decimals()')]: Uint8Array.of(3),
  };
  const { client } = await nodeWith({ 1: views, 2: views }, () => ({ tokens: [held(1), held(2, 'Gold')] }));
  const { tokens } = await tokenBalances(client, HOLDER);
  assert.deepEqual(
    tokens.map(({ contract, ...rest }) => [contract[0], rest]),
    [[2, { balance: 5n, symbol: 'AU', decimals: 3, lastHeight: 2n }]],
  );
});

test('a name that no interface can have is refused, however long', async () => {
  for (const name of [
    '',
    'a b',
    'Token { view x(); } struct T',
    'Tökén',
    'x'.repeat(129),
    'x'.repeat(1_000_000),
  ]) {
    const { client, calls } = await nodeWith({}, () => ({ tokens: [held(1, name)] }));
    await assert.rejects(tokenBalances(client, HOLDER), (error: unknown) => {
      assert.ok(error instanceof ClientError);
      assert.deepEqual([error.code, error.message.length < 200], ['bad_answer', true]);
      return true;
    });
    assert.equal(calls(), 0);
    await stop?.();
  }
});

test('reading continues after pages with few tokens or none', async () => {
  const views = Object.fromEntries([1, 2, 3].map((n) => [n, { [BALANCE]: le128(9n) }]));
  const pages = [[], [1], [], [], [2, 3], []];
  const { client } = await nodeWith(views, ({ cursor = '0' }) => {
    const at = Number(cursor);
    return {
      tokens: (pages[at] ?? []).map((n) => held(n)),
      ...(at + 1 < pages.length ? { next_cursor: String(at + 1) } : {}),
    };
  });
  const { tokens, hasMore } = await tokenBalances(client, HOLDER);
  assert.deepEqual([tokens.map(({ contract }) => contract[0]), hasMore], [[1, 2, 3], false]);
});

test('contracts beyond the limit are not asked, and those without a balance are asked once', async () => {
  const views = Object.fromEntries(Array.from({ length: 55 }, (_, n) => [n + 1, { [BALANCE]: le128(0n) }]));
  for (const [limit, asked] of [
    [1, 1],
    [20, 20],
    [45, 45],
    [55, 55],
    [undefined, 55],
  ] as const) {
    const { client, calls } = await nodeWith(views);
    const { hasMore } = await tokenBalances(client, HOLDER, limit === undefined ? {} : { limit });
    assert.deepEqual([calls(), hasMore], [asked, asked < 55]);
    await stop?.();
  }
  const { client } = await nodeWith(views);
  await assert.rejects(tokenBalances(client, HOLDER, { limit: 0 }), { code: 'bad_argument' });
});

test('a node that lists more than asked, or without end, costs bounded work', async () => {
  const more = await nodeWith({}, ({ limit = 0 }) => ({
    tokens: Array.from({ length: limit + 1 }, () => held(1)),
  }));
  await assert.rejects(tokenBalances(more.client, HOLDER), { code: 'bad_answer' });
  assert.equal(more.calls(), 0);
  await stop?.();
  let pages = 0;
  const endless = await nodeWith({}, () => ({ tokens: [], next_cursor: String(++pages) }));
  assert.deepEqual(await tokenBalances(endless.client, HOLDER), { tokens: [], hasMore: true });
  assert.equal(pages, 100);
});

test('an error of the node is not taken for a missing balance', async () => {
  const { client } = await nodeWith({}, () => {
    throw new FakeRpcError(-32004, 'overloaded');
  });
  await assert.rejects(tokenBalances(client, HOLDER), /overloaded/);
});
