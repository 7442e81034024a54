// Listings of accounts that strangers pay and name without end, and log filters of many contracts and topics: a page costs a
// bounded part of the store.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BlockReader } from '../../src/ledger/block-store.js';
import { MAX_IDL_BYTES } from '../../src/ledger/constants.js';
import { ContractInterfaces } from '../../src/ledger/contract-interfaces.js';
import { appendPayments } from '../../src/ledger/payment-index.js';
import { decodeKeyCursor } from '../../src/ledger/queries/cursor.js';
import { listTransactions } from '../../src/ledger/queries/listings.js';
import { getLogs } from '../../src/ledger/queries/logs.js';
import { listTokens, TOKEN_KEY_BYTES, TOKEN_LISTING } from '../../src/ledger/queries/tokens.js';
import { appendTokenHolders } from '../../src/ledger/token-holders.js';
import type { Column } from '../../src/storage/columns.js';
import type { StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { sha256 } from '../outside/bytes.js';
import { temporaryStore } from '../storage/stores.js';
import { ordinaryInterface } from '../support/forged/hostile-interfaces.js';
import { hex } from '../support/hex.js';
import { addInterfaces, address, event, storeOf, topic } from '../support/worlds/event-chain.js';
import { interfaceOf, moveOf, TRANSFER, transferTopic } from '../support/worlds/token-events.js';

const VICTIM = address(1);
const FILTER = new Uint8Array(32);
const INDEXES: readonly Column[] = ['by_recipient', 'by_holder', 'logs'];

/** A reader that counts scans of the indexes and the entries that they fetch. */
class CountingStore {
  scans = 0;
  entries = 0;
  readonly reader: StoreReader;

  constructor(store: StoreReader) {
    const count = this.#count.bind(this);
    this.reader = {
      get: (column, key) => store.get(column, key),
      getMany: (column, keys) => store.getMany(column, keys),
      scan: (column, range) =>
        INDEXES.includes(column) ? count(store.scan(column, range)) : store.scan(column, range),
      close: () => store.close(),
    };
  }

  *#count<T>(scan: IterableIterator<T>): IterableIterator<T> {
    this.scans++;
    for (const entry of scan) {
      this.entries++;
      yield entry;
    }
  }
}

/** A number as 20 bytes. */
function numbered(n: number): Uint8Array {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setUint32(0, n);
  return bytes;
}

/** Events of two addresses and an amount that name the victim, by the numbers of their contracts, and interfaces. */
async function spammedStore(
  t: TestContext,
  events: Iterable<readonly [contract: number, topic: Uint8Array]>,
  interfaces: Iterable<readonly [contract: number, text: string]>,
) {
  const store = await temporaryStore(t, 'off');
  await addInterfaces(
    store,
    Array.from(interfaces, ([contract, text]) => [numbered(contract), text] as const),
  );
  const batch = new WriteBatch();
  const logs = Array.from(events, ([contract, first]) => moveOf(numbered(contract), first, VICTIM, VICTIM));
  appendTokenHolders(batch, 0n, [{ logs }]);
  await store.write(batch, { sync: false });
  return new CountingStore(store);
}

/** Calls the listing of the victim's tokens as a worker does, page by page. */
function tokenPages({ reader }: CountingStore) {
  const interfaces = new ContractInterfaces(reader, { sha256 });
  let after: Uint8Array | undefined;
  return () => {
    const blocks = new BlockReader(reader);
    const compiledBefore = interfaces.compiledBytes;
    const query = { holder: VICTIM, limit: 50, height: 0n, isPartial: false, ...(after && { after }) };
    const { tokens, next_cursor: cursor } = listTokens({ store: reader, reader: blocks, interfaces }, query);
    after =
      cursor === undefined ? undefined : decodeKeyCursor(TOKEN_LISTING, VICTIM, cursor, TOKEN_KEY_BYTES);
    return {
      listed: tokens.map(({ contract }) => new DataView(contract.slice().buffer).getUint32(0)),
      hasMore: cursor !== undefined,
      work: blocks.scanned,
      compiled: interfaces.compiledBytes - compiledBefore,
    };
  };
}

const range = (length: number) => Array.from({ length }, (_, n) => n);
const TOKEN = interfaceOf('Token', TRANSFER);

test('tokens of thousands of contracts cost only the page that lists them', async (t) => {
  const contracts = range(2_000);
  const store = await spammedStore(
    t,
    contracts.map((n) => [n, transferTopic('Token')]),
    contracts.map((n) => [n, TOKEN]),
  );
  const nextPage = tokenPages(store);
  for (let pages = 1; pages <= 3; pages++) {
    const { listed, work } = nextPage();
    assert.deepEqual(listed, contracts.slice(50 * (pages - 1), 50 * pages));
    assert.ok(work >= 50, 'the work is not counted');
    assert.deepEqual([store.scans, store.entries], [51 * pages, 51 * pages]);
  }
});

