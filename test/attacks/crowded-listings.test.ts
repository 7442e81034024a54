// Listings of accounts that strangers pay and name without end, and log filters of many contracts and topics: a page costs no
// more of the store than it shows.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ContractInterfaces } from '../../src/ledger/contract-interfaces.js';
import { appendPayments } from '../../src/ledger/payment-index.js';
import { listTransactions } from '../../src/ledger/queries/listings.js';
import { getLogs } from '../../src/ledger/queries/logs.js';
import { listTokens } from '../../src/ledger/queries/tokens.js';
import { appendTokenHolders, TRANSFER_TOPIC } from '../../src/ledger/token-holders.js';
import type { Column } from '../../src/storage/columns.js';
import type { StoreReader } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { sha256 } from '../outside/bytes.js';
import { temporaryStore } from '../storage/stores.js';
import { address, event, storeOf, topic } from '../support/event-chain.js';
import { hex } from '../support/hex.js';

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

const holderTopic = Uint8Array.from([...new Uint8Array(12), ...VICTIM]);

async function spammedStore(t: TestContext, contracts: number) {
  const store = await temporaryStore(t, 'off');
  const batch = new WriteBatch();
  const logs = Array.from({ length: contracts }, (_, n) => ({
    contract: numbered(n),
    topics: [TRANSFER_TOPIC, holderTopic, holderTopic],
    data: new Uint8Array(16),
  }));
  appendTokenHolders(batch, 0n, [{ logs }]);
  await store.write(batch, { sync: false });
  return new CountingStore(store);
}

test('tokens of thousands of contracts cost only the page that lists them', async (t) => {
  const store = await spammedStore(t, 5_000);
  let after: Uint8Array | undefined;
  let listed = 0;
  for (let pages = 1; pages <= 3; pages++) {
    const page = { holder: VICTIM, limit: 50, isPartial: false, ...(after === undefined ? {} : { after }) };
    const { tokens } = listTokens(store.reader, page);
    listed += tokens.length;
    after = tokens.at(-1)?.contract;
    assert.deepEqual([listed, store.scans, store.entries], [50 * pages, pages, 51 * pages]);
  }
});

test('a page of payments reads the entries of the blocks that it shows', async (t) => {
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

test('a filter of many contracts and topics makes a bounded number of scans, which count as work', async (t) => {
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
      ...{ from: 0n, to: 0n, limit: 1_000, maxLength: 1_000_000, filter: FILTER },
    };
    const found = JSON.parse(getLogs(reader, blocks, query, interfaces)) as { logs: unknown[] };
    assert.equal(store.scans, scans, `${contracts} contracts, ${firstTopics} topics`);
    assert.ok(blocks.scanned >= scans);
    assert.equal(found.logs.length, Math.min(contracts || 100, firstTopics));
  }
});
