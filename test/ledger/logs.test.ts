import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import type { Log } from '../../src/generated/node-rpc-v1.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ContractInterfaces } from '../../src/ledger/contract-interfaces.js';
import { decodePartCursor } from '../../src/ledger/queries/cursor.js';
import { getLogs, LOG_LISTING, type LogQuery } from '../../src/ledger/queries/logs.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import type { Store } from '../../src/storage/store.js';
import { sweep } from '../support/sweep.js';
import { address, type Chain, event, storeOf, topic } from '../support/worlds/event-chain.js';

const FILTER = new Uint8Array(32);

interface Page {
  readonly logs: readonly Log[];
  readonly next_cursor?: string;
}

function pages(store: Store, query: Omit<LogQuery, 'filter' | 'maxLength'>): Page[] {
  const reader = new BlockReader(store);
  const interfaces = new ContractInterfaces(store, { sha256 });
  const all: Page[] = [];
  let after: LogQuery['after'];
  for (;;) {
    const full = { ...query, filter: FILTER, maxLength: 1_000_000, ...(after !== undefined && { after }) };
    const json: unknown = JSON.parse(getLogs({ store, reader, interfaces }, full));
    const page: Page = rpcTypes.GetLogsResult.fromJson(json, 'result');
    all.push(page);
    if (page.next_cursor === undefined) return all;
    const { place, part } = decodePartCursor(LOG_LISTING, FILTER, page.next_cursor);
    const before = after;
    after = { height: place.height, txIndex: place.index, logIndex: part };
    assert.ok(before === undefined || isBefore(before, after), 'a page does not move forward');
  }
}

function isBefore(a: NonNullable<LogQuery['after']>, b: NonNullable<LogQuery['after']>): boolean {
  if (a.height !== b.height) return a.height < b.height;
  return a.txIndex !== b.txIndex ? a.txIndex < b.txIndex : a.logIndex < b.logIndex;
}

const small = fc.nat({ max: 2 });
const chains: fc.Arbitrary<Chain> = fc.array(
  fc.array(
    fc.array(
      fc.tuple(small, fc.array(small, { maxLength: 4 })).map(([c, t]) => event(c, t)),
      { maxLength: 3 },
    ),
    {
      maxLength: 3,
    },
  ),
  { minLength: 1, maxLength: 6 },
);

test('a page with few matches in large receipts ends after a bounded number of bytes', async (t) => {
  const bytes = 2 * 1024 * 1024;
  const large = { ...event(2, []), data: new Uint8Array(bytes) };
  const blocks = 40;
  const store = await storeOf(
    t,
    Array.from({ length: blocks }, () => [[event(1, [1]), large]]),
  );
  const interfaces = new ContractInterfaces(store, { sha256 });
  const ask = {
    topics: [[], [topic(9)]],
    from: 0n,
    to: BigInt(blocks - 1),
    limit: 100,
    maxLength: 1_000_000,
  };
  for (const contracts of [[address(1)], []]) {
    let after: LogQuery['after'];
    let asked = 0;
    for (let isOver = false; !isOver; asked++) {
      const reader = new BlockReader(store);
      const query = { ...ask, contracts, filter: FILTER, ...(after !== undefined && { after }) };
      const page: Page = JSON.parse(getLogs({ store, reader, interfaces }, query));
      assert.deepEqual(page.logs, []);
      assert.ok(reader.fetchedBytes <= 17 * (bytes + 1_024), `a page fetches ${reader.fetchedBytes} bytes`);
      isOver = page.next_cursor === undefined;
      if (page.next_cursor === undefined) continue;
      const { place, part } = decodePartCursor(LOG_LISTING, FILTER, page.next_cursor);
      after = { height: place.height, txIndex: place.index, logIndex: part };
    }
    assert.equal(asked, 3);
  }
});

test('all pages together hold exactly the events of a walk over the chain, in its order', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      chains,
      fc.uniqueArray(small, { maxLength: 3 }),
      fc.array(fc.array(small, { maxLength: 3 }), { maxLength: 4 }),
      fc.nat({ max: 5 }),
      fc.nat({ max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (chain, contracts, topics, a, b, limit) => {
        const store = await storeOf(t, chain);
        const tip = chain.length - 1;
        const from = Math.min(a, tip);
        const to = Math.min(Math.max(from, b), tip);
        const expected = chain.flatMap((transactions, height) =>
          transactions.flatMap((logs, index) =>
            logs.flatMap((log, place) => {
              const matches =
                height >= from &&
                height <= to &&
                (contracts.length === 0 || contracts.includes(log.contract[0] ?? 0)) &&
                topics.every(
                  (any, position) => any.length === 0 || any.some((n) => log.topics[position]?.[0] === n),
                );
              return matches ? [`${height}/${index}/${place}`] : [];
            }),
          ),
        );
        const found = pages(store, {
          contracts: contracts.map(address),
          topics: topics.map((any) => any.map(topic)),
          from: BigInt(from),
          to: BigInt(to),
          limit,
        });
        assert.deepEqual(
          found.flatMap(({ logs }) => logs.map((log) => `${log.height}/${log.tx_index}/${log.log_index}`)),
          expected,
        );
        for (const { logs } of found) assert.ok(logs.length <= limit);
      },
    ),
    { numRuns: sweep(6) },
  );
});

test('a page without a match ends empty and can be continued, with an index and without', async (t) => {
  const transaction = Array.from({ length: 500 }, () => event(1, [1, 2]));
  const chain: Chain = Array.from({ length: 50 }, (_, height) =>
    height === 49 ? [transaction, [event(1, [1, 3])]] : [transaction],
  );
  const store = await storeOf(t, chain);
  for (const query of [
    { contracts: [address(1)], topics: [[topic(1)], [topic(3)]] },
    { contracts: [], topics: [[], [topic(3)]] },
  ]) {
    const found = pages(store, { ...query, from: 0n, to: 49n, limit: 10 });
    assert.equal(found[0]?.logs.length, 0);
    assert.ok(found.length > 1 && found.length < 5, `${found.length} pages`);
    assert.equal(found.flatMap(({ logs }) => logs).length, 1);
  }
});

test('a page ends once it is long enough, whatever its limit', async (t) => {
  const store = await storeOf(t, [
    [Array.from({ length: 100 }, () => ({ ...event(1, [1]), data: new Uint8Array(16_000) }))],
  ]);
  const found = pages(store, { contracts: [address(1)], topics: [], from: 0n, to: 0n, limit: 100 });
  assert.ok(found.length > 2, `${found.length} pages`);
  assert.equal(found.flatMap(({ logs }) => logs).length, 100);
});
