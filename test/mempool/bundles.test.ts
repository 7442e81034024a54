import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressOf,
  noncesOf,
  PoolWorld,
  poolBundle,
  poolTransaction,
  type TransactionSpec,
} from '../support/worlds/pool-world.js';

const pair = [
  { nonce: 0, tip: 30 },
  { nonce: 1, tip: 10 },
] as const;

test('a bundle is drawn whole and in order, ranked by its mean price', () => {
  const world = new PoolWorld();
  const expensive = world.add({ from: 'carol', tip: 21 });
  const cheap = world.add({ from: 'dave', tip: 19 });
  const bundle = world.addBundle(pair);
  assert.deepEqual(world.select(), [expensive, ...bundle.transactions, cheap]);
  const { bundles } = world.pool.select(world.head);
  assert.deepEqual(bundles, [{ start: 1, length: 2, hashHex: bundle.hashHex }]);
});

test('the mean price weighs gas: an expensive small transaction does not carry a cheap large one', () => {
  const world = new PoolWorld();
  const bundle = world.addBundle([
    { nonce: 0, tip: 100, gas: 30_000 },
    { nonce: 1, tip: 0, gas: 270_000 },
  ]);
  const above = world.add({ from: 'carol', tip: 11 });
  const below = world.add({ from: 'dave', tip: 9 });
  assert.deepEqual(world.select(), [above, ...bundle.transactions, below]);
});

test('a bundle that does not fit in the rest of a block stays out whole and goes into the next', () => {
  const world = new PoolWorld();
  const first = world.add({ from: 'carol', tip: 50, gas: 80_000 });
  const bundle = world.addBundle(pair);
  const small = world.add({ from: 'dave', tip: 1 });
  assert.deepEqual(world.select({ gasLimit: 125_000n }), [first, small], 'gas');
  assert.deepEqual(world.select({ maxBytes: 402 + 200 }), [first, small], 'bytes');
  assert.deepEqual(world.select({ maxTransactions: 2 }), [first, small], 'places');
  world.seal([first, small]);
  assert.deepEqual(world.select({ gasLimit: 125_000n }), bundle.transactions);
});

test('a bundle leaves with any of its transactions, even if it waited before a restart', () => {
  const world = new PoolWorld();
  const bundle = poolBundle(pair);
  const [first, second] = bundle.transactions;
  assert.equal(world.pool.rejectRestoredBundle(bundle), false);
  world.out.set(second?.hashHex ?? '', 'the node ended twice while it was being executed');
  assert.equal(world.pool.rejectRestoredBundle(bundle), true);
  assert.deepEqual(
    world.bundleRemovals.map(({ reason }) => reason),
    ['execution_fault'],
  );
  assert.equal(world.pool.removal(first?.hashHex ?? assert.fail())?.reason, 'execution_fault');
  assert.equal(world.refuseBundle(bundle.transactions), 'already_known');
});

test('bundles get at most half of a block’s gas', () => {
  const world = new PoolWorld({}, { gasLimit: 200_000n });
  const one = world.addBundle([{ gas: 60_000, tip: 9 }]);
  world.addBundle([{ from: 'bob', gas: 60_000, tip: 8 }]);
  const alone = world.add({ from: 'carol', gas: 60_000, tip: 1 });
  assert.deepEqual(world.select(), [...one.transactions, alone]);
  assert.equal(world.refuseBundle([{ from: 'dave', gas: 100_001 }]), 'gas_limit_too_high');
});

test('a bundle for future nonces waits for them', () => {
  const world = new PoolWorld();
  const bundle = world.addBundle([{ nonce: 1 }, { nonce: 2 }]);
  const [second] = bundle.transactions;
  assert.equal(world.pool.get(second?.hashHex ?? assert.fail())?.ready, false);
  assert.equal(world.pool.hasReady(), false);
  const first = world.add({ nonce: 0 });
  assert.deepEqual(world.select(), [first]);
  world.seal([first]);
  assert.equal(world.pool.get(second?.hashHex ?? assert.fail())?.ready, true);
  assert.deepEqual(world.select(), bundle.transactions);
});

