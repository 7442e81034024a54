import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawnBranch } from '../../src/chain/account-views.js';
import { PendingBlockState } from '../../src/execution/pending-writes.js';
import { type AddressHex, addressHex, type CandidateHashHex } from '../../src/ledger/hex-types.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import type { VerifiedBundle } from '../../src/mempool/bundles/bundle.js';
import type { BlockDraw } from '../../src/mempool/draw/block-draw.js';
import type { DrawnBranch } from '../../src/mempool/pool-types.js';
import { transactionCost } from '../../src/mempool/prices.js';
import { sweep } from '../support/sweep.js';
import {
  addressOf,
  PoolWorld,
  poolBundle,
  poolTransaction,
  type TransactionSpec,
} from '../support/worlds/pool-world.js';

/*
 * Two pools share a history, and blocks made of their draws follow it. In one pool the blocks are a branch that it
 * draws on, in the other they become the tip. Both must draw the same, and the first must not change.
 */

const RICH = ['alice', 'bob', 'carol'] as const;
/**
 * An account with a small balance that sends only bundles, because a branch's balance is not checked for standalone
 * transactions.
 */
const POOR = 'dave';
const NAMES = [...RICH, POOR] as const;
const LANES = [0, 1] as const;
const LIMITS = { maxTransactions: 64, maxNonceGap: 6 };
const GAS = 400_000n;
const BYTES = 6_000;
const FIRST_HEIGHT = 10n;

const spec = (from: fc.Arbitrary<string>) =>
  fc.record(
    {
      from,
      lane: fc.constantFrom(...LANES),
      tip: fc.integer({ min: 0, max: 12 }),
      maxFee: fc.integer({ min: 8, max: 30 }),
      gas: fc.integer({ min: 30_000, max: 80_000 }),
      bytes: fc.integer({ min: 40, max: 900 }),
      to: fc.constantFrom(...NAMES),
      amount: fc.integer({ min: 0, max: 2_500_000 }),
      validUntil: fc.integer({ min: Number(FIRST_HEIGHT), max: Number(FIRST_HEIGHT) + 8 }),
    },
    { requiredKeys: ['from', 'lane', 'tip', 'maxFee', 'gas', 'bytes', 'to', 'amount'] },
  );

type Spec = ReturnType<typeof spec> extends fc.Arbitrary<infer T> ? T : never;

/** Payments of which two or three exceed the balance. */
const payment: fc.Arbitrary<Spec> = fc.record({
  from: fc.constant(POOR),
  lane: fc.constantFrom(...LANES),
  tip: fc.constantFrom(6, 12),
  maxFee: fc.constant(30),
  gas: fc.constant(30_000),
  bytes: fc.constant(200),
  to: fc.constantFrom(...NAMES),
  amount: fc.constantFrom(1_200_000, 1_800_000, 2_400_000),
});

