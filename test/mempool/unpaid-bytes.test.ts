import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnpaidBytes } from '../../src/mempool/unpaid-bytes.js';
import { poolBundle, poolTransaction } from '../support/worlds/pool-world.js';

function counting(maxClients = 10) {
  const clock = { ms: 0 };
  const unpaid = new UnpaidBytes({ burst: 1_000, perSecond: 100, maxClients }, () => clock.ms);
  const lose = (client: string, bytes: number) => {
    const transaction = poolTransaction({ nonce: clock.ms });
    unpaid.recordSubmitter(transaction, client);
    unpaid.recordUnpaid(transaction, bytes);
  };
  return { clock, unpaid, lose };
}

test('a client whose bytes leave unpaid is refused beyond the limit, and accepted again with time', () => {
  const { clock, unpaid, lose } = counting();
  lose('a', 999);
  assert.equal(unpaid.refusal('a'), undefined);
  lose('a', 200);
  const refused = unpaid.refusal('a');
  assert.equal(refused?.reason, 'pool_full');
  assert.match(refused?.message ?? '', /^1199 bytes .* may send more in 2 s$/);
  assert.deepEqual(refused?.details, { bytes: 1_199, limit: 1_000, retry_after_ms: 2_000 });
  assert.equal(unpaid.refusal('b'), undefined, 'others are not');
  clock.ms = 2_000;
  assert.equal(unpaid.refusal('a'), undefined);
});

test('bytes that leave at once block their client for at most twice the time of the limit', () => {
  const { clock, unpaid, lose } = counting();
  lose('a', 1_000_000);
  assert.equal(unpaid.refusal('a')?.details['retry_after_ms'], 11_000);
  clock.ms = 11_000;
  assert.equal(unpaid.refusal('a'), undefined);
});

test('a bundle counts for the client that made it, not for the senders of its transactions', () => {
  const { unpaid } = counting();
  const shared = poolTransaction({ from: 'victim' });
  const bundle = poolBundle([shared, { from: 'mallory' }]);
  unpaid.recordSubmitter(shared, 'victim');
  unpaid.recordSubmitter(bundle.transactions, 'mallory');
  unpaid.recordUnpaid(bundle.transactions, 5_000);
  assert.equal(unpaid.refusal('victim'), undefined);
  assert.equal(unpaid.refusal('mallory')?.reason, 'pool_full');
});

test('bytes without a client, as after a restart, count for none, and the least recent client is forgotten', () => {
  const { unpaid, lose } = counting(1);
  unpaid.recordUnpaid(poolTransaction(), 5_000);
  lose('a', 5_000);
  lose('b', 5_000);
  assert.equal(unpaid.refusal('a'), undefined);
  assert.equal(unpaid.refusal('b')?.reason, 'pool_full');
});
