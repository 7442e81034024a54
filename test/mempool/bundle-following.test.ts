import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AddressHex } from '../../src/ledger/hex-types.js';
import { addressOf, PoolWorld, poolTransaction, TestAccounts } from '../support/worlds/pool-world.js';

/** Accounts that count their reads. */
class CountedAccounts extends TestAccounts {
  asked = 0;

  override nextNonce(address: AddressHex, lane: number): bigint {
    this.asked++;
    return super.nextNonce(address, lane);
  }

  override balance(address: AddressHex): bigint {
    this.asked++;
    return super.balance(address);
  }
}

function counted() {
  const accounts = new CountedAccounts();
  const world = new PoolWorld({}, {}, accounts);
  const askedBy = (act: () => void): number => {
    accounts.asked = 0;
    act();
    return accounts.asked;
  };
  return { accounts, world, askedBy };
}

test('a block that changes an account makes one query per lane for all bundles waiting on its nonces', () => {
  const { world, askedBy } = counted();
  for (let tip = 1; tip <= 200; tip++) {
    world.addBundle([1, 2, 3].map((nonce) => ({ nonce, tip })));
    world.addBundle([
      { lane: 5, nonce: 1, tip },
      { from: 'bob', nonce: 1 + (tip % 60) },
    ]);
  }
  assert.ok(askedBy(() => world.seal([], { changed: ['alice'] })) <= 2);
  assert.ok(askedBy(() => world.seal([], { changed: ['nobody'] })) === 0);
});

test('bundles that wait for no nonce cost one read per changed account, however many they are', () => {
  const { accounts, world, askedBy } = counted();
  const bundles = Array.from({ length: 200 }, (_, index) =>
    world.addBundle([{ tip: 1 + index }, ...[1, 2, 3].map((one) => ({ from: `${one}`, tip: 1 + index }))]),
  );
  accounts.setBalance('2', 1n);
  assert.ok(askedBy(() => world.seal([], { changed: ['alice', '2'] })) <= 4);
  assert.equal(world.pool.stats().ready, 0, 'one of their senders cannot pay');
  accounts.setBalance('2', 10n ** 12n);
  assert.ok(askedBy(() => world.seal([], { changed: ['2'] })) <= 2);
  assert.equal(world.pool.stats().ready, 800);
  assert.equal(world.pool.stats().bundles, bundles.length);
});

test('a transaction in many bundles stays known until the last of them has left', () => {
  const world = new PoolWorld();
  const shared = poolTransaction({ from: 'victim', nonce: 1 });
  const bundles = [1, 2, 3, 4, 5].map((index) => world.addBundle([shared, { from: `${index}` }]));
  const oldest = () =>
    world.pool.list({ limit: 20 }).transactions.filter(({ transaction }) => transaction === shared);
  const [first, second, third, fourth, fifth] = bundles.map(({ hashHex }) => hashHex);
  assert.ok(first && second && third && fourth && fifth);
  for (const gone of [third, first, fifth, second]) {
    world.pool.dropBundle(gone, 'bundle_failed', 'for the test');
    assert.equal(oldest().length, 1, 'listed once, whichever bundles have it');
    assert.equal(world.reasonOf(shared), undefined);
  }
  world.pool.dropBundlesWith(shared.hashHex, 'bundle_failed', 'for the test');
  assert.equal(world.pool.size, 0);
  assert.equal(world.reasonOf(shared), 'bundle_failed');
});

test('a block that uses the nonce of a shared transaction takes out every bundle that has it', () => {
  const world = new PoolWorld();
  const shared = poolTransaction({ from: 'victim', nonce: 0 });
  for (let index = 0; index < 300; index++) world.addBundle([shared, { from: `${index}`, nonce: 1 }]);
  const other = world.addBundle([{ from: 'victim', nonce: 1 }]);
  world.seal([shared]);
  assert.deepEqual(world.select(), other.transactions, 'the next nonce has come');
  assert.equal(world.bundleRemovals.length, 300);
  assert.ok(world.bundleRemovals.every(({ reason }) => reason === 'nonce_too_low'));
  assert.match(
    world.bundleRemovals[0]?.message ?? '',
    /^transaction 0 of the bundle: nonce 0 of lane 0 is used already; the account's next is 1$/,
  );
});

test('the newest of a large share of the pool are listed in order, page by page', () => {
  const world = new PoolWorld();
  const own: string[] = [];
  for (let index = 0; index < 400; index++) {
    if (index % 3 === 0)
      own.unshift(world.add({ from: 'old', lane: index % 5, nonce: Math.floor(index / 15) }).hashHex);
    else world.add({ from: `${index}` });
  }
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const page = world.pool.list({
      sender: addressOf('old'),
      limit: 9,
      ...(cursor === undefined ? {} : { cursor }),
    });
    listed.push(...page.transactions.map(({ transaction }) => transaction.hashHex));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(listed, own);
});
