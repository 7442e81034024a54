// Envelopes in the pool: they compete for the opening slots of a block and of a height, and wait for the price.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SLOTS } from '../../src/ledger/constants.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { type EnvelopeSpec, PoolWorld, poolEnvelope } from '../support/worlds/pool-world.js';

const SLOT_PRICE = 2_000_000n;

function put(world: PoolWorld, spec: EnvelopeSpec): VerifiedTransaction {
  const envelope = poolEnvelope(spec);
  const result = world.offer(envelope);
  if (!result.admitted) throw result.error;
  return envelope;
}

function refusal(world: PoolWorld, spec: EnvelopeSpec): string | undefined {
  return world.pool.precheck(poolEnvelope(spec))?.reason;
}

const hashes = (transactions: readonly VerifiedTransaction[]) => transactions.map(({ hashHex }) => hashHex);

test('the highest tip per slot gets the slots of a block', () => {
  const world = new PoolWorld();
  const squatter = put(world, { from: 'squatter', opensAt: 20, slots: 16, tip: 100 });
  const victim = put(world, { from: 'victim', opensAt: 30, tip: 7 });
  // 100 / 16 is less than 7.
  assert.deepEqual(hashes(world.select()), [victim.hashHex]);
  world.seal([victim]);
  assert.deepEqual(hashes(world.select()), [squatter.hashHex]);
});

test('tips per slot compare exactly, and equal ones by arrival', () => {
  const world = new PoolWorld();
  const three = put(world, { from: 'a', opensAt: 20, slots: 9, tip: 9 });
  const two = put(world, { from: 'b', opensAt: 30, slots: 8, tip: 9 });
  const late = put(world, { from: 'c', opensAt: 40, slots: 8, tip: 9 });
  assert.deepEqual(hashes(world.select()), [two.hashHex, late.hashHex]);
  world.seal([two, late]);
  assert.deepEqual(hashes(world.select()), [three.hashHex]);
});

test('the highest tip per slot gets the slots of a height, and those before the block count', () => {
  const world = new PoolWorld();
  const low = put(world, { from: 'low', opensAt: 20, slots: 2, tip: 5 });
  const high = put(world, { from: 'high', opensAt: 20, slots: 3, tip: 9 });
  world.reserved.set(20n, 12);
  assert.deepEqual(hashes(world.select()), [high.hashHex]);
  world.reserved.set(20n, 11);
  assert.deepEqual(hashes(world.select()), [high.hashHex, low.hashHex]);
});

test('slots left by better envelopes go to smaller ones and to those that become ready in the block', () => {
  const world = new PoolWorld();
  const big = put(world, { from: 'big', opensAt: 20, slots: 10, tip: 50 });
  const next = put(world, { from: 'big', opensAt: 21, nonce: 1, slots: 6, tip: 5 });
  const tooBig = put(world, { from: 'other', opensAt: 22, slots: 7, tip: 1 });
  assert.deepEqual(hashes(world.select()), [big.hashHex, next.hashHex]);
  assert.notEqual(world.pool.get(tooBig.hashHex), undefined);
  const behind = new PoolWorld();
  const open = behind.add({ from: 'mixed', tip: 1 });
  const sealed = put(behind, { from: 'mixed', opensAt: 20, nonce: 1, slots: 16, tip: 1 });
  assert.deepEqual(hashes(behind.select()), [open.hashHex, sealed.hashHex]);
});

test('envelopes with slots take their places among other transactions by tip', () => {
  const world = new PoolWorld();
  const cheap = world.add({ from: 'cheap', tip: 1 });
  const sealed = put(world, { from: 'sealed', opensAt: 20, slots: 4, tip: 5 });
  const dear = world.add({ from: 'dear', tip: 9 });
  assert.deepEqual(hashes(world.select()), [dear.hashHex, sealed.hashHex, cheap.hashHex]);
});

