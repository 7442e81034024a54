import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AddressHex } from '../../src/ledger/hex-types.js';
import { createPendingSendersMemory, PendingSenders } from '../../src/mempool/pending-senders.js';

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('hex') as AddressHex);

test('a sender with pending transactions is never taken for one without', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(address, { maxLength: 200 }),
      fc.infiniteStream(fc.boolean()),
      (all, leaves) => {
        const memory = createPendingSendersMemory();
        const pool = new PendingSenders(memory);
        const reader = new PendingSenders(memory);
        for (const each of all) pool.set(each, true);
        const left = all.filter(() => leaves.next().value);
        for (const each of left) pool.set(each, false);
        for (const each of all) if (!left.includes(each)) assert.ok(reader.mayHave(each));
        for (const each of all) if (!left.includes(each)) pool.set(each, false);
        for (const each of all) assert.ok(!reader.mayHave(each), 'nothing waits any more');
      },
    ),
  );
});
