import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectivePriorityFee } from '../../src/ledger/fees.js';
import type { AddressHex, TransactionHashHex } from '../../src/ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import type { PendingTransaction } from '../../src/mempool/pool-types.js';
import { transactionCost } from '../../src/mempool/prices.js';
import { sweep } from '../support/sweep.js';
import { addressOf, PoolWorld, poolTransaction, type TransactionSpec } from '../support/worlds/pool-world.js';

/*
 * Random histories of a small pool, checked after every step against a plain, slow implementation of the rules over the
 * transactions that the pool lists.
 */

const NAMES = ['alice', 'bob', 'carol', 'dave'] as const;
const LIMITS = {
  maxTransactions: 12,
  maxBytes: 3_000,
  maxNonceGap: 4,
  maxPendingLanes: 2,
  maxRemovals: 8,
  gappedTtlMs: 1_000,
};
/** Maximum number of places for gapped transactions, and bytes per place. */
const GAPPED_PLACES = 3;
const PLACE_BYTES = 250;

type Step =
  | { readonly do: 'offer'; readonly spec: TransactionSpec & { readonly ahead: number } }
  | { readonly do: 'seal'; readonly share: number; readonly baseFee: bigint }
  | { readonly do: 'foreign'; readonly from: string; readonly lane: number; readonly by: number }
  | { readonly do: 'balance'; readonly from: string; readonly balance: bigint }
  | { readonly do: 'leaveOut'; readonly from: string; readonly lane: number }
  | { readonly do: 'wait'; readonly ms: number };

const name = fc.constantFrom(...NAMES);
const lane = fc.integer({ min: 0, max: 2 });

const offer: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('offer' as const),
  spec: fc.record(
    {
      from: name,
      lane,
      ahead: fc.integer({ min: -1, max: 6 }),
      maxFee: fc.integer({ min: 8, max: 30 }),
      tip: fc.integer({ min: 0, max: 12 }),
      gas: fc.integer({ min: 30_000, max: 60_000 }),
      bytes: fc.integer({ min: 40, max: 900 }),
      amount: fc.integer({ min: 0, max: 1_000 }),
      validUntil: fc.integer({ min: 10, max: 60 }),
    },
    { requiredKeys: ['from', 'lane', 'ahead', 'maxFee', 'tip', 'gas', 'bytes', 'amount'] },
  ),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: offer },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('seal' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      baseFee: fc.bigInt({ min: 1n, max: 20n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('foreign' as const),
      from: name,
      lane,
      by: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('balance' as const),
      from: name,
      balance: fc.bigInt({ min: 0n, max: 6_000_000n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('leaveOut' as const), from: name, lane }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 700 }) }),
  },
);

/** Runs a step. Returns the pool's answer. */
function take(world: PoolWorld, taken: Step): unknown {
  const { height } = world.head;
  const answer = does(world, taken);
  valuesOf(world).follow(listed(world), world.head.height !== height);
  return answer;
}

function does(world: PoolWorld, taken: Step): unknown {
  switch (taken.do) {
    case 'offer': {
      const { ahead, ...spec } = taken.spec;
      const next = world.accounts.nextNonce(addressOf(spec.from ?? ''), spec.lane ?? 0);
      const nonce = next + BigInt(ahead);
      return offerChecked(world, poolTransaction({ ...spec, nonce: nonce < 0n ? 0n : nonce }));
    }
    case 'seal': {
      const drawn = world.select({ gasLimit: 300_000n, maxBytes: 2_000 });
      world.seal(drawn.slice(0, Math.ceil(drawn.length * taken.share)), { baseFee: taken.baseFee });
      return drawn.map(({ hashHex }) => hashHex);
    }
    case 'foreign': {
      const next = world.accounts.nextNonce(addressOf(taken.from), taken.lane);
      world.accounts.setNonce(taken.from, taken.lane, next + BigInt(taken.by));
      return world.seal([], { changed: [taken.from] });
    }
    case 'balance':
      return setBalance(world, taken.from, taken.balance);
    case 'leaveOut': {
      const sender = addressOf(taken.from);
      const next = world.accounts.nextNonce(sender, taken.lane);
      const head = listed(world).find(
        ({ transaction }) => placeOf(transaction) === `${sender}/${taken.lane}/${next}`,
      );
      const { hashHex } = head?.transaction ?? poolTransaction();
      return world.pool.drop(hashHex, 'insufficient_balance', 'for the test');
    }
    case 'wait':
      world.clockMs += taken.ms;
      return world.pool.dropOverdue();
  }
}