test('thousands of different events of one contract cost as much as one', async (t) => {
  const spam = range(5_000).map((n) => [1, sha256(numbered(n))] as const);
  const store = await spammedStore(
    t,
    [...spam, [0, transferTopic('Gold')], [2, transferTopic('Token')]],
    [
      [0, interfaceOf('Gold', TRANSFER)],
      [1, TOKEN],
      [2, TOKEN],
    ],
  );
  const { listed, hasMore } = tokenPages(store)();
  assert.deepEqual([listed, hasMore], [[0, 2], false]);
  assert.deepEqual([store.scans, store.entries], [4, 3]);
});

test('a page ends after many contracts that are not tokens, and the next page continues', async (t) => {
  const store = await spammedStore(
    t,
    range(1_251).map((n) => [n, transferTopic('Token')]),
    [[1_250, TOKEN]],
  );
  const nextPage = tokenPages(store);
  for (const pages of [1, 2]) {
    const { listed, hasMore, work } = nextPage();
    assert.deepEqual([listed, hasMore], [[], true]);
    assert.ok(work >= 500, 'the work is not counted');
    assert.ok(store.entries <= 501 * pages, `${store.entries} entries of the index were read`);
  }
  const { listed, hasMore } = nextPage();
  assert.deepEqual([listed, hasMore], [[1_250], false]);
});

test('a page of tokens stops after a few large interfaces', async (t) => {
  const contracts = range(12);
  const large = ordinaryInterface();
  const store = await spammedStore(
    t,
    contracts.map((n) => [n, transferTopic('Token')]),
    contracts.map((n) => [n, n === 11 ? TOKEN : `${large}//${n}`]),
  );
  const nextPage = tokenPages(store);
  const found: number[] = [];
  for (let pages = 1, isOver = false; !isOver; pages++) {
    const { listed, hasMore, compiled } = nextPage();
    assert.ok(compiled <= 5 * MAX_IDL_BYTES, `page ${pages} compiles ${compiled} bytes`);
    assert.ok(pages <= contracts.length);
    found.push(...listed);
    isOver = !hasMore;
  }
  assert.deepEqual(found, [11]);
});

test('a page of payments reads no entries of blocks beyond it', async (t) => {
  const [blocks, each] = [200, 20];
  const chain = Array.from({ length: blocks }, () => Array.from({ length: each }, () => []));
  const store = await storeOf(t, chain);
  const batch = new WriteBatch();
  for (let height = 0; height < blocks; height++) {
    const payments = Array.from({ length: each }, (_, index) => ({
      index,
      paid: [{ to: hex(VICTIM), amount: 1n }],
    }));
    appendPayments(batch, BigInt(height), payments);
  }
  await store.write(batch, { sync: false });
  const counting = new CountingStore(store);
  const { reader } = counting;
  const sources = {
    store: reader,
    reader: new BlockReader(reader),
    interfaces: new ContractInterfaces(reader, { sha256 }),
  };
  const page = { before: { height: 150n, index: 7 }, limit: 50, firstHeight: 0n };
  const text = listTransactions(sources, page, { recipient: VICTIM });
  const { transactions } = JSON.parse(text) as { transactions: { height: number; index: number }[] };
  assert.deepEqual(
    [transactions.length, transactions[0], transactions.at(-1)].map((entry) =>
      typeof entry === 'object' ? [entry.height, entry.index] : entry,
    ),
    [50, [150, 6], [147, 17]],
  );
  assert.ok(counting.entries <= 5, `${counting.entries} entries of the index were read`);
});

test('a filter with many contracts and topics takes a bounded number of scans, and they count as work', async (t) => {
  const logs = Array.from({ length: 100 }, (_, n) => event(n, [n, n]));
  const store = new CountingStore(await storeOf(t, [[logs]]));
  const { reader } = store;
  const interfaces = new ContractInterfaces(reader, { sha256 });
  const all = Array.from({ length: 100 }, (_, n) => n);
  for (const [contracts, firstTopics, scans] of [
    [100, 100, 100],
    [100, 1, 100],
    [10, 10, 100],
    [10, 11, 10],
    [0, 100, 100],
    [1, 100, 100],
    [2, 100, 2],
  ] as const) {
    store.scans = 0;
    const blocks = new BlockReader(reader);
    const accepted = all.slice(0, firstTopics).map(topic);
    const query = {
      contracts: all.slice(0, contracts).map(address),
      topics: [accepted, all.map(topic), [], []],
      from: 0n,
      to: 0n,
      limit: 1_000,
      maxLength: 1_000_000,
      filter: FILTER,
    };
    const found = JSON.parse(getLogs({ store: reader, reader: blocks, interfaces }, query)) as {
      logs: unknown[];
    };
    assert.equal(store.scans, scans, `${contracts} contracts, ${firstTopics} topics`);
    assert.ok(blocks.scanned >= scans);
    assert.equal(found.logs.length, Math.min(contracts || 100, firstTopics));
  }
});
