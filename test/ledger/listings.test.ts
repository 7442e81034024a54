import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ledger } from '../../src/ledger/codecs.js';
import { ContractInterfaces } from '../../src/ledger/contract-interfaces.js';
import type { TransactionPosition } from '../../src/ledger/position-index.js';
import { decodeCursor } from '../../src/ledger/queries/cursor.js';
import { listTransactions } from '../../src/ledger/queries/listings.js';
import { getTransactionsInRange } from '../../src/ledger/queries/ranges.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { event, storeOf } from '../support/worlds/event-chain.js';

test('pages of transactions with large receipts each read a bounded number of bytes, and together list all', async (t) => {
  const bytes = 2 * 1024 * 1024;
  const blocks = 40;
  const large = { ...event(1, []), data: new Uint8Array(bytes) };
  const store = await storeOf(
    t,
    Array.from({ length: blocks }, () => [[large]]),
  );
  const interfaces = new ContractInterfaces(store, { sha256 });
  const sender = new Uint8Array(20);
  for (const filter of [{}, { sender }]) {
    const heights: bigint[] = [];
    let before: TransactionPosition | undefined = { height: BigInt(blocks), index: 0 };
    let asked = 0;
    for (; before !== undefined; asked++) {
      const reader = new BlockReader(store);
      const page = { before, limit: 100, firstHeight: 0n };
      const json: unknown = JSON.parse(listTransactions({ store, reader, interfaces }, page, filter));
      const { transactions, next_cursor } = rpcTypes.ListTxsResult.fromJson(json, 'result');
      // 32 MiB to find the items and 32 MiB to read them, with one extra pack each.
      assert.ok(reader.fetchedBytes <= 34 * (bytes + 2_048), `a page fetches ${reader.fetchedBytes} bytes`);
      heights.push(...transactions.map(({ height }) => height));
      const listing = 'sender' in filter ? 'list_txs_by_sender' : 'list_txs';
      before =
        next_cursor === undefined
          ? undefined
          : decodeCursor(listing, 'sender' in filter ? sender : new Uint8Array(0), next_cursor);
    }
    assert.deepEqual(
      heights,
      Array.from({ length: blocks }, (_, at) => BigInt(blocks - 1 - at)),
    );
    assert.ok(asked >= 3, `${asked} pages`);
  }
});

test('summaries of transactions decode no events', async (t) => {
  const store = await storeOf(t, [[Array.from({ length: 1_000 }, () => event(1, [1, 2]))]]);
  const interfaces = new ContractInterfaces(store, { sha256 });
  const reader = new BlockReader(store);
  const decode = t.mock.method(ledger.LedgerReceipt, 'decode');
  listTransactions(
    { store, reader, interfaces },
    { before: { height: 1n, index: 0 }, limit: 10, firstHeight: 0n },
    {},
  );
  getTransactionsInRange(
    reader,
    { from: 0n, to: 0n, end: 0n, maxLength: 1_000_000, finalizedHeight: 0n },
    interfaces,
  );
  assert.deepEqual(
    decode.mock.calls.map(({ result }) => result?.logs.length),
    [0, 0],
  );
});