/** Changes a balance and checks the removals: transactions that alone cost too much, else the latest. */
function setBalance(world: PoolWorld, from: string, balance: bigint): void {
  const sender = addressOf(from);
  const before = listed(world).filter(({ transaction }) => transaction.sender === sender);
  world.accounts.setBalance(from, balance);
  world.removals.length = 0;
  world.seal([], { changed: [from] });
  const left = new Set<TransactionEnvelope>();
  for (const { transaction, reason } of world.removals) {
    if (reason === 'insufficient_balance') left.add(transaction);
  }
  const costOf = ({ signed }: TransactionEnvelope) => transactionCost(signed.transaction);
  const stayed = before.filter(({ transaction }) => costOf(transaction) <= balance);
  for (const { transaction } of before) assert.ok(costOf(transaction) <= balance || left.has(transaction));
  while (stayed.reduce((sum, { transaction }) => sum + costOf(transaction), 0n) > balance) {
    const ends = stayed.filter(({ transaction }) =>
      stayed.every(({ transaction: other }) => !isBehind(other, transaction)),
    );
    const newest = ends.sort((a, b) => b.arrival - a.arrival)[0] ?? assert.fail();
    stayed.splice(stayed.indexOf(newest), 1);
  }
  for (const { transaction } of stayed) assert.ok(!left.has(transaction), 'left though it could be paid');
}

/** Offers a transaction and checks the evictions. */
function offerChecked(world: PoolWorld, offered: VerifiedTransaction): unknown {
  const before = listed(world);
  const precheck = world.pool.precheck(offered);
  world.removals.length = 0;
  const result = world.offer(offered);
  if (precheck !== undefined)
    assert.ok(!result.admitted, 'the pool accepted a transaction that its precheck refuses');
  const leaving = leavingPlainly(offered, before, world);
  if (!result.admitted) {
    assert.deepEqual(world.removals, [], 'something left for a transaction that did not come in');
    assert.deepEqual(listed(world), before, 'a refused transaction changed the pool');
    if (result.error.reason === 'pool_full' && !('limit' in result.error.details)) {
      assert.equal(leaving, undefined, 'refused for lack of room that could be made');
    }
    return result.error.reason;
  }
  const evicted = world.removals.filter(({ reason }) => reason !== 'replaced');
  assert.ok(evicted.every(({ reason }) => reason === 'evicted'));
  assert.deepEqual(
    evicted.map(({ transaction }) => transaction.hashHex),
    leaving?.map(({ hashHex }) => hashHex),
  );
  for (const { transaction, reason } of world.removals) {
    if (reason === 'replaced') assert.equal(placeOf(transaction), placeOf(offered));
  }
  return result.pending;
}

const placesOf = ({ encoded }: TransactionEnvelope) => Math.max(1, Math.ceil(encoded.length / PLACE_BYTES));

/**
 * Evictions that make room for an incoming transaction, by a plain implementation of the rules, in order.
 * @returns undefined if there is no room
 */