const block = fc.record({
  /** Number of drawn transactions and bundles that the block includes. */
  units: fc.nat({ max: 12 }),
  baseFee: fc.bigInt({ min: 1n, max: 15n }),
});

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('alone' as const),
      spec: spec(fc.constantFrom(...RICH)),
      ahead: fc.integer({ min: 0, max: 4 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('bundle' as const),
      specs: fc.array(spec(fc.constantFrom(...NAMES)), { minLength: 1, maxLength: 4 }),
      ahead: fc.integer({ min: 0, max: 2 }),
      lasts: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('bundle' as const),
      specs: fc.array(payment, { minLength: 1, maxLength: 2 }),
      ahead: fc.constant(0),
      lasts: fc.constant(undefined),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('block' as const), block }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('park' as const), which: fc.nat({ max: 20 }) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A standalone transaction, or the members of a bundle. */
type Unit = readonly VerifiedTransaction[];

/** The parts of two draws that must be equal. */
interface Drawn {
  readonly units: readonly Unit[];
  readonly text: string;
}

class Twin {
  readonly world = new PoolWorld(LIMITS, { height: FIRST_HEIGHT });
  readonly #bundles: VerifiedBundle[] = [];

  constructor() {
    this.world.accounts.setBalance(POOR, 4_000_000n);
  }

  take(taken: Step): void {
    switch (taken.do) {
      case 'alone':
        this.world.offer(this.#transaction(taken.spec, taken.ahead, new Map()));
        break;
      case 'bundle': {
        const used = new Map<string, bigint>();
        const members = taken.specs.map((one) => this.#transaction(one, taken.ahead, used));
        const lasts = taken.lasts === undefined ? undefined : this.world.head.height + BigInt(taken.lasts);
        const bundle = poolBundle(members, lasts);
        if (this.world.offerBundle(bundle).admitted) this.#bundles.push(bundle);
        break;
      }
      case 'block': {
        const { pool, head } = this.world;
        const draw = pool.draw({ ...head, gasLimit: GAS, maxBytes: BYTES });
        const included = this.included(drawn(draw).units, taken.block.units);
        const gasUsed = included.reduce((sum, { signed }) => sum + signed.transaction.gas_limit, 0n);
        pool.endDraw(draw, { gasUsed });
        this.seal(included, taken.block.baseFee);
        break;
      }
      case 'park': {
        const bundle = this.#bundles[taken.which % Math.max(1, this.#bundles.length)];
        if (bundle !== undefined) this.world.pool.parkBundle(bundle.hashHex);
      }
    }
  }

  /** The first drawn transactions that can follow one another in a block. */
  included(units: readonly Unit[], most: number): VerifiedTransaction[] {
    const { accounts } = this.world;
    const included: VerifiedTransaction[] = [];
    let balance = accounts.balance(addressOf(POOR));
    let taken = 0;
    for (const unit of units) {
      if (taken === most) break;
      const before = included.length;
      const balanceBefore = balance;
      const fits = unit.every((one) => {
        const { lane, nonce } = one.signed.transaction;
        const same = included.filter(
          ({ sender, signed }) => sender === one.sender && signed.transaction.lane === lane,
        );
        if (nonce !== accounts.nextNonce(one.sender, lane) + BigInt(same.length)) return false;
        if (one.sender === addressOf(POOR) && transactionCost(one.signed.transaction) > balance) return false;
        included.push(one);
        balance += change(one, addressOf(POOR));
        return true;
      });
      if (fits) taken++;
      else {
        included.length = before;
        balance = balanceBefore;
      }
    }
    return included;
  }

  /** Makes a block the tip. Returns the accounts that it changed. */
  seal(included: readonly VerifiedTransaction[], baseFee: bigint): ReadonlySet<AddressHex> {
    const { accounts } = this.world;
    for (const name of NAMES) {
      const address = addressOf(name);
      const by = included.reduce((sum, one) => sum + change(one, address), 0n);
      accounts.setBalance(name, accounts.balance(address) + by);
    }
    const changed = new Set(included.flatMap((one) => [one.sender, recipientOf(one)]));
    const names = NAMES.filter((name) => changed.has(addressOf(name)));
    this.world.seal(included, { baseFee, changed: names });
    return changed;
  }

  /** The accounts as written by a pending block. */
  stateOf(changed: ReadonlySet<AddressHex>): PendingBlockState {
    const { accounts, head } = this.world;
    const writes = [...changed].map((address) => {
      const lanes = LANES.map((lane) => ({ lane, next_nonce: accounts.nextNonce(address, lane) }));
      const record = {
        balance: accounts.balance(address),
        lanes: lanes.filter(({ next_nonce: next }) => next > 0n),
        deploy_index: 0n,
      };
      return { key: new Uint8Array(32), previous: undefined, value: undefined, account: { address, record } };
    });
    return new PendingBlockState(head.height - 1n, { writes, codes: [] });
  }

  #transaction({ to, amount, ...rest }: Spec, ahead: number, used: Map<string, bigint>): VerifiedTransaction {
    const name = `${rest.from}/${rest.lane}`;
    const next = this.world.accounts.nextNonce(addressOf(rest.from), rest.lane) + BigInt(ahead);
    const nonce = used.get(name) ?? next;
    used.set(name, nonce + 1n);
    const action = {
      type: 'transfer',
      value: { to: Buffer.from(addressOf(to), 'hex'), amount: BigInt(amount) },
    } as const;
    const sent: TransactionSpec = { ...rest, nonce, action };
    return poolTransaction(sent);
  }
}

function recipientOf({ signed }: VerifiedTransaction): AddressHex {
  const { action } = signed.transaction;
  return action.type === 'transfer' ? addressHex(action.value.to) : assert.fail();
}

/** The change that a transaction makes to an account's balance. */
function change(transaction: VerifiedTransaction, address: AddressHex): bigint {
  const { action, gas_limit: gas } = transaction.signed.transaction;
  const amount = action.type === 'transfer' ? action.value.amount : 0n;
  const paid = transaction.sender === address ? gas + amount : 0n;
  return (recipientOf(transaction) === address ? amount : 0n) - paid;
}

/**
 * Draws two waves. The block leaves out the second and the fifth transaction of the first wave, and does not use all
 * its gas.
 */
function drawn(draw: BlockDraw): Drawn {
  const first = draw.next({ gasLeft: GAS, bundleGas: 0n, expectedGas: GAS / 2n });
  const room = { gasLeft: (GAS * 3n) / 4n, bundleGas: GAS / 8n };
  const missing = [1, 4].filter((place) => place < first.transactions.length);
  const notIncluded = missing.map((place) => ({ place, isTooLarge: place === 1 }));
  const isMore = draw.settle(notIncluded, room);
  const waves = [first, ...(isMore ? [draw.next(room)] : [])];
  const units: Unit[] = [];
  for (const { transactions, bundles } of waves) {
    const lengths = new Map(bundles.map(({ start, length }) => [start, length]));
    for (let at = 0; at < transactions.length; ) {
      const length = lengths.get(at) ?? 1;
      units.push(transactions.slice(at, at + length));
      at += length;
    }
  }
  const passedOver = [...draw.passedOver].map(({ transaction }) => transaction.hashHex);
  const texts = waves.map(({ transactions, bundles }) => [transactions.map(named), bundles]);
  return { units, text: JSON.stringify([texts, passedOver], null, 1) };
}

function named({ sender, hashHex, signed }: VerifiedTransaction): string {
  const name = NAMES.find((one) => addressOf(one) === sender);
  return `${name}/${signed.transaction.lane}/${signed.transaction.nonce} ${hashHex}`;
}

/** Everything observable about a pool, except for values that depend on the base fee of its last draw. */
function said({ pool, removals, bundleRemovals }: PoolWorld) {
  const { baseFee: _, ...stats } = pool.stats();
  const listed = pool.list({ limit: 1_000 }).transactions;
  return {
    listed: listed.map(({ transaction, arrival, ready }) => `${arrival} ${named(transaction)} ${ready}`),
    bundles: [...pool.bundles()].map(({ hashHex }) => hashHex),
    lanes: NAMES.map((name) => pool.lanesOf(addressOf(name))),
    removals: removals.map(({ transaction, ...why }) => ({ ...why, hash: transaction.hashHex })),
    bundleRemovals: bundleRemovals.map(({ bundle, ...why }) => ({ ...why, hash: bundle.hashHex })),
    stats,
  };
}

/**
 * Candidates that a block may not include because of its height; they stay in the pool while only a branch has that
 * height.
 */
function expiredAt({ pool }: PoolWorld, height: bigint): ReadonlySet<CandidateHashHex> {
  const isOver = ({ signed }: VerifiedTransaction) => (signed.transaction.valid_until ?? height) < height;
  const found = new Set<CandidateHashHex>();
  for (const { transaction } of pool.list({ limit: 1_000 }).transactions) {
    if (isOver(transaction)) found.add(transaction.hashHex);
  }
  for (const { hashHex, maxHeight, transactions } of pool.bundles()) {
    if ((maxHeight ?? height) < height || transactions.some(isOver)) found.add(hashHex);
  }
  return found;
}

/** Holds back about one candidate in sixteen, on the tip and on branches. */
function isHeldBack(hashHex: CandidateHashHex): boolean {
  return hashHex.startsWith('0');
}

/** Number of times that each case of interest occurred. */
interface Counts {
  expired: number;
  usedUp: number;
  unready: number;
  madeReady: number;
  blocks: number;
}

function compare(
  steps: readonly Step[],
  blocks: readonly { units: number; baseFee: bigint }[],
  counts: Counts,
): void {
  const [one, other] = [new Twin(), new Twin()];
  for (const taken of steps) {
    one.take(taken);
    other.take(taken);
  }
  const { pool, head, accounts } = one.world;
  const space = { gasLimit: GAS, maxBytes: BYTES, isHeldBack };
  let onBranch = drawn(pool.draw({ ...head, ...space }));
  const onTip = onBranch.text;
  const before = said(one.world);
  const hadReady = pool.hasReady();
  let onOther = drawn(other.world.pool.draw({ ...other.world.head, ...space }));
  assert.equal(onBranch.text, onOther.text);

  const branch: PendingBlockState[] = [];
  const made: { readonly included: readonly VerifiedTransaction[]; readonly baseFee: bigint }[] = [];
  for (const { units, baseFee } of blocks) {
    const included = other.included(onOther.units, units);
    made.push({ included, baseFee });
    branch.push(other.stateOf(other.seal(included, baseFee)));
    const { height } = other.world.head;
    const expired = expiredAt(one.world, height);
    const above: DrawnBranch = drawnBranch({ branch }, accounts) ?? assert.fail();
    onBranch = drawn(
      pool.draw({
        ...other.world.head,
        ...space,
        branch: above,
      }),
    );
    onOther = drawn(other.world.pool.draw({ ...other.world.head, ...space }));
    assert.equal(onBranch.text, onOther.text, `at height ${height}`);
    assert.deepEqual(said(one.world), before);
    if (baseFee === head.baseFee) assert.equal(pool.hasReady(), hadReady);

    counts.blocks++;
    counts.expired += expired.size;
    for (const { hashHex } of pool.bundles()) {
      const isGone = other.world.pool.bundle(hashHex) === undefined;
      if (isGone && !expired.has(hashHex)) counts.usedUp++;
    }
    const isReady = (of: PoolWorld) =>
      new Map(
        of.pool
          .list({ limit: 1_000 })
          .transactions.map(({ transaction, ready }) => [transaction.hashHex, ready]),
      );
    const [here, there] = [isReady(one.world), isReady(other.world)];
    for (const [hashHex, ready] of here) {
      if (ready && there.get(hashHex) === false) counts.unready++;
      if (!ready && there.get(hashHex) === true) counts.madeReady++;
    }
  }
  // On the tip nothing has changed, and once the branch is committed the two pools are identical.
  assert.equal(drawn(pool.draw({ ...head, ...space })).text, onTip);
  assert.equal(pool.hasReady(), hadReady);
  for (const { included, baseFee } of made) one.seal(included, baseFee);
  assert.deepEqual(said(one.world), said(other.world));
  assert.equal(drawn(pool.draw({ ...one.world.head, ...space })).text, onOther.text);
}

const RUNS = sweep(40);

test('a draw on a branch equals the draw once its blocks are the tip, and leaves the pool unchanged', () => {
  const counts: Counts = { expired: 0, usedUp: 0, unready: 0, madeReady: 0, blocks: 0 };
  const history = fc.array(step, { minLength: 8, maxLength: 60, size: 'max' });
  const keptFee = fc.nat({ max: 12 }).map((units) => ({ units, baseFee: 1n }));
  fc.assert(
    fc.property(
      history,
      fc.array(fc.oneof(block, keptFee), { minLength: 1, maxLength: 4 }),
      (steps, blocks) => compare(steps, blocks, counts),
    ),
    { numRuns: RUNS },
  );
  // The rarest come in one of ten runs.
  const least = RUNS >= 200 ? 5 : 0;
  for (const [what, count] of Object.entries(counts)) assert.ok(count >= least, `${what}: only ${count}`);
});

test('on a branch too, a bundle stays out if its lane is drawn from before it', () => {
  const twin = new Twin();
  const { world } = twin;
  const [first, alone] = [world.add({ nonce: 0 }), world.add({ nonce: 1, tip: 12 })];
  world.addBundle([{ nonce: 1, tip: 5 }]);
  const after = new Twin();
  const branch = drawnBranch({ branch: [after.stateOf(after.seal([first], 1n))] }, world.accounts);
  const { transactions, bundles } = world.pool.select({
    ...after.world.head,
    ...(branch === undefined ? {} : { branch }),
  });
  assert.deepEqual(transactions, [alone]);
  assert.deepEqual(bundles, []);
});

test('transactions invalid at a branch’s height are not drawn on it, and stay in the pool', () => {
  const twin = new Twin();
  const { world } = twin;
  const last = world.head.height;
  const alone = world.add({ validUntil: last });
  world.add({ nonce: 1 });
  const bundles = [
    world.addBundle([{ from: 'bob' }], last),
    world.addBundle([{ from: 'bob', tip: 12, validUntil: last }], last + 5n),
  ];
  const later = world.addBundle([{ from: 'bob', tip: 8 }], last + 1n);
  const carols = world.add({ from: 'carol' });
  const after = new Twin();
  const branch = drawnBranch({ branch: [after.stateOf(after.seal([carols], 1n))] }, world.accounts);
  const drawn = world.pool.select({ ...after.world.head, branch: branch ?? assert.fail() });
  assert.deepEqual(drawn.transactions, later.transactions);
  assert.equal(drawn.bundles[0]?.hashHex, later.hashHex);
  for (const { hashHex } of bundles) assert.notEqual(world.pool.bundle(hashHex), undefined);
  assert.ok(world.select().includes(alone));
});

test('transactions invalid at a branch’s height do not affect the rest of its draw', () => {
  const twin = new Twin();
  const { world } = twin;
  const first = world.add({ from: 'carol', lane: 1, gas: 30_000 });
  const bundle = world.addBundle([{ from: 'bob', gas: 40_000, tip: 5 }]);
  world.add({ gas: 30_000, tip: 5, validUntil: world.head.height });
  world.add({ lane: 1, gas: GAS, tip: 5, validUntil: world.head.height });
  const cheaper = world.add({ from: 'carol', gas: 30_000, tip: 4 });
  const after = new Twin();
  const branch = drawnBranch({ branch: [after.stateOf(after.seal([first], 1n))] }, world.accounts);
  const room = { gasLeft: GAS, bundleGas: 0n, expectedGas: 40_000n };
  const above = { ...after.world.head, gasLimit: GAS, branch: branch ?? assert.fail() };
  const onBranch = world.pool.draw(above);
  assert.deepEqual(onBranch.next(room).transactions, [...bundle.transactions, cheaper]);
  assert.deepEqual([...onBranch.passedOver], []);

  world.seal([first]);
  const onTip = world.pool.draw({ ...world.head, gasLimit: GAS });
  assert.deepEqual(onTip.next(room).transactions, [...bundle.transactions, cheaper]);
});

test('a transaction passed over for its gas limit comes first on a branch that makes its nonce the next', () => {
  const twin = new Twin();
  const { world } = twin;
  const [first, passedOver] = [world.add({ nonce: 0, gas: 30_000 }), world.add({ nonce: 1, gas: 200_000 })];
  const full = world.pool.draw({ ...world.head, gasLimit: 220_000n });
  assert.deepEqual(full.next({ gasLeft: 220_000n, bundleGas: 0n }).transactions, [first]);
  world.pool.endDraw(full, { gasUsed: 30_000n });

  const rival = world.add({ from: 'bob', gas: 30_000, tip: 20 });
  const after = new Twin();
  const branch = drawnBranch({ branch: [after.stateOf(after.seal([first], 1n))] }, world.accounts);
  const above = { ...after.world.head, gasLimit: 220_000n, branch: branch ?? assert.fail() };
  assert.deepEqual(world.pool.select(above).transactions, [passedOver]);

  world.seal([first]);
  assert.deepEqual(world.select({ gasLimit: 220_000n }), [passedOver]);
  assert.notEqual(world.pool.get(rival.hashHex), undefined);
});

/**
 * Starts a draw on a branch whose block readies a bundle by making its nonce the next one; the first wave fills up
 * before the bundle's turn.
 */
function drawBeforeBundle() {
  const twin = new Twin();
  const { world } = twin;
  const first = world.add({ nonce: 0, gas: 30_000 });
  const rival = world.add({ from: 'bob', gas: 40_000, tip: 20 });
  const bundle = world.addBundle([{ nonce: 1, gas: 30_000, tip: 5 }]);
  const after = new Twin();
  const state = after.stateOf(after.seal([first], 1n));
  const branch = drawnBranch({ branch: [state] }, world.accounts) ?? assert.fail();
  const draw = world.pool.draw({ ...after.world.head, gasLimit: GAS, branch });
  assert.deepEqual(draw.next({ gasLeft: GAS, bundleGas: 0n, expectedGas: 40_000n }), {
    transactions: [rival],
    bundles: [],
  });
  const room = { gasLeft: GAS - 30_000n, bundleGas: 0n };
  assert.equal(draw.settle([], room), true);
  return { world, first, bundle, next: () => draw.next(room) };
}

test('a bundle that only the branch makes ready is drawn in a later wave if the first had no room for it', () => {
  const { bundle, next } = drawBeforeBundle();
  const { transactions, bundles } = next();
  assert.deepEqual(transactions, bundle.transactions);
  assert.deepEqual(bundles, [{ start: 0, length: 1, hashHex: bundle.hashHex }]);
  assert.deepEqual(next().bundles, [], 'no wave draws it again');
});

test('a bundle that only the branch makes ready is in no wave after leaving the pool', () => {
  const { world, bundle, next } = drawBeforeBundle();
  world.pool.dropBundle(bundle.hashHex, 'bundle_failed', 'it failed');
  assert.deepEqual(next(), { transactions: [], bundles: [] });
});

test('a bundle that only the branch makes ready is drawn once if its branch becomes the tip between two waves', () => {
  const { world, first, bundle, next } = drawBeforeBundle();
  world.seal([first]);
  assert.deepEqual(world.select().at(-1), bundle.transactions[0]);
  assert.equal(next().bundles.length, 1);
});