test('a lane with a standalone transaction in a block gives no bundle to that block', () => {
  const world = new PoolWorld();
  const alone = world.add({ nonce: 0, tip: 25 });
  world.add({ nonce: 1, tip: 25 });
  world.addBundle(pair);
  assert.equal(world.select()[0], alone);
  assert.deepEqual(noncesOf(world.select()), [0, 1]);
});

test('behind a bundle its lanes are drawn as if it were absent, because it may fail', () => {
  const world = new PoolWorld();
  const alone = world.add({ nonce: 0, tip: 25 });
  const next = world.add({ nonce: 1, tip: 25 });
  const bundle = world.addBundle(pair);
  const costlier = world.addBundle([{ nonce: 0, tip: 40 }]);
  assert.deepEqual(world.select(), [...costlier.transactions, alone, next]);
  world.seal(costlier.transactions);
  assert.equal(world.reasonOf(alone), 'nonce_too_low');
  assert.equal(world.reasonOf(bundle.transactions[0] ?? alone), 'nonce_too_low');
  assert.deepEqual(noncesOf(world.select()), [1], 'the lane continues behind the bundle');
});

test('of two bundles with the same nonce both are tried, and the other leaves once one is included', () => {
  const world = new PoolWorld();
  const cheap = world.addBundle([{ nonce: 0, tip: 1 }]);
  const expensive = world.addBundle([{ nonce: 0, tip: 2 }, { from: 'bob' }]);
  assert.deepEqual(world.select(), [...expensive.transactions, ...cheap.transactions]);
  world.seal(expensive.transactions);
  assert.deepEqual(
    world.bundleRemovals.map(({ bundle, reason }) => [bundle.hashHex, reason]),
    [
      [cheap.hashHex, 'nonce_too_low'],
      [expensive.hashHex, 'included'],
    ],
  );
  assert.deepEqual([world.pool.size, world.pool.stats().bundles, world.pool.stats().bytes], [0, 0, 0]);
});

test('a bundle may put a waiting standalone transaction before its own', () => {
  const world = new PoolWorld();
  const shared = world.add({ from: 'bob', tip: 1 });
  const bundle = world.addBundle([shared, { from: 'alice', tip: 50 }]);
  assert.deepEqual(
    world.select(),
    [...bundle.transactions, shared],
    'also alone, because the bundle may fail',
  );
  assert.deepEqual(
    world.pool.list({ limit: 10 }).transactions.map(({ transaction }) => transaction.hashHex),
    [bundle.transactions[1]?.hashHex, shared.hashHex],
    'listed once',
  );
  world.seal([shared]);
  assert.equal(world.bundleRemovals[0]?.reason, 'nonce_too_low');
});

test('a bundle’s transaction may also be sent alone, by anyone, and survives the bundle’s failure', () => {
  const world = new PoolWorld();
  const made = world.addBundle([
    { from: 'bob', tip: 1 },
    { from: 'mallory', tip: 90 },
  ]);
  const [shared] = made.transactions;
  assert.ok(shared !== undefined);
  assert.ok(world.offer(shared).admitted);
  assert.equal(world.refuse({ from: 'bob', tip: 1 }), 'already_known');
  assert.equal(world.pool.lanesOf(addressOf('bob'))[0]?.pending, 1);
  assert.deepEqual(world.select(), [...made.transactions, shared]);
  world.pool.dropBundle(made.hashHex, 'bundle_failed', 'for the test');
  assert.equal(world.reasonOf(shared), undefined, 'it still waits on its own');
  assert.deepEqual(world.select(), [shared]);
  world.addBundle([shared, { from: 'mallory', nonce: 0, tip: 91 }]);
  world.seal([shared]);
  assert.deepEqual([world.pool.size, world.pool.stats().bundles], [0, 0]);
  assert.equal(world.bundleRemovals.at(-1)?.reason, 'nonce_too_low');
});