function leavingPlainly(
  newcomer: TransactionEnvelope,
  pool: readonly PendingTransaction[],
  world: PoolWorld,
): TransactionEnvelope[] | undefined {
  const present = pool.find(({ transaction }) => placeOf(transaction) === placeOf(newcomer));
  const all = new Set(pool.map(({ transaction }) => placeOf(transaction)));
  const ready = present?.ready ?? isReady(newcomer, all, world);
  const left = pool.filter((one) => one !== present);
  const gapped = () => left.filter((one) => !one.ready).map(({ transaction }) => transaction);
  const placesAmong = (some: readonly TransactionEnvelope[]) =>
    some.reduce((sum, one) => sum + placesOf(one), 0);
  const ownPlaces = placesAmong(gapped().filter(({ sender }) => sender === newcomer.sender));
  // A new gap may leave more gapped transactions than the limit allows; as many as before may then stay.
  const wereGapped = placesAmong(gapped()) + (present?.ready === false ? placesOf(present.transaction) : 0);
  const most = Math.max(GAPPED_PLACES, wereGapped);
  const isFull = () =>
    left.length + 1 > LIMITS.maxTransactions ||
    left.reduce((sum, { transaction }) => sum + transaction.encoded.length, 0) + newcomer.encoded.length >
      LIMITS.maxBytes ||
    (!ready && placesAmong(gapped()) + placesOf(newcomer) > most);
  const isSpared = (one: TransactionEnvelope) => laneOf(one) === laneOf(newcomer) && !isBehind(one, newcomer);
  const isEnd = (one: TransactionEnvelope, among: readonly TransactionEnvelope[]) =>
    among.every((other) => !isBehind(other, one));
  const arrivalOf = (one: TransactionEnvelope) =>
    left.find(({ transaction }) => transaction === one)?.arrival ?? 0;
  const leaving: TransactionEnvelope[] = [];
  const worths = valuesOf(world);
  const remove = (one: TransactionEnvelope) => {
    leaving.push(one);
    left.splice(
      left.findIndex(({ transaction }) => transaction === one),
      1,
    );
  };

  while (isFull()) {
    const waiting = gapped();
    const placesBy = (sender: string) =>
      placesAmong(waiting.filter((one) => one.sender === sender)) +
      (present?.ready === false && present.transaction.sender === sender ? placesOf(present.transaction) : 0);
    const ends = waiting.filter((one) => isEnd(one, waiting) && !isSpared(one));
    const [first] = ends.sort(
      (a, b) =>
        placesBy(b.sender) - placesBy(a.sender) ||
        Number(tipOf(a, world) - tipOf(b, world)) ||
        arrivalOf(b) - arrivalOf(a),
    );
    if (first === undefined) break;
    const difference =
      first.sender === newcomer.sender ? 0 : placesBy(first.sender) - ownPlaces - placesOf(newcomer);
    const givesWay = difference > 0 || (difference === 0 && tipOf(first, world) < tipOf(newcomer, world));
    if (!ready && !givesWay) return undefined;
    remove(first);
  }
  while (isFull()) {
    if (!ready) return undefined;
    const waiting = left.filter((one) => one.ready).map(({ transaction }) => transaction);
    const ends = waiting.filter((one) => isEnd(one, waiting) && laneOf(one) !== laneOf(newcomer));
    const [cheapest] = ends.sort(
      (a, b) =>
        Number(worths.worth(a, waiting, world) - worths.worth(b, waiting, world)) ||
        arrivalOf(b) - arrivalOf(a),
    );
    if (cheapest === undefined) return undefined;
    if (worths.worth(cheapest, waiting, world) >= worths.worth(newcomer, waiting, world)) return undefined;
    remove(cheapest);
  }
  return leaving;
}

interface Fees {
  readonly fee: bigint;
  readonly priority: bigint;
}

/**
 * The lowest fee of each ready transaction and its lane predecessors, taken at the last block or at its later
 * arrival.
 */
class Values {
  #least = new Map<TransactionEnvelope, Fees>();

  /** Must be called after every step. */
  follow(pool: readonly PendingTransaction[], afterBlock: boolean): void {
    const ready = pool.filter((pending) => pending.ready).map(({ transaction }) => transaction);
    const next = new Map<TransactionEnvelope, Fees>();
    for (const one of ready.sort((a, b) => Number(a.signed.transaction.nonce - b.signed.transaction.nonce))) {
      const known = afterBlock ? undefined : this.#least.get(one);
      next.set(one, known ?? least(one, before(one, [...next.keys()]), next));
    }
    this.#least = next;
  }

