// Listings of what an address received and of the tokens that it has sent or received, on a stored chain.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { LedgerLog } from '../../src/generated/ledger.js';
import { appendPayments } from '../../src/ledger/payment-index.js';
import { CursorError } from '../../src/ledger/queries/cursor.js';
import { appendTokenHolders, TRANSFER_TOPIC } from '../../src/ledger/token-holders.js';
import { RpcError } from '../../src/rpc/errors.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { temporaryStore } from '../storage/stores.js';
import { contractAbi } from '../support/contract-world.js';
import { address, event, storeOf, topic } from '../support/event-chain.js';
import { hex, text } from '../support/hex.js';
import { type ListingNode, listingNodes } from '../support/listing-nodes.js';
import { sweep } from '../support/sweep.js';

interface Page {
  readonly transactions?: readonly {
    readonly height: number;
    readonly index: number;
    readonly received?: string;
  }[];
  readonly tokens?: readonly { readonly contract: string; readonly last_height: number }[];
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

  test('end where the blocks of a node end that started from a snapshot', async (t) => {
    const node = listingNodes<Page>(await paidStore(t))(BigInt(BLOCKS - 1), 2n);
    const page = await node('list_txs_by_recipient', { recipient: BOB });
    assert.ok(page.next_cursor !== undefined, 'the page looks complete');
    await assert.rejects(node('list_txs_by_recipient', { recipient: address(3) }), isUnavailable);
  });
});

/** An address as a topic. */
function topicOf(of: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(of, 12);
  return bytes;
}

const transfer = (contract: Uint8Array, from: Uint8Array, to: Uint8Array): LedgerLog => ({
  contract,
  topics: [TRANSFER_TOPIC, topicOf(from), topicOf(to)],
  data: new Uint8Array(16),
});

describe('the tokens of an address', () => {
  const ZERO = address(0);
  const [ALICE, BOB] = [address(1), address(2)];

  async function storeWith(t: TestContext, blocks: readonly (readonly LedgerLog[])[]): Promise<Store> {
    const store = await temporaryStore(t, 'off');
    const batch = new WriteBatch();
    for (const [height, logs] of blocks.entries()) appendTokenHolders(batch, BigInt(height), [{ logs }]);
    await store.write(batch, { sync: false });
    return store;
  }

  const nodeOf = async (t: TestContext, blocks: readonly (readonly LedgerLog[])[]) =>
    listingNodes<Page>(await storeWith(t, blocks))(BigInt(blocks.length));

  const held = async (node: ListingNode<Page>, holder: Uint8Array, limit = 50) => {
    const pages = await pagesOf(node, 'list_tokens_by_holder', { holder, limit });
    for (const { tokens = [] } of pages) assert.ok(tokens.length <= limit);
    return pages.flatMap(({ tokens = [] }) => tokens.map((each) => [each.contract, each.last_height]));
  };

  test('are recognized by the event of the standard token', () => {
    const standard = contractAbi('token').events.get('Transfer') ?? assert.fail();
    assert.equal(hex(standard.topic), hex(TRANSFER_TOPIC));
    const { topics } = standard.encode({ from: text(ALICE), to: text(BOB), amount: '5' });
    assert.deepEqual(topics.map(hex), transfer(address(9), ALICE, BOB).topics.map(hex));
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

  test('are not taken from events of another form', async (t) => {
    const { topics } = transfer(address(10), ALICE, BOB);
    const padded = topics.map((each, at) => (at === 1 ? Uint8Array.from(each).fill(1, 11, 12) : each));
    const node = await nodeOf(t, [
      [
        { contract: address(10), topics: topics.slice(0, 2), data: new Uint8Array(16) },
        { contract: address(10), topics: [...topics, topic(1)], data: new Uint8Array(16) },
        { contract: address(10), topics: [topic(1), ...topics.slice(1)], data: new Uint8Array(16) },
        event(10, []),
        { contract: address(11), topics: padded, data: new Uint8Array(16) },
      ],
    ]);
    assert.deepEqual(await held(node, ALICE), []);
    assert.deepEqual(await held(node, BOB), [[text(address(11)), 0]]);
  });

  test('are the same in pages of any length, and beside those of other addresses', async (t) => {
    const small = fc.integer({ min: 0, max: 255 });
    const logs = fc.array(fc.tuple(small, small, small), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(logs, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (blocks, limit) => {
          const node = await nodeOf(
            t,
            blocks.map((block) =>
              block.map(([contract, from, to]) => transfer(address(contract), address(from), address(to))),
            ),
          );
          const expected = new Map<number, Map<number, number>>();
          for (const [height, block] of blocks.entries()) {
            for (const [contract, ...sides] of block) {
              for (const side of sides.filter((each) => each !== 0)) {
                expected.set(side, (expected.get(side) ?? new Map()).set(contract, height));
              }
            }
          }
          for (const [holder, contracts] of expected) {
            assert.deepEqual(
              await held(node, address(holder), limit),
              [...contracts]
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
  });
});