test('a transaction that leaves alone stays known while a bundle has it', () => {
  const world = new PoolWorld({ maxTransactions: 8 });
  const shared = world.add({ from: 'bob', nonce: 1 });
  const bundle = world.addBundle([shared, { from: 'mallory' }]);
  world.clockMs = 600_000;
  world.pool.dropOverdue();
  assert.equal(world.removals[0]?.reason, 'expired');
  assert.deepEqual(world.pool.get(shared.hashHex)?.transaction, shared);
  world.pool.dropBundle(bundle.hashHex, 'bundle_failed', 'for the test');
  assert.equal(world.reasonOf(shared), 'bundle_failed');
});

test('a bundle without a last height gets one, and may be sent again with a later one', () => {
  const world = new PoolWorld({ bundleBlocks: 3 });
  const bundle = poolBundle([{ nonce: 1 }]);
  assert.equal(world.pool.withMaxHeight(bundle).maxHeight, 12n);
  assert.equal(world.pool.withMaxHeight(poolBundle([{ nonce: 1 }], 99n)).maxHeight, 99n);
  assert.ok(world.offerBundle(world.pool.withMaxHeight(bundle)).admitted);
  assert.equal(world.refuseBundle([{ nonce: 1 }], 12n), 'already_known');
  assert.equal(world.refuseBundle([{ nonce: 1 }], 11n), 'already_known');
  world.addBundle([{ nonce: 1 }], 13n);
  assert.deepEqual([world.pool.stats().bundles, world.pool.size], [1, 1]);
  for (let block = 0; block < 3; block++) world.seal([]);
  assert.equal(world.pool.stats().bundles, 1);
  world.seal([]);
  assert.equal(world.reasonOf(bundle.transactions[0] ?? assert.fail()), 'expired');
});

test('a waiting bundle is extended by at least a tenth of --bundle-blocks', () => {
  const world = new PoolWorld();
  const bundle = world.addBundle([{ nonce: 1 }], 20n);
  assert.equal(world.refuseBundle([{ nonce: 1 }], 29n), 'already_known');
  const refused = world.offerBundle(poolBundle([{ nonce: 1 }], 21n));
  assert.ok(!refused.admitted);
  assert.match(refused.error.message, /up to height 20; extending it takes a max_height of at least 30$/);
  assert.equal(refused.error.details['needed'], 30n);
  assert.deepEqual(world.offerBundle(poolBundle([{ nonce: 1 }], 30n)), { admitted: true, extended: true });
  assert.equal(world.pool.bundle(bundle.hashHex)?.maxHeight, 30n);
});

test('a bundle can be extended up to the expiry of one of its transactions, however near that is', () => {
  const world = new PoolWorld();
  const members = [{ nonce: 1 }, { from: 'bob', nonce: 1, validUntil: 23 }];
  const bundle = world.addBundle(members, 20n);
  assert.equal(world.refuseBundle(members, 23n), 'already_known');
  world.addBundle(members, 30n);
  assert.equal(world.refuseBundle(members, 99n), 'already_known');
  for (let height = 10; height < 23; height++) world.seal([]);
  assert.equal(world.pool.bundle(bundle.hashHex)?.hashHex, bundle.hashHex);
  world.seal([]);
  assert.equal(world.reasonOf(bundle.transactions[0] ?? assert.fail()), 'expired');
});

test('a bundle sent again is already known', () => {
  const world = new PoolWorld();
  const bundle = world.addBundle(pair);
  assert.equal(world.refuseBundle(pair), 'already_known');
  world.pool.dropBundle(bundle.hashHex, 'bundle_failed', 'for the test');
  assert.equal(world.reasonOf(bundle.transactions[0] ?? assert.fail()), 'bundle_failed');
  world.add(pair[0]);
});

