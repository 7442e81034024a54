import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Admission, type AdmissionOptions } from '../../src/mempool/admission.js';
import { JournalError, TransactionError } from '../../src/mempool/errors.js';
import { PoolJournal } from '../../src/mempool/journal/journal.js';
import type { PoolLimits } from '../../src/mempool/pool-types.js';
import { UNPAID_LIMITS, UnpaidBytes } from '../../src/mempool/unpaid-bytes.js';
import { asVerified } from '../support/crypto/as-verified.js';
import { noncesOf, PoolWorld, poolTransaction } from '../support/worlds/pool-world.js';

/** Signature checks that finish when the test says so. */
class HeldChecks {
  readonly held: {
    readonly hashHex: string;
    readonly answer: (good: boolean) => void;
    readonly fail: (e: Error) => void;
  }[] = [];

  readonly ask: AdmissionOptions['checker']['ask'] = (transaction, _client, { resolve, reject }) => {
    this.held.push({
      hashHex: transaction.hashHex,
      answer: (good) => resolve(good ? asVerified(transaction) : undefined),
      fail: reject,
    });
  };
}

async function started(t: TestContext, limits: Partial<PoolLimits> = {}, unpaidLimits = UNPAID_LIMITS) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-admission-'));
  const { journal } = await PoolJournal.open(directory);
  t.after(async () => {
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const world = new PoolWorld(limits);
  const checks = new HeldChecks();
  const included = new Set<string>();
  const told: number[] = [];
  const unwritten: unknown[] = [];
  const refused: string[] = [];
  const unpaid = new UnpaidBytes(unpaidLimits, () => 0);
  const admission = new Admission({
    pool: world.pool,
    checker: checks,
    checkPoint: () => Promise.resolve(true),
    unpaid,
    journal,
    now: () => 5_000,
    isIncluded: (hash) => included.has(Buffer.from(hash).toString('hex')),
    onJournalError: (error) => unwritten.push(error),
    onRefused: (reason) => refused.push(reason),
    onAdmitted: () => told.push(world.pool.size),
    onBundle: () => undefined,
  });
  const journaled = async () => {
    const again = await PoolJournal.open(directory);
    await again.journal.close();
    return again.restored.transactions.map(({ encoded }) => Buffer.from(encoded).toString('hex'));
  };
  return { world, checks, admission, unpaid, journal, included, told, unwritten, refused, journaled };
}

const hexOf = ({ encoded }: { readonly encoded: Uint8Array }) => Buffer.from(encoded).toString('hex');

test('a transaction is acknowledged once its signature is verified and the journal has it', async (t) => {
  const { world, checks, admission, told, journaled } = await started(t);
  const transaction = poolTransaction();
  const submitted = admission.submit(transaction);
  assert.equal(world.pool.size, 0);
  checks.held[0]?.answer(true);
  const pending = await submitted;
  assert.deepEqual([pending.ready, pending.receivedMs], [true, 5_000]);
  assert.deepEqual(told, [1]);
  assert.deepEqual(await journaled(), [hexOf(transaction)]);
});

test('a client that keeps replacing its own transaction is refused before its signatures are checked', async (t) => {
  const bytes = 100 * 1024;
  const unpaidLimits = { ...UNPAID_LIMITS, burst: 4 * bytes };
  const { world, checks, admission, unpaid } = await started(t, {}, unpaidLimits);
  world.unpaid = unpaid;
  const all = Array.from({ length: 6 }, (_, round) =>
    poolTransaction({ nonce: 1, maxFee: 1_000 * 2 ** round, tip: 1_000 * 2 ** round, bytes }),
  );
  const submitted = all.slice(0, 5).map((one) => admission.submit(one, { client: 'mallory' }));
  for (const { answer } of checks.held.splice(0)) answer(true);
  await Promise.all(submitted);
  const [last] = all.slice(-1);
  assert.ok(last);
  await assert.rejects(admission.submit(last, { client: 'mallory' }), { reason: 'pool_full' });
  assert.equal(checks.held.length, 0);
  const honest = admission.submit(last, { client: 'honest' });
  checks.held[0]?.answer(true);
  await honest;
});

test('a validator that forwards replacements is not refused for them', async (t) => {
  const bytes = 100 * 1024;
  const { world, checks, admission, unpaid } = await started(t, {}, { ...UNPAID_LIMITS, burst: bytes });
  world.unpaid = unpaid;
  const relay = { client: 'validator 1', isRelay: true } as const;
  for (let round = 0; round < 5; round++) {
    const price = 1_000 * 2 ** round;
    const submitted = admission.submit(
      poolTransaction({ nonce: 1, maxFee: price, tip: price, bytes }),
      relay,
    );
    for (const { answer } of checks.held.splice(0)) answer(true);
    await submitted;
  }
  assert.equal(world.pool.size, 1);
});

test('a bad signature keeps a transaction out of the pool and of the journal', async (t) => {
  const { world, checks, admission, journaled } = await started(t);
  const submitted = admission.submit(poolTransaction());
  checks.held[0]?.answer(false);
  await assert.rejects(submitted, (error: unknown) => {
    assert.ok(error instanceof TransactionError);
    return error.reason === 'bad_signature';
  });
  assert.equal(world.pool.size, 0);
  assert.deepEqual(await journaled(), []);
});

test('a transaction that the journal cannot store is refused and leaves the pool; later ones are accepted', async (t) => {
  const { world, checks, admission, journal, unwritten, journaled } = await started(t);
  const append = t.mock.method(journal, 'appendMany', () => {
    throw new JournalError('unwritable', 'no space left');
  });
  const refused = [0, 1, 2].map((nonce) => admission.submit(poolTransaction({ nonce })));
  for (const { answer } of checks.held.splice(0)) answer(true);
  for (const submitted of refused) await assert.rejects(submitted, { code: 'unwritable' });
  assert.equal(world.pool.size, 0);
  assert.equal(unwritten.length, 1, 'told once a write');
  append.mock.restore();
  const again = admission.submit(poolTransaction({ nonce: 0 }));
  checks.held[0]?.answer(true);
  await again;
  assert.equal(world.pool.size, 1);
  assert.equal((await journaled()).length, 1);
});

test('refusals are reported with their reason, also for bundles', async (t) => {
  const { checks, admission, refused } = await started(t);
  await assert.rejects(admission.submit(poolTransaction({ chainId: 1n })));
  const bad = admission.submit(poolTransaction());
  checks.held[0]?.answer(false);
  await assert.rejects(bad);
  assert.deepEqual(refused, ['wrong_chain', 'bad_signature']);
});

test('a refusal by the cheap checks costs no signature check', async (t) => {
  const { checks, admission } = await started(t);
  await assert.rejects(admission.submit(poolTransaction({ chainId: 1n })), { reason: 'wrong_chain' });
  assert.equal(checks.held.length, 0);
});

test('two hundred concurrent transactions of one lane are all admitted, in whatever order their checks end', async (t) => {
  const { world, checks, admission } = await started(t, { maxNonceGap: 64 });
  const submitted = Array.from({ length: 200 }, (_, nonce) => admission.submit(poolTransaction({ nonce })));
  for (const { answer } of checks.held.toReversed()) answer(true);
  await Promise.all(submitted);
  assert.deepEqual(
    noncesOf(world.select()),
    Array.from({ length: 200 }, (_, nonce) => nonce),
  );
});

test('a check that fails for lack of a worker fails only its own transaction', async (t) => {
  const { world, checks, admission } = await started(t);
  const submitted = [0, 1, 2].map((nonce) => admission.submit(poolTransaction({ nonce })));
  checks.held[2]?.answer(true);
  checks.held[0]?.answer(true);
  checks.held[1]?.fail(new Error('no worker'));
  const results = await Promise.allSettled(submitted);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(noncesOf(world.select()), [0]);
});

test('a transaction sent twice concurrently is admitted once', async (t) => {
  const { world, checks, admission } = await started(t);
  const transaction = poolTransaction();
  const submitted = [admission.submit(transaction), admission.submit(transaction)];
  for (const { answer } of checks.held) answer(true);
  const results = await Promise.allSettled(submitted);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.equal(world.pool.size, 1);
});

test('an included transaction is already_known, not nonce_too_low', async (t) => {
  const { world, admission, included } = await started(t);
  const transaction = poolTransaction({ nonce: 0 });
  const other = poolTransaction({ nonce: 0, amount: 2 });
  world.accounts.setNonce('alice', 0, 1n);
  included.add(transaction.hashHex);
  await assert.rejects(admission.submit(transaction), { reason: 'already_known' });
  await assert.rejects(admission.submit(other), { reason: 'nonce_too_low' });
});

test('restored transactions are checked like new ones, and invalid ones are left out', async (t) => {
  const { world, checks, admission } = await started(t);
  world.accounts.setNonce('alice', 0, 1n);
  const all = [0, 1, 2].map((nonce) => poolTransaction({ nonce }));
  const restoring = admission.restore(all);
  assert.equal(checks.held.length, 2);
  checks.held[0]?.answer(true);
  checks.held[1]?.answer(false);
  assert.equal(await restoring, 1);
  assert.deepEqual(noncesOf(world.select()), [1]);
});

test('restored transactions that are left out have a reason, except for those in blocks', async (t) => {
  const { world, checks, admission, included } = await started(t, { maxTransactions: 8 });
  world.accounts.setNonce('alice', 0, 2n);
  const inBlock = poolTransaction({ nonce: 0 });
  included.add(inBlock.hashHex);
  const overtaken = poolTransaction({ nonce: 1 });
  const expired = poolTransaction({ nonce: 3, validUntil: 9 });
  const tooFar = poolTransaction({ nonce: 2n ** 60n });
  const waiting = poolTransaction({ nonce: 2 });
  const restoring = admission.restore([inBlock, overtaken, expired, tooFar, waiting, waiting]);
  for (const { answer } of checks.held) answer(true);
  assert.equal(await restoring, 1);
  const reasons = [inBlock, overtaken, expired, tooFar, waiting].map(
    ({ hashHex }) => world.pool.removal(hashHex)?.reason,
  );
  assert.deepEqual(reasons, [undefined, 'nonce_too_low', 'expired', 'nonce_gap_too_large', undefined]);
});
