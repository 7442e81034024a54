import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LedgerLog } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { EventBloom } from '../../src/ledger/event-bloom.js';
import { ReceiptLogs } from '../../src/ledger/receipt-logs.js';
import { sweep } from '../support/sweep.js';
import { address, event, topic } from '../support/worlds/event-chain.js';

const receiptOf = (logs: readonly LedgerLog[]) =>
  new ReceiptLogs(
    ledger.LedgerReceipt.encode({
      tx_hash: new Uint8Array(32),
      outcome: { type: 'success' },
      gas_used: 1n,
      fee: 1n,
      output: new Uint8Array(0),
      logs,
    }),
  );
const bloomOf = (receipts: readonly (readonly LedgerLog[])[]) =>
  EventBloom.decode(EventBloom.of(receipts.map(receiptOf)).encode());

test('no filter that matches an event is ruled out', () => {
  const events = fc
    .tuple(fc.nat({ max: 255 }), fc.array(fc.nat({ max: 255 }), { maxLength: 4 }))
    .map(([contract, topics]) => event(contract, topics));
  fc.assert(
    fc.property(
      fc.array(fc.array(events, { maxLength: 5 }), { maxLength: 4 }),
      fc.nat(),
      (receipts, mask) => {
        const bloom = bloomOf(receipts);
        for (const log of receipts.flat()) {
          const contracts = (mask & 1) === 0 ? [address(9), log.contract] : [];
          const topics = log.topics.map((each, at) => ((mask >> (at + 1)) & 1 ? [topic(7), each] : []));
          assert.ok(bloom.mayHave({ contracts, topics }));
        }
        assert.equal(bloom.mayHave({}), receipts.flat().length > 0);
      },
    ),
    { numRuns: sweep(200) },
  );
});

test('most filters that match nothing are ruled out', () => {
  const logs = Array.from({ length: 100 }, (_, n) => event(n, [n]));
  const bloom = bloomOf([logs.slice(0, 50), logs.slice(50)]);
  const absent = Array.from({ length: 100 }, (_, n) => n + 100);
  const passed = absent.filter((n) => bloom.mayHave({ contracts: [address(n)] }));
  assert.ok(passed.length <= 5, `${passed.length} of 100 contracts`);
  // A topic counts only at its position.
  const misplaced = absent.filter((n) => bloom.mayHave({ topics: [[], [topic(n - 100)]] }));
  assert.ok(misplaced.length <= 5, `${misplaced.length} of 100 topics`);
});