  worth(transaction: TransactionEnvelope, pool: readonly TransactionEnvelope[], world: PoolWorld): bigint {
    const known = this.#least.get(transaction);
    const { fee, priority } = known ?? least(transaction, before(transaction, pool), this.#least);
    return effectivePriorityFee({ max_fee: fee, priority_fee: priority }, world.head.baseFee);
  }
}

const values = new WeakMap<PoolWorld, Values>();

function valuesOf(world: PoolWorld): Values {
  const known = values.get(world) ?? new Values();
  values.set(world, known);
  return known;
}

/** The direct predecessor of a transaction in its lane. */
function before(
  { sender, signed }: TransactionEnvelope,
  pool: readonly TransactionEnvelope[],
): TransactionEnvelope | undefined {
  const { lane: id, nonce } = signed.transaction;
  return pool.find((one) => placeOf(one) === `${sender}/${id}/${nonce - 1n}`);
}

function least(
  { signed }: TransactionEnvelope,
  behind: TransactionEnvelope | undefined,
  known: ReadonlyMap<TransactionEnvelope, Fees>,
): Fees {
  const { max_fee: fee, priority_fee: priority } = signed.transaction;
  const other = behind === undefined ? undefined : known.get(behind);
  if (other === undefined) return { fee, priority };
  return { fee: lower(other.fee, fee), priority: lower(other.priority, priority) };
}

function lower(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

function listed(world: PoolWorld): readonly PendingTransaction[] {
  const all: PendingTransaction[] = [];
  let cursor: string | undefined;
  do {
    const page = world.pool.list({ limit: 5, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.transactions);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

function tipOf({ signed }: TransactionEnvelope, world: PoolWorld): bigint {
  return effectivePriorityFee(signed.transaction, world.head.baseFee);
}

function laneOf({ sender, signed }: TransactionEnvelope): string {
  return `${sender}/${signed.transaction.lane}`;
}

function placeOf(transaction: TransactionEnvelope): string {
  return `${laneOf(transaction)}/${transaction.signed.transaction.nonce}`;
}

function isBehind(a: TransactionEnvelope, b: TransactionEnvelope): boolean {
  return laneOf(a) === laneOf(b) && a.signed.transaction.nonce > b.signed.transaction.nonce;
}

/** The empty places among the nonces from the account's next one up to the transaction's. */
function missingBefore(
  transaction: TransactionEnvelope,
  places: ReadonlySet<string>,
  world: PoolWorld,
): Set<string> {
  const { sender, signed } = transaction;
  const { lane: id, nonce } = signed.transaction;
  const missing = new Set<string>();
  for (let at = world.accounts.nextNonce(sender, id); at < nonce; at++) {
    const place = `${laneOf(transaction)}/${at}`;
    if (!places.has(place)) missing.add(place);
  }
  return missing;
}

function isReady(transaction: TransactionEnvelope, places: ReadonlySet<string>, world: PoolWorld): boolean {
  return missingBefore(transaction, places, world).size === 0;
}

/** Draws by a plain implementation of the rules: scans all candidates again for each place. */
function drawnPlainly(world: PoolWorld, pool: readonly PendingTransaction[]): TransactionEnvelope[] {
  const left = new Set(pool.filter(({ ready }) => ready));
  const drawn: TransactionEnvelope[] = [];
  let gas = 300_000n;
  let bytes = 2_000;
  for (;;) {
    const heads = [...left].filter((one) =>
      [...left].every((other) => !isBehind(one.transaction, other.transaction)),
    );
    const [best] = heads
      .filter(({ transaction }) => tipOf(transaction, world) >= 0n)
      .sort((a, b) => {
        const difference = tipOf(b.transaction, world) - tipOf(a.transaction, world);
        return difference === 0n ? a.arrival - b.arrival : Number(difference);
      });
    if (best === undefined) return drawn;
    const { signed, encoded } = best.transaction;
    left.delete(best);
    if (signed.transaction.gas_limit > gas || encoded.length + 1 > bytes) {
      for (const other of left) if (isBehind(other.transaction, best.transaction)) left.delete(other);
      continue;
    }
    drawn.push(best.transaction);
    gas -= signed.transaction.gas_limit;
    bytes -= encoded.length + 1;
  }
}

interface Wait {
  readonly sinceMs: number;
  /** Places of the nonces that were missing after the previous step. */
  readonly missing: ReadonlySet<string>;
}

/** Tracks the time at which each listed transaction fell behind a gap. */
class Ages {
  #waits = new Map<TransactionHashHex, Wait>();

  /** Must be called after every step. */
  follow(pool: readonly PendingTransaction[], places: ReadonlySet<string>, world: PoolWorld): void {
    const waits = new Map<TransactionHashHex, Wait>();
    for (const { transaction, ready } of pool) {
      if (ready) continue;
      const missing = missingBefore(transaction, places, world);
      const earlier = this.#waits.get(transaction.hashHex);
      // A block may close one gap and open another, by expiry or lack of balance; the time then restarts.
      const goesOn = earlier !== undefined && [...earlier.missing].some((place) => missing.has(place));
      const sinceMs = goesOn ? earlier.sinceMs : world.clockMs;
      waits.set(transaction.hashHex, { sinceMs, missing });
      assert.ok(sinceMs + LIMITS.gappedTtlMs > world.clockMs, 'behind a gap for too long, and still here');
    }
    this.#waits = waits;
  }
}

function checkPool(world: PoolWorld, ages: Ages): void {
  const pool = listed(world);
  const places = new Set(pool.map(({ transaction }) => placeOf(transaction)));
  assert.equal(places.size, pool.length, 'two transactions share a place');
  assert.deepEqual(
    pool.map(({ arrival }) => arrival),
    pool.map(({ arrival }) => arrival).sort((a, b) => b - a),
  );

  const stats = world.pool.stats();
  const bytes = pool.reduce((sum, { transaction }) => sum + transaction.encoded.length, 0);
  const ready = pool.filter((pending) => pending.ready).length;
  assert.deepEqual(
    [stats.size, stats.bytes, stats.ready, stats.gapped, stats.lanes],
    [
      pool.length,
      bytes,
      ready,
      pool.length - ready,
      new Set(pool.map(({ transaction }) => laneOf(transaction))).size,
    ],
  );
  assert.ok(stats.size <= LIMITS.maxTransactions && stats.bytes <= LIMITS.maxBytes);
  ages.follow(pool, places, world);

  for (const pending of pool) {
    const { transaction } = pending;
    assert.equal(pending.ready, isReady(transaction, places, world));
    assert.deepEqual(world.pool.get(transaction.hashHex), pending);
    assert.equal(world.pool.removal(transaction.hashHex), undefined);
    const { valid_until: validUntil } = transaction.signed.transaction;
    assert.ok(validUntil === undefined || validUntil >= world.head.height, 'expired, and still here');
  }
  for (const from of NAMES) checkSender(world, addressOf(from), pool);

  const drawn = world.select({ gasLimit: 300_000n, maxBytes: 2_000 });
  assert.deepEqual(drawn.map(placeOf), drawnPlainly(world, pool).map(placeOf));
  const payable = pool.some(
    ({ transaction }) =>
      transaction.signed.transaction.nonce ===
        world.accounts.nextNonce(transaction.sender, transaction.signed.transaction.lane) &&
      tipOf(transaction, world) >= 0n,
  );
  assert.equal(world.pool.hasReady(), payable);
}

function checkSender(world: PoolWorld, address: AddressHex, pool: readonly PendingTransaction[]): void {
  const own = pool.filter(({ transaction }) => transaction.sender === address);
  assert.deepEqual(world.pool.list({ sender: address, limit: 100 }).transactions, own);
  const cost = own.reduce(
    (sum, { transaction }) => sum + transactionCost(transaction.signed.transaction),
    0n,
  );
  assert.ok(cost <= world.accounts.balance(address), 'a sender has more waiting than it can pay');
  const lanes = world.pool.lanesOf(address);
  assert.ok(lanes.length <= LIMITS.maxPendingLanes);
  for (const { lane: id, pending, nextNonce } of lanes) {
    const nonces = own
      .filter(({ transaction }) => transaction.signed.transaction.lane === id)
      .map(({ transaction }) => transaction.signed.transaction.nonce);
    assert.equal(pending, nonces.length);
    let missing = world.accounts.nextNonce(address, id);
    while (nonces.includes(missing)) missing++;
    assert.equal(nextNonce, missing);
  }
}

const history = fc.array(step, { minLength: 1, maxLength: 80, size: 'max' });

test('after any history the pool matches a plain implementation of its rules', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = new PoolWorld(LIMITS);
      const ages = new Ages();
      for (const taken of steps) {
        take(world, taken);
        checkPool(world, ages);
      }
    }),
    { numRuns: sweep(40) },
  );
});

test('the same calls give the same answers', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const [one, other] = [new PoolWorld(LIMITS), new PoolWorld(LIMITS)];
      for (const taken of steps) assert.deepEqual(take(one, taken), take(other, taken));
      assert.deepEqual(one.removals, other.removals);
      assert.deepEqual([...one.pool.transactions()], [...other.pool.transactions()]);
    }),
    { numRuns: sweep(5) },
  );
});
