// Blocks and results survive the transfer to a worker and back unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ExecutedBlock } from '../../src/execution/block-execution.js';
import { packBlock, packCandidates, unpackBlock, unpackCandidates } from '../../src/execution/block-wire.js';
import { EMPTY_ACCOUNT } from '../../src/ledger/accounts.js';
import { ledger } from '../../src/ledger/codecs.js';

const bytes = (maxLength = 300) => fc.uint8Array({ maxLength });
const exactly = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = exactly(20).map((name) => Buffer.from(name).toString('hex'));

const slot = fc.record({
  key: exactly(32),
  previous: fc.option(bytes(), { nil: undefined }),
  value: fc.option(bytes(), { nil: undefined }),
});
const newSlot = fc.record({
  key: exactly(32),
  previous: fc.constant(undefined),
  value: bytes(),
  name: exactly(52),
});
const account = fc
  .record({
    key: exactly(32),
    previous: fc.option(bytes(), { nil: undefined }),
    address,
    record: fc.option(
      fc.record(
        {
          balance: fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
          lanes: fc.constant([{ lane: 3, next_nonce: 7n }]),
          deploy_index: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        },
        { noNullPrototype: true },
      ),
      { nil: undefined },
    ),
  })
  .map(({ key, previous, address: name, record }) => ({
    key,
    previous,
    value: record === undefined ? undefined : Uint8Array.from(ledger.AccountRecord.encode(record)),
    account: { address: name, record: record ?? EMPTY_ACCOUNT },
  }));

const executed: fc.Arbitrary<ExecutedBlock> = fc
  .record({
    pairs: fc.array(fc.tuple(bytes(), bytes())),
    writes: fc.array(fc.oneof(slot, newSlot, account)),
    gasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    events: fc.array(
      fc.record({
        index: fc.nat(100_000),
        logs: fc.array(
          fc.record({
            contract: exactly(20),
            topics: fc.array(exactly(32), { maxLength: 4 }),
            data: bytes(),
          }),
        ),
      }),
    ),
    payments: fc.array(
      fc.record({
        index: fc.nat(100_000),
        paid: fc.array(
          fc.record({
            to: exactly(20).map((bytes) => Buffer.from(bytes).toString('hex')),
            amount: fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
          }),
        ),
      }),
    ),
  })
  .map(({ pairs, writes, gasUsed, events, payments }) => ({
    writes: writes.map((write) => ({ ...write })),
    gasUsed,
    events: events.map(({ index, logs }) => ({ index, logs: logs.map((log) => ({ ...log })) })),
    receipts: pairs.map(([receipt]) => receipt),
    storedReceipts: pairs.map(([, receipt]) => receipt),
    excluded: [{ index: 3, problem: 'block_full' }],
    failedBundles: [],
    codes: [{ hash: new Uint8Array(32), bytes: Uint8Array.of(1) }],
    idls: [],
    contractTransactions: new Map([['ab'.repeat(20), [0, 2]]]),
    payments: payments.map(({ index, paid }) => ({ index, paid: paid.map((each) => ({ ...each })) })),
  }));

test('an executed block survives encoding, also as a copy in another thread', () => {
  fc.assert(
    fc.property(executed, (block) => {
      assert.deepEqual(unpackBlock(structuredClone(packBlock(block))), block);
    }),
  );
});

test('candidates survive encoding', () => {
  fc.assert(
    fc.property(fc.array(bytes()), (transactions) => {
      const bundles = transactions.length < 2 ? [] : [{ start: 0, length: 2 }];
      const unpacked = unpackCandidates(structuredClone(packCandidates({ transactions, bundles })));
      assert.deepEqual(unpacked, { transactions, bundles });
    }),
  );
});

test('values that outlive their block retain nothing else of it', () => {
  const key = new Uint8Array(32).fill(5);
  const record = { balance: 1n, lanes: [], deploy_index: 0n };
  const value = Uint8Array.from(ledger.AccountRecord.encode(record));
  const block: ExecutedBlock = {
    excluded: [],
    failedBundles: [],
    receipts: [new Uint8Array(100_000)],
    storedReceipts: [new Uint8Array(100_000)],
    gasUsed: 0n,
    writes: [{ key, previous: undefined, value, account: { address: 'ab'.repeat(20), record } }],
    codes: [],
    idls: [],
    contractTransactions: new Map(),
    events: [],
    payments: [],
  };
  const [write] = unpackBlock(packBlock(block)).writes;
  assert.equal(write?.key.buffer.byteLength, 32);
});
