import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BundleHashHex, TransactionHashHex } from '../../src/ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { Admission, type AdmissionOptions } from '../../src/mempool/admission.js';
import type { VerifiedBundle } from '../../src/mempool/bundles/bundle.js';
import { PoolJournal } from '../../src/mempool/journal/journal.js';
import type { PoolLimits } from '../../src/mempool/pool-types.js';
import { UNPAID_LIMITS, UnpaidBytes } from '../../src/mempool/unpaid-bytes.js';
import { asVerified } from '../support/crypto/as-verified.js';
import { sweep } from '../support/sweep.js';
import { addressOf, PoolWorld, poolBundle, poolTransaction } from '../support/worlds/pool-world.js';

/*
 * Random histories of a small pool and its journal that end in a stop or a kill: a restart restores exactly the
 * acknowledged transactions that have not left.
 */

const NAMES = ['alice', 'bob', 'carol'] as const;
const LIMITS: Partial<PoolLimits> = {
  maxTransactions: 12,
  maxBytes: 4_000,
  maxNonceGap: 3,
  gappedTtlMs: 500,
};
/** Small enough to keep the journal rewriting. */
const JOURNAL_LIMITS = { minRewriteBytes: 1_500 };

const spec = fc.record({
  from: fc.constantFrom(...NAMES),
  lane: fc.integer({ min: 0, max: 1 }),
  ahead: fc.integer({ min: 0, max: 5 }),
  maxFee: fc.integer({ min: 8, max: 60 }),
  tip: fc.integer({ min: 0, max: 40 }),
  gas: fc.integer({ min: 30_000, max: 60_000 }),
  bytes: fc.integer({ min: 40, max: 700 }),
});