test('thousands of envelopes for a full height keep no other envelope out', () => {
  const world = new PoolWorld();
  for (let place = 0; place < 2_000; place++) {
    put(world, { from: `squatter ${place}`, opensAt: 20, maxFee: 3_000, tip: 900 + place });
  }
  world.reserved.set(20n, 16);
  const victim = put(world, { from: 'victim', opensAt: 21, tip: 1 });
  const draw = world.pool.draw({ ...world.head, reservedAt: (height) => world.reserved.get(height) ?? 0 });
  const { transactions } = draw.next({ gasLeft: world.head.gasLimit, bundleGas: 0n });
  assert.deepEqual(hashes(transactions), [victim.hashHex]);
  world.pool.dropWithoutRoom(draw);
  assert.equal(world.pool.size, 1);
  assert.deepEqual(new Set(world.removals.map(({ reason }) => reason)), new Set(['pool_full']));
  assert.match(world.removals[0]?.message ?? '', /height 20 has 0 left/);
});

for (const slots of [3, 5, 6, 7, 9, 11, 15]) {
  test(`hundreds of envelopes of ${slots} slots keep out no smaller one, and the blocks are full`, () => {
    const world = new PoolWorld();
    for (let place = 0; place < 300; place++)
      put(world, { from: `squatter ${place}`, opensAt: 100 + place, slots, tip: 1 });
    for (let block = 0; block < 5; block++) {
      const victims = Array.from({ length: MAX_SLOTS % slots }, (_, one) =>
        put(world, { from: `victim ${block} ${one}`, opensAt: 90, tip: 0 }),
      );
      const drawn = world.select({ gasLimit: 10n ** 12n });
      assert.equal(drawn.length, Math.floor(MAX_SLOTS / slots) + victims.length);
      for (const victim of victims) assert.ok(drawn.includes(victim));
      world.seal(drawn);
    }
  });
}

test('hundreds of envelopes for a height that the block fills keep no other envelope out', () => {
  const world = new PoolWorld();
  world.reserved.set(20n, 12);
  for (let place = 0; place < 900; place++)
    put(world, { from: `squatter ${place}`, opensAt: 20, slots: 3, tip: 1 + place });
  const victim = put(world, { from: 'victim', opensAt: 21, tip: 0 });
  const drawn = world.select();
  assert.equal(drawn.length, 2);
  assert.ok(drawn.includes(victim));
});

test('an envelope whose max_seal_fee is below the present price waits until the price falls', () => {
  const world = new PoolWorld({}, { slotPrice: 3n * SLOT_PRICE });
  const envelope = put(world, { opensAt: 20, slots: 2, maxSealFee: 4n * SLOT_PRICE });
  assert.equal(world.pool.hasReady(), false);
  assert.deepEqual(world.select(), []);
  // Empty blocks lower seal_excess, and the base fee of 1 may even be 2.
  assert.equal(world.pool.heldBackFee(), 2n);
  world.seal([], { slotPrice: 2n * SLOT_PRICE + 1n });
  assert.deepEqual(world.select(), []);
  assert.equal(world.pool.heldBackFee(), 2n);
  world.seal([], { slotPrice: 2n * SLOT_PRICE });
  assert.equal(world.pool.hasReady(), true);
  assert.deepEqual(hashes(world.select()), [envelope.hashHex]);
  assert.equal(world.pool.isDrawable(envelope.hashHex), true);
});

test('an envelope waits for empty blocks only if they bring the price down to its limit', () => {
  const heldBack = (baseFee: bigint, multiple: bigint, spec: Omit<EnvelopeSpec, 'opensAt'>) => {
    const world = new PoolWorld({}, { baseFee, slotPrice: multiple * baseFee * SLOT_PRICE });
    put(world, { ...spec, opensAt: 20 });
    return world.pool.heldBackFee();
  };
  const limit = (price: bigint) => ({ maxSealFee: price * SLOT_PRICE });
  // The base fee falls to 7, but not below.
  assert.equal(heldBack(100n, 1n, limit(7n)), 7n);
  assert.equal(heldBack(100n, 1n, limit(6n)), undefined);
  assert.equal(heldBack(100n, 3n, limit(120n)), 120n);
  assert.equal(heldBack(100n, 3n, { ...limit(120n), maxFee: 6, tip: 1 }), undefined);
  assert.equal(heldBack(5n, 3n, limit(5n)), 5n);
  assert.equal(heldBack(5n, 3n, limit(4n)), undefined);
  assert.equal(heldBack(5n, 3n, limit(15n)), undefined);
});

