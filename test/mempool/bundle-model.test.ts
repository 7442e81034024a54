import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectivePriorityFee } from '../../src/ledger/fees.js';
import { GAS as GAS_TABLE } from '../../src/ledger/gas.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import type { VerifiedBundle } from '../../src/mempool/bundles/bundle.js';
import { sweep } from '../support/sweep.js';
import { addressOf, PoolWorld, poolBundle, poolTransaction } from '../support/worlds/pool-world.js';

/*
 * Random histories of a pool with bundles. Draws are compared with a plain implementation of the rules; a block
 * includes some of the drawn bundles and leaves others out, as execution does.
 */

const NAMES = ['alice', 'bob', 'carol'] as const;
const LIMITS = { maxTransactions: 48, maxNonceGap: 6 };
const GAS = 400_000n;
const BYTES = 6_000;

const member = fc.record({
  from: fc.constantFrom(...NAMES),
  lane: fc.integer({ min: 0, max: 1 }),
  tip: fc.integer({ min: 0, max: 12 }),
  maxFee: fc.integer({ min: 8, max: 30 }),
  gas: fc.integer({ min: 30_000, max: 80_000 }),
  bytes: fc.integer({ min: 40, max: 900 }),
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('alone' as const),
      spec: member,
      ahead: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('bundle' as const),
      specs: fc.array(member, { minLength: 1, maxLength: 5 }),
      ahead: fc.integer({ min: 0, max: 2 }),
      lasts: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('block' as const),
      fails: fc.array(fc.constantFrom('none', 'none', 'failed', 'parked'), { minLength: 8, maxLength: 8 }),
      baseFee: fc.bigInt({ min: 1n, max: 15n }),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A pool and the state that the plain implementation needs. */
class Model {
  readonly world = new PoolWorld(LIMITS);
  readonly bundles = new Map<string, VerifiedBundle>();
  readonly alone = new Map<string, VerifiedTransaction>();
  readonly arrivals = new Map<string, number>();
  readonly parked = new Set<string>();
  #clock = 0;

  take(taken: Step): void {
    switch (taken.do) {
      case 'alone': {
        const { from, lane } = taken.spec;
        const nonce = this.world.accounts.nextNonce(addressOf(from), lane) + BigInt(taken.ahead);
        const transaction = poolTransaction({ ...taken.spec, nonce });
        if (this.world.offer(transaction).admitted) {
          this.alone.set(transaction.hashHex, transaction);
          this.arrivals.set(transaction.hashHex, this.#clock++);
        }
        break;
      }
      case 'bundle': {
        const used = new Map<string, bigint>();
        const specs = taken.specs.map((spec) => {
          const name = `${spec.from}/${spec.lane}`;
          const first = this.world.accounts.nextNonce(addressOf(spec.from), spec.lane) + BigInt(taken.ahead);
          const nonce = used.get(name) ?? first;
          used.set(name, nonce + 1n);
          return { ...spec, nonce };
        });
        const maxHeight =
          taken.lasts === undefined ? undefined : this.world.head.height + BigInt(taken.lasts);
        const bundle = poolBundle(specs, maxHeight);
        if (this.world.offerBundle(bundle).admitted) {
          this.bundles.set(bundle.hashHex, bundle);
          this.arrivals.set(bundle.hashHex, this.#clock++);
          this.parked.delete(bundle.hashHex);
        }
        break;
      }
      case 'block':
        this.#block(taken.fails, taken.baseFee);
    }
    for (const { transaction } of this.world.removals.splice(0)) this.alone.delete(transaction.hashHex);
    for (const { bundle } of this.world.bundleRemovals.splice(0)) this.bundles.delete(bundle.hashHex);
  }

  #block(fails: readonly string[], baseFee: bigint): void {
    const { transactions, bundles } = this.world.pool.select({
      ...this.world.head,
      gasLimit: GAS,
      maxBytes: BYTES,
    });
    const next = new Map<string, bigint>();
    const included: VerifiedTransaction[] = [];
    /** True if `members` can follow the block's transactions. */
    const fits = (members: readonly VerifiedTransaction[]) =>
      members.every(({ sender, signed }, index) => {
        const { lane, nonce } = signed.transaction;
        const before = members.slice(0, index).filter((one) => one.sender === sender);
        const inLane = before.filter((one) => one.signed.transaction.lane === lane).length;
        const expected = next.get(`${sender}/${lane}`) ?? this.world.accounts.nextNonce(sender, lane);
        return nonce === expected + BigInt(inLane);
      });
    for (let at = 0; at < transactions.length; ) {
      const place = bundles.findIndex(({ start }) => start === at);
      const bundle = bundles[place];
      const members = transactions.slice(at, at + (bundle?.length ?? 1));
      at += members.length;
      const fate = bundle === undefined ? 'none' : fails[place % fails.length];
      if (bundle !== undefined && fate === 'failed') {
        this.world.pool.dropBundle(bundle.hashHex, 'bundle_failed', 'for the test');
      } else if (fate === 'none' && fits(members)) {
        for (const one of members) {
          const { lane, nonce } = one.signed.transaction;
          next.set(`${one.sender}/${lane}`, nonce + 1n);
          included.push(one);
        }
      } else if (bundle !== undefined) {
        this.world.pool.parkBundle(bundle.hashHex);
        this.parked.add(bundle.hashHex);
      }
    }
    for (const hash of [...this.parked]) {
      const touched = this.bundles
        .get(hash)
        ?.transactions.some(({ sender }) => included.some((one) => one.sender === sender));
      if (touched !== false) this.parked.delete(hash);
    }
    this.world.seal(included, { baseFee });
  }

  check(): void {
    const { pool, head, accounts } = this.world;
    const members = [...this.bundles.values()].flatMap(({ transactions }) => transactions);
    const stats = pool.stats();
    assert.equal(stats.bundles, this.bundles.size);
    assert.equal(stats.size, this.alone.size + members.length);
    const all = [...this.alone.values(), ...members];
    assert.equal(
      stats.bytes,
      all.reduce((sum, { encoded }) => sum + encoded.length, 0),
    );
    const listed = pool.list({ limit: 1_000 }).transactions.map(({ transaction }) => transaction.hashHex);
    assert.deepEqual(listed.toSorted(), [...new Set(all.map(({ hashHex }) => hashHex))].sort());
    for (const from of NAMES) {
      const own = pool.list({ limit: 1_000, sender: addressOf(from) }).transactions;
      assert.deepEqual(
        own.map(({ transaction }) => transaction.hashHex),
        pool
          .list({ limit: 1_000 })
          .transactions.filter(({ transaction }) => transaction.sender === addressOf(from))
          .map(({ transaction }) => transaction.hashHex),
      );
    }

    const drawn = pool.select({ ...head, gasLimit: GAS, maxBytes: BYTES });
    const inBundles = new Set(
      drawn.bundles.flatMap(({ start, length }) => Array.from({ length }, (_, offset) => start + offset)),
    );
    const nonces = new Map<string, bigint>();
    for (const [place, { sender, signed }] of drawn.transactions.entries()) {
      if (inBundles.has(place)) continue;
      const { lane, nonce } = signed.transaction;
      const name = `${sender}/${lane}`;
      assert.equal(nonce, nonces.get(name) ?? accounts.nextNonce(sender, lane), 'a nonce out of its order');
      nonces.set(name, nonce + 1n);
    }
    for (const { start, length, hashHex } of drawn.bundles) {
      assert.deepEqual(
        drawn.transactions.slice(start, start + length),
        this.bundles.get(hashHex)?.transactions,
      );
    }
    assert.deepEqual(
      drawn.transactions.map(({ hashHex }) => hashHex),
      this.#drawnPlainly().map(({ hashHex }) => hashHex),
    );
    if (drawn.transactions.length > 0) assert.ok(pool.hasReady());
  }

  /** Draws by a plain implementation of the rules: repeatedly picks the best of all possible next candidates. */
  #drawnPlainly(): VerifiedTransaction[] {
    const { accounts, head } = this.world;
    const price = (transactions: readonly VerifiedTransaction[]) => {
      const tips = transactions.map(({ signed }) => effectivePriorityFee(signed.transaction, head.baseFee));
      if (tips.some((tip) => tip < 0n)) return -1n;
      const gas = transactions.map(({ signed }) => signed.transaction.gas_limit);
      return (
        tips.reduce((sum, tip, i) => sum + tip * (gas[i] ?? 0n), 0n) / gas.reduce((sum, one) => sum + one, 0n)
      );
    };
    const laneOf = ({ sender, signed }: VerifiedTransaction) => `${sender}/${signed.transaction.lane}`;
    const next = new Map<string, bigint>();
    const nextOf = (one: VerifiedTransaction) =>
      next.get(laneOf(one)) ?? accounts.nextNonce(one.sender, one.signed.transaction.lane);
    const lanesAlone = new Set<string>();
    const gone = new Set<string>();
    const drawn: VerifiedTransaction[] = [];
    let [gas, bundleGas, bytes] = [GAS, GAS / 2n, BYTES];
    for (;;) {
      const units = [
        ...[...this.alone.values()]
          .filter((one) => one.signed.transaction.nonce === nextOf(one))
          .map((one) => ({ hash: one.hashHex, members: [one], bundle: false })),
        ...[...this.bundles.values()]
          .filter(({ hashHex, transactions }) => {
            const lanes = new Map(transactions.toReversed().map((one) => [laneOf(one), one]));
            return (
              !this.parked.has(hashHex) &&
              [...lanes.values()].every(
                (first) =>
                  first.signed.transaction.nonce ===
                  accounts.nextNonce(first.sender, first.signed.transaction.lane),
              )
            );
          })
          .map((one) => ({ hash: one.hashHex, members: [...one.transactions], bundle: true })),
      ].filter(({ hash, members }) => !gone.has(hash) && price(members) >= 0n);
      const [best] = units.sort((a, b) => {
        const difference = price(b.members) - price(a.members);
        return difference === 0n
          ? (this.arrivals.get(a.hash) ?? 0) - (this.arrivals.get(b.hash) ?? 0)
          : Number(difference);
      });
      if (best === undefined) return drawn;
      gone.add(best.hash);
      const { members, bundle } = best;
      if (bundle && members.some((one) => lanesAlone.has(laneOf(one)))) continue;
      const neededGas = members.reduce((sum, { signed }) => sum + signed.transaction.gas_limit, 0n);
      const neededBytes = members.reduce((sum, { encoded }) => sum + encoded.length + 1, 0);
      if (gas < GAS_TABLE.tx_base) return drawn;
      if (neededGas > gas || neededBytes > bytes || (bundle && neededGas > bundleGas)) continue;
      gas -= neededGas;
      bytes -= neededBytes;
      if (bundle) bundleGas -= neededGas;
      for (const one of members) {
        drawn.push(one);
        if (bundle) continue;
        lanesAlone.add(laneOf(one));
        next.set(laneOf(one), one.signed.transaction.nonce + 1n);
      }
    }
  }
}

test('after any history with bundles, a draw equals a plain implementation of the rules', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
      const model = new Model();
      for (const taken of steps) {
        model.take(taken);
        model.check();
      }
    }),
    { numRuns: sweep(30) },
  );
});
