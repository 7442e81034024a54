// Listings of what an address received and of the tokens that it has sent or received, on a stored chain.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { LedgerLog } from '../../src/generated/ledger.js';
import { appendPayments } from '../../src/ledger/payment-index.js';
import { CursorError } from '../../src/ledger/queries/cursor.js';
import { appendTokenHolders } from '../../src/ledger/token-holders.js';
import { RpcError } from '../../src/rpc/errors.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { temporaryStore } from '../storage/stores.js';
import { hex, text } from '../support/hex.js';
import { type ListingNode, listingNodes } from '../support/nodes/listing-nodes.js';
import { sweep } from '../support/sweep.js';
import { CONTRACTS, contractAbi } from '../support/worlds/contract-world.js';
import { addInterfaces, address, event, storeOf, topic } from '../support/worlds/event-chain.js';
import {
  interfaceOf,
  moveOf,
  TRANSFER,
  topicOfEvent,
  transferTopic,
} from '../support/worlds/token-events.js';

interface Page {
  readonly transactions?: readonly {
    readonly height: number;
    readonly index: number;
    readonly received?: string;
  }[];
  readonly tokens?: readonly {
    readonly contract: string;
    readonly interface_name: string;
    readonly last_height: number;
  }[];
  readonly next_cursor?: string;
}

async function pagesOf(node: ListingNode<Page>, method: string, args: object): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const page = await node(method, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return pages;
}

const isUnavailable = (error: unknown) => error instanceof RpcError && error.kind === 'state_unavailable';

describe('the transactions that paid an address', () => {
  const BLOCKS = 6;
  const [ALICE, BOB] = [address(1), address(2)];

  /** Blocks of three transactions: the first and the last pay Alice, the second Bob; in block 3, one pays both. */
  async function paidStore(t: TestContext): Promise<Store> {
    const store = await storeOf(
      t,
      Array.from({ length: BLOCKS }, () => [[], [], []]),
    );
    const batch = new WriteBatch();
    const to = (of: Uint8Array, amount: bigint) => ({ to: hex(of), amount });
    for (let height = 0n; height < BLOCKS; height++) {
      const second = height === 3n ? [to(ALICE, 2n ** 128n - 1n), to(BOB, 1n)] : [to(BOB, 7n)];
      appendPayments(batch, height, [
        { index: 0, paid: [to(ALICE, height + 1n)] },
        { index: 1, paid: second },
        { index: 2, paid: [to(ALICE, 100n)] },
      ]);
    }
    await store.write(batch, { sync: false });
    return store;
  }

  const shown = ({ transactions = [] }: Page) =>
    transactions.map(({ height, index, received }) => `${height}/${index}: ${received}`);

  test('are listed newest first with what it received, however long the pages', async (t) => {
    const node = listingNodes<Page>(await paidStore(t))(BigInt(BLOCKS - 1));
    const expected = [5, 4, 3, 2, 1, 0].flatMap((height) => [
      `${height}/2: 100`,
      ...(height === 3 ? [`3/1: ${2n ** 128n - 1n}`] : []),
      `${height}/0: ${height + 1}`,
    ]);
    for (const limit of [1, 2, 3, 50]) {
      const pages = await pagesOf(node, 'list_txs_by_recipient', { recipient: ALICE, limit });
      assert.deepEqual(pages.flatMap(shown), expected);
      assert.equal(pages.length, Math.ceil(expected.length / limit));
    }
    assert.deepEqual(await node('list_txs_by_recipient', { recipient: address(3) }), { transactions: [] });
  });

  test('have no amount in other listings', async (t) => {
    const node = listingNodes<Page>(await paidStore(t))(BigInt(BLOCKS - 1));
    const { transactions = [] } = await node('list_txs', {});
    assert.equal(transactions.length, 3 * BLOCKS);
    assert.ok(transactions.every((entry) => !('received' in entry)));
  });

  test('continue only for the same address', async (t) => {
    const node = listingNodes<Page>(await paidStore(t))(BigInt(BLOCKS - 1));
    const { next_cursor: cursor } = await node('list_txs_by_recipient', { recipient: ALICE, limit: 2 });
    await assert.rejects(node('list_txs_by_recipient', { recipient: BOB, cursor }), CursorError);
    await assert.rejects(node('list_txs_by_sender', { sender: ALICE, cursor }), CursorError);
  });

  test('end at the oldest block of a node that started from a snapshot', async (t) => {
    const node = listingNodes<Page>(await paidStore(t))(BigInt(BLOCKS - 1), 2n);
    const page = await node('list_txs_by_recipient', { recipient: BOB });
    assert.ok(page.next_cursor !== undefined, 'the page looks complete');
    await assert.rejects(node('list_txs_by_recipient', { recipient: address(3) }), isUnavailable);
  });
});