test('an envelope that empty blocks help is found behind others that they do not help', () => {
  const world = new PoolWorld({}, { baseFee: 100n, slotPrice: 300n * SLOT_PRICE });
  put(world, { from: 'low fee', opensAt: 20, maxFee: 5, tip: 1 });
  put(world, { from: 'low limit', opensAt: 20, maxSealFee: 6n * SLOT_PRICE });
  world.add({ from: 'open', maxFee: 6, tip: 1 });
  assert.equal(world.pool.heldBackFee(), undefined);
  put(world, { from: 'waiting', opensAt: 20, maxSealFee: 10n * SLOT_PRICE });
  assert.equal(world.pool.heldBackFee(), 10n);
});

test('a max_seal_fee below every price is refused', () => {
  const world = new PoolWorld();
  assert.equal(refusal(world, { opensAt: 20, slots: 3, maxSealFee: 3n * SLOT_PRICE - 1n }), 'fee_too_low');
  assert.equal(refusal(world, { opensAt: 20, slots: 3, maxSealFee: 3n * SLOT_PRICE }), undefined);
});

test('an envelope that no height can open, or for which its height has no room, is refused', () => {
  const world = new PoolWorld();
  assert.equal(refusal(world, { opensAt: 20, slots: 17 }), 'gas_limit_too_high');
  assert.equal(refusal(world, { opensAt: 20, slots: 16 }), undefined);
  world.reserved.set(20n, 14);
  assert.equal(refusal(world, { opensAt: 20, slots: 3 }), 'pool_full');
  assert.equal(refusal(world, { opensAt: 20, slots: 2 }), undefined);
  assert.equal(refusal(world, { opensAt: 21, slots: 3 }), undefined);
});

/** Data of the refusal for lack of slots. */
function roomRefusal(world: PoolWorld, spec: EnvelopeSpec): unknown {
  const error = world.pool.precheck(poolEnvelope(spec));
  if (error?.reason !== 'pool_full') return error?.reason;
  const offered = world.offer(poolEnvelope(spec));
  assert.ok(!offered.admitted && offered.error.message === error.message);
  return error.details;
}

test('of 40 envelopes offered to one height at once, it admits as many as it has slots', () => {
  const world = new PoolWorld();
  world.reserved.set(20n, 2);
  const offers = Array.from({ length: 40 }, (_, one) => poolEnvelope({ from: `user ${one}`, opensAt: 20 }));
  assert.deepEqual(
    offers.map((envelope) => world.pool.precheck(envelope)),
    offers.map(() => undefined),
  );
  const answers = offers.map((envelope) => world.offer(envelope));
  assert.equal(answers.filter(({ admitted }) => admitted).length, 14);
  for (const answer of answers.slice(14)) {
    assert.ok(!answer.admitted);
    const { reason, details, message } = answer.error;
    assert.equal(reason, 'pool_full');
    assert.deepEqual(details, { opens_at: 20n, slots: 1, free: 0, next_height: 10n });
    assert.match(message, /height 20 has 0 left beside the pending envelopes .*: seal to another height/);
  }
  const first = world.select();
  assert.equal(first.length, 12);
  world.seal(first);
  world.reserved.set(20n, 14);
  assert.notEqual(roomRefusal(world, { from: 'late', opensAt: 20, tip: 10 }), undefined);
  assert.equal(world.select().length, 2);
  assert.equal(world.removals.filter(({ reason }) => reason !== 'included').length, 0);
});

test('pending envelopes take the slots of their height from those of at most the same tip per slot', () => {
  const world = new PoolWorld();
  put(world, { from: 'nine', opensAt: 20, slots: 9, tip: 90 });
  put(world, { from: 'ten', opensAt: 20, slots: 10, tip: 101 });
  put(world, { from: 'three', opensAt: 20, slots: 3, tip: 60 });
  const room = (slots: number, tip: number) => roomRefusal(world, { from: 'new', opensAt: 20, slots, tip });
  const refused = (slots: number, free: number) => ({ opens_at: 20n, slots, free, next_height: 10n });
  // 3 slots at 20 each and 10 at 10.1 each are taken first; the 9 at 10 each then do not fit.
  assert.deepEqual(room(4, 40), refused(4, 3));
  assert.equal(room(3, 0), undefined);
  assert.equal(room(6, 61), undefined);
  assert.equal(room(13, 263), undefined);
  assert.deepEqual(room(14, 280), refused(14, 13));
  assert.equal(room(16, 321), undefined);
  assert.equal(roomRefusal(world, { from: 'new', opensAt: 21, slots: 16, tip: 0 }), undefined);
});