test('bundles do not advance the next nonce of a sender’s account', () => {
  const world = new PoolWorld();
  world.addBundle(pair);
  assert.equal(world.pool.nextNonce(addressOf('alice'), 0), 0n);
  assert.equal(world.pool.hasPending(addressOf('alice')), false);
  world.add({ nonce: 0, tip: 11 });
  assert.equal(world.pool.nextNonce(addressOf('alice'), 0), 1n);
});

test('a bundle leaves past its last height or that of one of its transactions', () => {
  const world = new PoolWorld();
  const limited = world.addBundle([{ nonce: 0 }], 10n);
  const member = world.addBundle([{ from: 'bob' }, { from: 'carol', validUntil: 11 }]);
  assert.equal(world.refuseBundle([{ nonce: 0, tip: 1 }], 9n), 'expired');
  world.seal([]);
  assert.equal(world.reasonOf(limited.transactions[0] ?? assert.fail()), 'expired');
  assert.deepEqual(world.select(), member.transactions);
  world.seal([]);
  assert.deepEqual(
    member.transactions.map((transaction) => world.reasonOf(transaction)),
    ['expired', 'expired'],
  );
});

test('a bundle is refused for any reason that refuses one of its transactions, which it names', () => {
  const world = new PoolWorld();
  const result = world.offerBundle(poolBundle([{ nonce: 0 }, { from: 'bob', gas: 1 }]));
  assert.ok(!result.admitted);
  assert.equal(result.error.reason, 'gas_limit_too_low');
  assert.equal(result.error.details['index'], 1);
  assert.match(result.error.message, /^transaction 1 of the bundle: /);
  world.accounts.setNonce('alice', 0, 3n);
  assert.equal(world.refuseBundle([{ nonce: 2 }]), 'nonce_too_low');
  assert.equal(world.refuseBundle([{ nonce: 3 }, { nonce: 5 }]), 'nonce_gap_too_large');
  assert.equal(world.refuseBundle([{ nonce: 3 }, { nonce: 3, tip: 1 }]), 'nonce_too_low');
  assert.equal(world.refuseBundle([{ nonce: 3 + 65 }]), 'nonce_gap_too_large');
  assert.equal(world.refuseBundle([{ from: 'bob', chainId: 9n }]), 'wrong_chain');
  world.accounts.setLanesUsed('carol', 255);
  assert.equal(
    world.refuseBundle([
      { from: 'carol', lane: 7 },
      { from: 'carol', lane: 8 },
    ]),
    'too_many_lanes',
  );
});

test('balances are tracked through the bundle: a transfer’s amount can be spent by the next member', () => {
  const world = new PoolWorld();
  world.accounts.setBalance('bob', 0n);
  assert.equal(world.refuseBundle([{ from: 'bob' }]), 'insufficient_balance');
  const cost = 30_000n * 1_000n + 1n;
  assert.equal(world.refuseBundle([{ amount: cost - 1n }, { from: 'bob' }]), 'insufficient_balance');
  world.addBundle([{ amount: cost }, { from: 'bob' }]);
  const call = {
    type: 'call',
    value: { contract: new Uint8Array(20), input: new Uint8Array(0), value: 0n },
  } as const;
  world.addBundle([{ from: 'carol', gas: 50_000, action: call }, { from: 'bob' }]);
});

test('a bundle whose sender’s balance drops too low waits until it is restored', () => {
  const world = new PoolWorld();
  const bundle = world.addBundle(pair);
  world.accounts.setBalance('alice', 1n);
  world.seal([], { changed: ['alice'] });
  assert.deepEqual(world.select(), []);
  world.accounts.setBalance('alice', 10n ** 12n);
  world.seal([], { changed: ['alice'] });
  assert.deepEqual(world.select(), bundle.transactions);
});

