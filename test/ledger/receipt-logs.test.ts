import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ledger } from '../../src/ledger/codecs.js';
import { ReceiptLogs, RecentReceiptLogs, receiptHead } from '../../src/ledger/receipt-logs.js';
import { sweep } from '../support/sweep.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const small = fc.nat({ max: 2 });
const filled = (length: number) => small.map((value) => new Uint8Array(length).fill(value));

const receipts = fc.record({
  tx_hash: bytes(32),
  outcome: fc.constantFrom(
    ...(['success', 'reverted', 'out_of_gas', 'trapped', 'invalid'] as const).map((type) => ({ type })),
  ),
  gas_used: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  fee: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  contract: fc.option(bytes(20), { nil: undefined }),
  output: fc.uint8Array({ maxLength: 40 }),
  logs: fc.array(
    fc.record({
      contract: filled(20),
      topics: fc.array(filled(32), { maxLength: 4 }),
      data: fc.uint8Array({ maxLength: 40 }),
    }),
    { maxLength: 6 },
  ),
});

test('events read in place are those of the decoded receipt', () => {
  fc.assert(
    fc.property(receipts, ({ contract, ...rest }) => {
      const encoded = ledger.LedgerReceipt.encode(contract === undefined ? rest : { ...rest, contract });
      // The bytes are usually a view into a pack.
      const pack = new Uint8Array(encoded.length + 7);
      pack.set(encoded, 5);
      const logs = new ReceiptLogs(pack.subarray(5, 5 + encoded.length));
      assert.equal(logs.count, rest.logs.length);
      assert.deepEqual(logs.txHash, rest.tx_hash);
      assert.deepEqual(
        rest.logs.map((_, index) => logs.at(index)),
        rest.logs.map((log) => ({ ...log })),
      );
      assert.equal(logs.at(rest.logs.length), undefined);
    }),
    { numRuns: sweep(200) },
  );
});

test('the head of a receipt has all members except the events', () => {
  fc.assert(
    fc.property(receipts, ({ contract, ...rest }) => {
      const encoded = ledger.LedgerReceipt.encode(contract === undefined ? rest : { ...rest, contract });
      const { logs: _, ...head } = ledger.LedgerReceipt.decode(encoded);
      const pack = new Uint8Array(encoded.length + 7);
      pack.set(encoded, 5);
      assert.deepEqual(receiptHead(pack.subarray(5, 5 + encoded.length)), head);
    }),
    { numRuns: sweep(200) },
  );
});

test('a filter matches what a walk over the decoded events finds', () => {
  const topics = fc.array(fc.array(filled(32), { maxLength: 2 }), { maxLength: 4 });
  fc.assert(
    fc.property(
      receipts,
      fc.array(filled(20), { maxLength: 3 }),
      topics,
      ({ contract: _, ...rest }, contracts, wanted) => {
        const logs = new ReceiptLogs(ledger.LedgerReceipt.encode(rest));
        const same = (a: Uint8Array, b: Uint8Array | undefined) =>
          b !== undefined && Buffer.compare(a, b) === 0;
        for (const [index, log] of rest.logs.entries()) {
          const expected =
            (contracts.length === 0 || contracts.some((each) => same(each, log.contract))) &&
            wanted.every(
              (each, at) => each.length === 0 || each.some((topic) => same(topic, log.topics[at])),
            );
          assert.equal(logs.matches(index, contracts, wanted), expected);
        }
      },
    ),
    { numRuns: sweep(300) },
  );
});

test('a receipt with many events is read once, one with few each time', () => {
  const log = { contract: new Uint8Array(20), topics: [], data: new Uint8Array(0) };
  const receiptOf = (count: number) =>
    new ReceiptLogs(
      ledger.LedgerReceipt.encode({
        tx_hash: new Uint8Array(32),
        outcome: { type: 'success' },
        gas_used: 1n,
        fee: 1n,
        output: new Uint8Array(0),
        logs: Array.from({ length: count }, () => log),
      }),
    );
  const recent = new RecentReceiptLogs();
  const read: string[] = [];
  const at = (place: string, count: number) =>
    recent.at(place, () => {
      read.push(place);
      return receiptOf(count);
    });
  for (let round = 0; round < 3; round++) {
    assert.equal(at('many', 2_000)?.count, 2_000);
    assert.equal(at('few', 2)?.count, 2);
  }
  assert.deepEqual(read, ['many', 'few', 'few', 'few']);
});