const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      specs: fc.array(spec, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bundle' as const),
      specs: fc.array(spec, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('seal' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      baseFee: fc.bigInt({ min: 1n, max: 30n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('leaveOut' as const),
      from: fc.constantFrom(...NAMES),
      lane: fc.integer({ min: 0, max: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('balance' as const),
      from: fc.constantFrom(...NAMES),
      balance: fc.bigInt({ min: 0n, max: 12_000_000n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 600 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const ALL_GOOD: AdmissionOptions['checker'] = {
  ask: (transaction, _client, { resolve }) => resolve(asVerified(transaction)),
};

function admissionOf(world: PoolWorld, journal: PoolJournal): Admission {
  world.journal = journal;
  return new Admission({
    pool: world.pool,
    checker: ALL_GOOD,
    checkPoint: () => Promise.resolve(true),
    unpaid: new UnpaidBytes(UNPAID_LIMITS, () => 0),
    journal,
    now: () => 5_000,
    isIncluded: () => false,
    onJournalError: (error) => assert.fail(String(error)),
    onRefused: () => undefined,
    onAdmitted: () => undefined,
    onBundle: () => undefined,
  });
}

/** The pool and journal of a node, across restarts. */
class Machine {
  readonly directory: string;
  readonly #transactions = new Map<string, VerifiedTransaction>();
  readonly #bundles = new Map<string, VerifiedBundle>();
  readonly #rewrites: Promise<unknown>[] = [];
  world = new PoolWorld(LIMITS);
  journal: PoolJournal;
  #admission: Admission;
  /** Pool contents and journal length before the last write. */
  before = { alone: new Set<TransactionHashHex>(), bundles: new Set<BundleHashHex>(), bytes: 0 };

  private constructor(directory: string, journal: PoolJournal) {
    this.directory = directory;
    this.journal = journal;
    this.#admission = admissionOf(this.world, journal);
  }

  static async start(): Promise<Machine> {
    const directory = mkdtempSync(join(tmpdir(), 'heddle-restart-'));
    const { journal } = await PoolJournal.open(directory, JOURNAL_LIMITS);
    return new Machine(directory, journal);
  }

  async take(taken: Step): Promise<void> {
    const { world, journal } = this;
    this.before = { ...this.here(), bytes: journal.bytes };
    world.removals.length = 0;
    switch (taken.do) {
      case 'submit': {
        const all = taken.specs.map((one) => this.#transaction(one));
        await Promise.allSettled(all.map((one) => this.#admission.submit(one)));
        break;
      }
      case 'bundle': {
        const bundle = poolBundle(taken.specs.map((one) => this.#transaction(one)));
        this.#bundles.set(bundle.hashHex, bundle);
        await Promise.allSettled([this.#admission.submitBundle(bundle)]);
        break;
      }
      case 'seal': {
        const alone = world.pool.select({ ...world.head, maxTransactions: 4 });
        const drawn = alone.bundles.length > 0 ? [] : alone.transactions;
        world.seal(drawn.slice(0, Math.ceil(drawn.length * taken.share)), { baseFee: taken.baseFee });
        this.#committed();
        break;
      }
      case 'leaveOut': {
        const next = world.accounts.nextNonce(addressOf(taken.from), taken.lane);
        const head = [...world.pool.transactions()].find(
          ({ sender, signed }) =>
            sender === addressOf(taken.from) &&
            signed.transaction.lane === taken.lane &&
            signed.transaction.nonce === next,
        );
        if (head !== undefined) world.pool.drop(head.hashHex, 'insufficient_balance', 'for the test');
        world.seal([]);
        this.#committed();
        break;
      }
      case 'balance':
        world.accounts.setBalance(taken.from, taken.balance);
        world.seal([], { changed: [taken.from] });
        this.#committed();
        break;
      case 'wait':
        world.clockMs += taken.ms;
        world.pool.dropOverdue();
        journal.flush();
    }
  }

  here() {
    const { pool } = this.world;
    return {
      alone: new Set([...pool.transactions()].map(({ hashHex }) => hashHex)),
      bundles: new Set([...pool.bundles()].map(({ hashHex }) => hashHex)),
    };
  }

  /** Ends the process and starts another on the same files. */
  async restart(how: 'stop' | 'kill', cutTo?: (bytes: number) => number): Promise<void> {
    await Promise.all(this.#rewrites.splice(0));
    // Waits for the rewrite, which would have ended with a separate process.
    await this.journal.rewriting;
    if (how === 'stop') await this.journal.close();
    const path = join(this.directory, 'mempool.journal');
    if (cutTo !== undefined) truncateSync(path, cutTo(statSync(path).size));
    const old = this.world;
    const opened = await PoolJournal.open(this.directory, JOURNAL_LIMITS);
    if (how === 'kill') await this.journal.close().catch(() => undefined);
    this.journal = opened.journal;
    this.world = new PoolWorld(LIMITS, old.head, old.accounts);
    this.world.clockMs = old.clockMs;
    this.#admission = admissionOf(this.world, this.journal);
    const known = opened.restored.transactions.map(({ encoded }) => this.#known(encoded));
    await this.#admission.restore(known);
    await this.#admission.restoreBundles(
      opened.restored.bundles.map(({ maxHeight, transactions }) =>
        poolBundle(
          transactions.map((bytes) => this.#known(bytes)),
          maxHeight,
        ),
      ),
    );
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#rewrites);
    await this.journal.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #committed(): void {
    this.journal.flush();
    this.#rewrites.push(this.journal.rewriteIfStale(this.world.pool));
  }

  #transaction({ ahead, ...rest }: { readonly ahead: number; readonly from: string; readonly lane: number }) {
    const nonce = this.world.accounts.nextNonce(addressOf(rest.from), rest.lane) + BigInt(ahead);
    const made = poolTransaction({ ...rest, nonce });
    this.#transactions.set(Buffer.from(made.encoded).toString('hex'), made);
    return made;
  }

  #known(bytes: Uint8Array): VerifiedTransaction {
    return this.#transactions.get(Buffer.from(bytes).toString('hex')) ?? assert.fail('never submitted');
  }
}

const history = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' });

for (const how of ['stop', 'kill'] as const) {
  test(`after any history a restart restores exactly the waiting transactions, ${how}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 3 }), async (histories) => {
        const machine = await Machine.start();
        try {
          for (const steps of histories) {
            for (const taken of steps) await machine.take(taken);
            const before = machine.here();
            const order = [...before.alone];
            const drawn = machine.world.select();
            const bundled = machine.world.pool.stats().bundles > 0;
            await machine.restart(how);
            assert.deepEqual(machine.here(), before);
            assert.deepEqual([...machine.here().alone], order, 'by arrival');
            if (!bundled) assert.deepEqual(machine.world.select(), drawn);
          }
        } finally {
          await machine.dispose();
        }
      }),
      { numRuns: sweep(6) },
    );
  });
}

test('a write cut off anywhere loses nothing that was acknowledged before it', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.double({ min: 0, max: 1, noNaN: true }), async (steps, at) => {
      const machine = await Machine.start();
      try {
        for (const taken of steps) await machine.take(taken);
        const { before, world, journal } = machine;
        // A shorter journal means that a rewrite followed the write, so there is nothing to cut off.
        if (journal.bytes < before.bytes) return;
        const after = machine.here();
        const places = new Map(
          [...world.pool.transactions(), ...world.removals.map(({ transaction }) => transaction)].map(
            (one) => [one.hashHex, placeOf(one)],
          ),
        );
        const left = new Map(world.removals.map(({ transaction, reason }) => [transaction.hashHex, reason]));
        // A replacement that was evicted in the same write leaves no transaction at its place.
        const givenUp = new Set(
          world.removals
            .filter(({ reason }) => reason !== 'replaced')
            .map(({ transaction }) => placeOf(transaction)),
        );
        await machine.restart('kill', (bytes) => Math.ceil(before.bytes + (bytes - before.bytes) * at));
        const here = machine.here();
        const taken = new Set([...machine.world.pool.transactions()].map(placeOf));
        for (const hash of before.alone) {
          if (after.alone.has(hash)) assert.ok(here.alone.has(hash), 'lost');
          const place = places.get(hash) ?? '';
          if (left.get(hash) === 'replaced' && !givenUp.has(place)) {
            assert.ok(taken.has(place), 'lost with its heir');
          }
        }
        for (const hash of here.alone) assert.ok(before.alone.has(hash) || after.alone.has(hash));
      } finally {
        await machine.dispose();
      }
    }),
    { numRuns: sweep(10) },
  );
});

function placeOf({ sender, signed }: TransactionEnvelope): string {
  const { lane, nonce } = signed.transaction;
  return `${sender}/${lane}/${nonce}`;
}

test('transactions behind a replaced head are restored, however long the lane is', async () => {
  const machine = await Machine.start();
  try {
    machine.world = new PoolWorld();
    const [head, ...rest] = Array.from({ length: 149 }, (_, nonce) => poolTransaction({ nonce }));
    assert.ok(head !== undefined);
    const replacement = poolTransaction({ nonce: 0, maxFee: 2_000, tip: 20 });
    const admitted = machine.world.pool.restore(
      [...rest, replacement].map((transaction, arrival) => ({
        transaction,
        reception: { arrival, receivedMs: 0 },
      })),
    );
    assert.equal(admitted, 149);
    assert.equal(machine.world.pool.stats().ready, 149);
  } finally {
    await machine.dispose();
  }
});

test('a bundle that waits for balance is restored and keeps waiting', async () => {
  const machine = await Machine.start();
  try {
    await machine.take({
      do: 'bundle',
      specs: [{ from: 'alice', lane: 0, ahead: 0, maxFee: 20, tip: 1, gas: 30_000, bytes: 100 }],
    });
    await machine.take({ do: 'balance', from: 'alice', balance: 1n });
    assert.equal(machine.world.pool.stats().ready, 0);
    const before = machine.here();
    assert.equal(before.bundles.size, 1);
    for (const how of ['stop', 'kill'] as const) {
      await machine.restart(how);
      assert.deepEqual(machine.here(), before);
      assert.equal(machine.world.pool.hasReady(), false);
    }
    await machine.take({ do: 'balance', from: 'alice', balance: 12_000_000n });
    assert.equal(machine.world.select().length, 1);
  } finally {
    await machine.dispose();
  }
});