test('a bundle below the base fee waits until it covers it', () => {
  const world = new PoolWorld();
  const bundle = world.addBundle([
    { nonce: 0, maxFee: 100 },
    { nonce: 1, maxFee: 50, tip: 1 },
  ]);
  world.seal([], { baseFee: 51n });
  assert.equal(world.pool.hasReady(), false);
  assert.deepEqual(world.select(), []);
  world.seal([], { baseFee: 50n });
  assert.deepEqual(world.select(), bundle.transactions);
});

test('a bundle that failed waits until an account of its senders changes', () => {
  const world = new PoolWorld();
  const bundle = world.addBundle(pair);
  world.pool.parkBundle(bundle.hashHex);
  assert.equal(world.pool.hasReady(), false);
  world.seal([], { changed: ['bob'] });
  assert.deepEqual(world.select(), []);
  world.seal([], { changed: ['alice'] });
  assert.deepEqual(world.select(), bundle.transactions);
});

test('bundles have a quarter of the pool and evict only each other', () => {
  const world = new PoolWorld({ maxTransactions: 16 });
  const alone = world.add({ from: 'carol', tip: 1 });
  const cheap = world.addBundle([{ tip: 5 }, { nonce: 1, tip: 5 }]);
  const later = world.addBundle([{ from: 'dave', nonce: 1, tip: 50 }]);
  world.addBundle([{ from: 'bob', tip: 6 }]);
  assert.equal(world.refuseBundle([{ from: 'eve', nonce: 1, tip: 50 }]), 'pool_full');
  world.addBundle([{ from: 'eve', tip: 6 }]);
  assert.equal(
    world.reasonOf(later.transactions[0] ?? alone),
    'evicted',
    'the waiting one is evicted first, at any price',
  );
  assert.equal(world.refuseBundle([{ from: 'grace', tip: 5 }]), 'pool_full');
  world.addBundle([{ from: 'frank', tip: 7 }]);
  assert.deepEqual(
    cheap.transactions.map((transaction) => world.reasonOf(transaction)),
    ['evicted', 'evicted'],
  );
  assert.ok(world.pool.get(alone.hashHex) !== undefined);
  assert.equal(
    world.refuseBundle(Array.from({ length: 5 }, (_, nonce) => ({ nonce, tip: 90 }))),
    'over_pool_limit',
  );
  assert.deepEqual([world.pool.stats().bundles, world.pool.size], [3, 4]);
});

test('a pool full of standalone transactions accepts no bundle, however expensive', () => {
  const world = new PoolWorld({ maxTransactions: 4 });
  for (let nonce = 0; nonce < 4; nonce++) world.add({ nonce });
  assert.equal(world.refuseBundle([{ from: 'bob', tip: 999 }]), 'pool_full');
  assert.equal(world.pool.get(poolTransaction({ nonce: 0 }).hashHex)?.ready, true);
});

test('after a transaction that runs code, a member may cost at most the sum of all accounts’ balances', () => {
  const world = new PoolWorld();
  const batch = { type: 'batch', value: [] } as const;
  const { supply } = world.accounts;
  const most = supply / 30_000n;
  const behind = (member: TransactionSpec) => [
    { nonce: 0, action: batch },
    { from: 'bob', ...member },
  ];
  world.addBundle(behind({ maxFee: most, amount: 0 }));
  const refused: TransactionSpec[] = [
    { maxFee: most + 1n },
    { maxFee: 2n ** 128n - 1n, tip: 2n ** 128n - 1n },
    { amount: supply },
    { maxFee: most, action: { type: 'batch', value: [] }, gas: 30_001 },
  ];
  for (const member of refused) assert.equal(world.refuseBundle(behind(member)), 'insufficient_balance');
  const late = [{ nonce: 0, action: batch }, { nonce: 1 }, { nonce: 2, maxFee: 2n ** 128n - 1n }];
  assert.equal(world.refuseBundle(late), 'insufficient_balance');
});
