import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressHex, bundleHashHex, transactionHashHex } from '../../src/ledger/hex-types.js';
import { addressOf, PoolWorld, poolBundle } from '../support/worlds/pool-world.js';

test('names are lowercase hex digits without prefix', () => {
  assert.equal(addressHex(new Uint8Array(20).fill(0xab)), 'ab'.repeat(20));
  assert.equal(transactionHashHex(new Uint8Array(32).fill(0xcd)), 'cd'.repeat(32));
  assert.equal(bundleHashHex(new Uint8Array(32).fill(0x0f)), '0f'.repeat(32));
});

/** The test is that this compiles: a line below that needs no `@ts-expect-error` fails the build. */
test('neither plain text nor another kind of name passes as an address or a hash', () => {
  const { pool, accounts } = new PoolWorld();
  const bundle = poolBundle([{ nonce: 0 }]);
  const [transaction = assert.fail()] = bundle.transactions;
  const address = addressOf('alice');

  // @ts-expect-error plain text
  assert.equal(pool.get('ab'.repeat(32)), undefined);
  // @ts-expect-error a bundle's hash is not a transaction's
  assert.equal(pool.get(bundle.hashHex), undefined);
  // @ts-expect-error an address is not a hash
  assert.equal(pool.standalone(address), undefined);
  // @ts-expect-error a transaction's hash is not a bundle's
  assert.equal(pool.bundle(transaction.hashHex), undefined);
  // @ts-expect-error an address is neither kind of hash
  assert.equal(pool.isDrawable(address), false);
  // @ts-expect-error a bundle's hash is not a transaction's
  assert.equal(pool.drop(bundle.hashHex, 'evicted', ''), false);
  // @ts-expect-error a transaction's hash is not a bundle's
  assert.equal(pool.dropBundle(transaction.hashHex, 'evicted', ''), false);
  // @ts-expect-error a hash is not an address
  assert.equal(pool.hasPending(transaction.hashHex), false);
  // @ts-expect-error a hash is not an address
  assert.equal(accounts.balance(transaction.hashHex), accounts.balance(address));
  // @ts-expect-error a hash is not an address
  assert.deepEqual(pool.list({ sender: transaction.hashHex, limit: 1 }).transactions, []);
});