describe('the tokens of an address', () => {
  const ZERO = address(0);
  const [ALICE, BOB] = [address(1), address(2)];
  const APPROVAL = 'event Approval { indexed owner: address; indexed spender: address; amount: u128; }';

  const transfer = (contract: Uint8Array, from: Uint8Array, to: Uint8Array, name = 'Token') =>
    moveOf(contract, transferTopic(name), from, to);

  type Blocks = readonly (readonly LedgerLog[])[];
  /** Interfaces by contract; undefined for none. */
  type Interfaces = Readonly<Record<number, string | undefined>>;

  /** All contracts of the blocks are tokens unless their interfaces are given. */
  async function storeWith(t: TestContext, blocks: Blocks, interfaces: Interfaces = {}): Promise<Store> {
    const store = await temporaryStore(t, 'off');
    const numbers = blocks.flat().map(({ contract }) => contract[0] ?? 0);
    const tokens: Interfaces = Object.fromEntries(
      numbers.map((number) => [number, interfaceOf('Token', TRANSFER)]),
    );
    const given: Interfaces = { ...tokens, ...interfaces };
    const texts = Object.entries(given).flatMap(([number, text]) =>
      text === undefined ? [] : [[Number(number), text] as const],
    );
    await addInterfaces(store, texts);
    const batch = new WriteBatch();
    for (const [height, logs] of blocks.entries()) appendTokenHolders(batch, BigInt(height), [{ logs }]);
    await store.write(batch, { sync: false });
    return store;
  }

  const nodeOf = async (t: TestContext, blocks: Blocks, interfaces?: Interfaces) =>
    listingNodes<Page>(await storeWith(t, blocks, interfaces))(BigInt(blocks.length));

  const held = async (node: ListingNode<Page>, holder: Uint8Array, limit = 50) => {
    const pages = await pagesOf(node, 'list_tokens_by_holder', { holder, limit });
    for (const { tokens = [] } of pages) assert.ok(tokens.length <= limit);
    return pages.flatMap(({ tokens = [] }) => tokens.map((each) => [each.contract, each.last_height]));
  };

  test('are recognized by the event of the standard token', async (t) => {
    const standard = contractAbi('token').events.get('Transfer') ?? assert.fail();
    const log = standard.encode({ from: text(ALICE), to: text(BOB), amount: '5' });
    assert.deepEqual(log.topics.map(hex), transfer(address(9), ALICE, BOB).topics.map(hex));
    const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
    const node = await nodeOf(t, [[{ contract: address(9), ...log }]], { 9: idl });
    assert.deepEqual(await node('list_tokens_by_holder', { holder: BOB }), {
      tokens: [{ contract: text(address(9)), interface_name: 'Token', last_height: 0 }],
    });
  });

  test('are those that it has sent or received, by contract, with the last height', async (t) => {
    const node = await nodeOf(t, [
      [transfer(address(20), ZERO, ALICE), transfer(address(10), ALICE, BOB)],
      [transfer(address(20), ALICE, BOB)],
      [transfer(address(20), BOB, ZERO), transfer(address(30), BOB, BOB)],
    ]);
    assert.deepEqual(await held(node, ALICE), [
      [text(address(10)), 0],
      [text(address(20)), 1],
    ]);
    assert.deepEqual(await held(node, BOB), [
      [text(address(10)), 0],
      [text(address(20)), 2],
      [text(address(30)), 2],
    ]);
    assert.deepEqual(await held(node, ZERO), []);
  });

  test('may have any names', async (t) => {
    const aliased = 'event Transfer { indexed source: Owner; indexed target: address; units: Units; }';
    const node = await nodeOf(
      t,
      [[transfer(address(10), ALICE, BOB, 'Gold'), transfer(address(11), ALICE, BOB, 'Silver')]],
      {
        10: interfaceOf('Gold', APPROVAL, TRANSFER),
        11: `type Owner = address; type Units = u128; ${interfaceOf('Silver', aliased)}`,
      },
    );
    const { tokens = [] } = await node('list_tokens_by_holder', { holder: ALICE });
    assert.deepEqual(
      tokens.map((token) => [token.contract, token.interface_name]),
      [
        [text(address(10)), 'Gold'],
        [text(address(11)), 'Silver'],
      ],
    );
  });

  test('are not taken from events of another form', async (t) => {
    const { topics, data } = transfer(address(10), ALICE, BOB);
    const padded = topics.map((each, at) => (at === 1 ? Uint8Array.from(each).fill(1, 11, 12) : each));
    const node = await nodeOf(t, [
      [
        { contract: address(10), topics: topics.slice(0, 2), data },
        { contract: address(10), topics: [...topics, topic(1)], data },
        { contract: address(10), topics: [topic(1), ...topics.slice(1)], data },
        { contract: address(10), topics: padded, data },
        { contract: address(10), topics, data: new Uint8Array(15) },
        { contract: address(10), topics, data: new Uint8Array(17) },
        event(10, []),
      ],
    ]);
    assert.deepEqual(await held(node, ALICE), []);
    assert.deepEqual(await held(node, BOB), []);
  });

  test('are not taken from other events of the same form', async (t) => {
    const SOLD = 'event Sold { indexed item: u64; indexed buyer: address; price: u128; }';
    const item = Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0);
    const events: Readonly<Record<number, readonly [idl: string | undefined, log: LedgerLog]>> = {
      10: [
        interfaceOf('Token', TRANSFER, APPROVAL),
        moveOf(address(10), topicOfEvent('Token.Approval(address,address,u128)'), ALICE, BOB),
      ],
      11: [
        interfaceOf('Shop', SOLD),
        moveOf(address(11), topicOfEvent('Shop.Sold(u64,address,u128)'), item, BOB),
      ],
      // An event of another name, another token's name, and no interface at all.
      12: [
        interfaceOf('Token', TRANSFER.replace('Transfer', 'Moved')),
        moveOf(address(12), topicOfEvent('Token.Moved(address,address,u128)'), ALICE, BOB),
      ],
      13: [interfaceOf('Gold', TRANSFER), transfer(address(13), ALICE, BOB)],
      14: [undefined, transfer(address(14), ALICE, BOB)],
      // Events called Transfer of other fields.
      15: [
        interfaceOf('Token', TRANSFER.replace('to: address', 'to: hash')),
        moveOf(address(15), topicOfEvent('Token.Transfer(address,hash,u128)'), ALICE, BOB),
      ],
      16: [
        interfaceOf('Token', TRANSFER.replace('amount: u128', 'amount: i128')),
        moveOf(address(16), topicOfEvent('Token.Transfer(address,address,i128)'), ALICE, BOB),
      ],
      17: [
        interfaceOf('Token', 'event Transfer { from: address; indexed to: address; indexed amount: u128; }'),
        transfer(address(17), ALICE, BOB),
      ],
      18: [interfaceOf('Token', TRANSFER.replace('to:', 'to?:')), transfer(address(18), ALICE, BOB)],
      19: ['contract Token {', transfer(address(19), ALICE, BOB)],
    };
    const interfaces = Object.fromEntries(Object.entries(events).map(([number, [idl]]) => [number, idl]));
    const node = await nodeOf(t, [Object.values(events).map(([, log]) => log)], interfaces);
    for (const holder of [ALICE, BOB]) {
      assert.deepEqual(await node('list_tokens_by_holder', { holder }), { tokens: [] });
    }
  });

  test("are those of the contracts' present interfaces", async (t) => {
    const store = await storeWith(t, [
      [transfer(address(10), ALICE, BOB)],
      [transfer(address(11), ALICE, BOB, 'Gold')],
    ]);
    await addInterfaces(store, [[11, interfaceOf('Gold', TRANSFER)]], 2n);
    const nodes = listingNodes<Page>(store);
    assert.deepEqual(await held(nodes(1n), ALICE), [[text(address(10)), 0]]);
    assert.deepEqual(await held(nodes(2n), ALICE), [
      [text(address(10)), 0],
      [text(address(11)), 1],
    ]);
  });

  test('are the same in pages of any length, and beside those of other addresses', async (t) => {
    const small = fc.integer({ min: 0, max: 255 });
    const names = ['Token', 'Gold', 'Silver'] as const;
    const nameOf = (contract: number) => names[contract % names.length] ?? 'Token';
    // Many events are named by another token, and are none of the contract's interface.
    const logs = fc.array(fc.tuple(small, small, small, fc.constantFrom(...names)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(logs, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (blocks, limit) => {
          const contracts = blocks.flat().map(([contract]) => contract);
          const node = await nodeOf(
            t,
            blocks.map((block) =>
              block.map(([contract, from, to, name]) =>
                transfer(address(contract), address(from), address(to), name),
              ),
            ),
            Object.fromEntries(contracts.map((each) => [each, interfaceOf(nameOf(each), TRANSFER)])),
          );
          const expected = new Map<number, Map<number, number>>();
          for (const [height, block] of blocks.entries()) {
            for (const [contract, from, to, name] of block) {
              for (const side of [from, to].filter((each) => each !== 0)) {
                const held = expected.get(side) ?? new Map<number, number>();
                expected.set(side, name === nameOf(contract) ? held.set(contract, height) : held);
              }
            }
          }
          for (const [holder, listed] of expected) {
            assert.deepEqual(
              await held(node, address(holder), limit),
              [...listed]
                .sort(([a], [b]) => a - b)
                .map(([contract, height]) => [text(address(contract)), height]),
            );
          }
        },
      ),
      { numRuns: sweep(10) },
    );
  });

  test('continue only for the same address', async (t) => {
    const node = await nodeOf(t, [[transfer(address(10), ALICE, BOB), transfer(address(11), ALICE, BOB)]]);
    const { next_cursor: cursor } = await node('list_tokens_by_holder', { holder: ALICE, limit: 1 });
    assert.ok(cursor !== undefined);
    await assert.rejects(node('list_tokens_by_holder', { holder: BOB, cursor }), CursorError);
    await assert.rejects(node('list_txs_by_recipient', { recipient: ALICE, cursor }), CursorError);
  });

  test('are incomplete on a node that started from a snapshot, which says so at the end', async (t) => {
    const store = await storeWith(t, [[transfer(address(10), ALICE, BOB)]]);
    const node = listingNodes<Page>(store)(9n, 5n);
    const { tokens = [], next_cursor: cursor } = await node('list_tokens_by_holder', { holder: ALICE });
    assert.equal(tokens.length, 1);
    await assert.rejects(node('list_tokens_by_holder', { holder: ALICE, cursor }), isUnavailable);
    await assert.rejects(node('list_tokens_by_holder', { holder: address(3) }), isUnavailable);
    const others = await storeWith(t, [[transfer(address(10), ALICE, BOB, 'Gold')]]);
    const none = listingNodes<Page>(others)(9n, 5n);
    await assert.rejects(none('list_tokens_by_holder', { holder: ALICE }), isUnavailable);
  });
});