test('envelopes that no block can include yet keep no other out of their height', () => {
  const world = new PoolWorld({}, { baseFee: 5n, slotPrice: 5n * SLOT_PRICE });
  const sixteen = { opensAt: 20, slots: 16, tip: 1_000, maxFee: 1_000 };
  const victim = { from: 'victim', opensAt: 20, tip: 0 };
  put(world, { ...sixteen, from: 'gapped', nonce: 1 });
  put(world, { ...sixteen, from: 'cheap', maxSealFee: 16n * SLOT_PRICE });
  put(world, { ...sixteen, from: 'poor', maxFee: 4, tip: 4 });
  world.add({ from: 'behind', maxFee: 4, tip: 4 });
  put(world, { ...sixteen, from: 'behind', nonce: 1 });
  assert.equal(roomRefusal(world, victim), undefined);
  // The gap closes, and the envelope counts for no more than the tip before it.
  const before = world.add({ from: 'gapped', tip: 3 });
  assert.notEqual(roomRefusal(world, { ...victim, tip: 0 }), undefined);
  assert.equal(roomRefusal(world, { ...victim, tip: 1 }), undefined);
  world.seal([before]);
  assert.notEqual(roomRefusal(world, { ...victim, tip: 62 }), undefined);
  assert.equal(roomRefusal(world, { ...victim, tip: 63 }), undefined);
});

test('an envelope may replace its predecessor at the same full height', () => {
  const world = new PoolWorld();
  const present = put(world, { from: 'a', opensAt: 20, slots: 10, tip: 10 });
  put(world, { from: 'b', opensAt: 20, slots: 6, tip: 60 });
  const next = { from: 'a', opensAt: 20, tip: 20, maxFee: 2_000 };
  assert.notEqual(roomRefusal(world, { ...next, slots: 11 }), undefined);
  assert.notEqual(roomRefusal(world, { ...next, from: 'c', slots: 10, tip: 9 }), undefined);
  put(world, { ...next, slots: 10 });
  assert.equal(world.reasonOf(present), 'replaced');
});

test('the pending cost of a sender includes max_seal_fee', () => {
  const world = new PoolWorld();
  const spec = { opensAt: 20, maxFee: 10, maxSealFee: 5n * SLOT_PRICE };
  const cost = poolEnvelope(spec).signed.transaction.gas_limit * 10n + 5n * SLOT_PRICE;
  world.accounts.setBalance('alice', cost - 1n);
  assert.equal(refusal(world, spec), 'insufficient_balance');
  world.accounts.setBalance('alice', cost);
  put(world, spec);
  assert.equal(refusal(world, { ...spec, nonce: 1 }), 'insufficient_balance');
});

test('a full pool evicts an envelope below the present price before a transaction that can be included', () => {
  const world = new PoolWorld({ maxTransactions: 2 }, { slotPrice: 2n * SLOT_PRICE });
  const waiting = put(world, { from: 'waiting', opensAt: 20, tip: 500, maxSealFee: SLOT_PRICE });
  const ready = world.add({ from: 'ready', tip: 1 });
  world.add({ from: 'new', tip: 2 });
  assert.equal(world.reasonOf(waiting), 'evicted');
  assert.notEqual(world.pool.get(ready.hashHex), undefined);
});

test('the reason of an expired envelope says that it becomes readable', () => {
  const world = new PoolWorld();
  const envelope = put(world, { opensAt: 13, maxSealFee: SLOT_PRICE });
  for (let height = 10; height < 13; height++) world.seal([], { slotPrice: 2n * SLOT_PRICE });
  assert.equal(world.reasonOf(envelope), 'expired');
  assert.match(world.pool.removal(envelope.hashHex)?.message ?? '', /height 13, .* readable/);
});
