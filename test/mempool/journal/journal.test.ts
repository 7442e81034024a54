import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { envelopeFromEncoded, envelopeFromSigned } from '../../../src/ledger/transaction-envelope.js';
import { JournalError } from '../../../src/mempool/errors.js';
import { PoolJournal } from '../../../src/mempool/journal/journal.js';
import { readJournal } from '../../../src/mempool/journal/journal-reader.js';
import { admittedRecord } from '../../../src/mempool/journal/journal-record.js';
import { PoolWorld, poolBundle, poolTransaction } from '../../support/worlds/pool-world.js';

const FILE = 'mempool.journal';

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-journal-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Opens the journal, closes it again, and returns the contents that a restart restores. */
async function reopened(path: string) {
  const { journal, restored } = await PoolJournal.open(path);
  await journal.close();
  return { ...restored, transactions: restored.transactions.map(({ encoded }) => Buffer.from(encoded)) };
}

function transactions(count: number, bytes = 200) {
  return Array.from({ length: count }, (_, nonce) => poolTransaction({ nonce, bytes }));
}

const encodedOf = (all: readonly { readonly encoded: Uint8Array }[]) =>
  all.map(({ encoded }) => Buffer.from(encoded));

test('appended records are read back in order, even without a clean shutdown', async (t) => {
  const path = directory(t);
  const { journal, restored } = await PoolJournal.open(path);
  t.after(() => journal.close());
  assert.deepEqual(restored, { transactions: [], bundles: [], removed: [], damaged: 0, tornBytes: 0 });
  const all = transactions(5);
  journal.appendMany(all.slice(0, 3));
  journal.appendMany(all.slice(3));
  assert.deepEqual(await reopened(path), {
    transactions: encodedOf(all),
    bundles: [],
    removed: [],
    damaged: 0,
    tornBytes: 0,
  });
});

test('a batch is one write, and an empty batch none', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  journal.appendMany([]);
  journal.flush();
  assert.equal(statSync(join(path, FILE)).size, 0);
  journal.appendMany(transactions(3));
  assert.equal(statSync(join(path, FILE)).size, journal.bytes);
});

test('removed transactions do not come back, included ones do', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  const [evicted, included, waiting] = transactions(3);
  assert.ok(evicted && included && waiting);
  journal.appendMany([evicted, included, waiting]);
  journal.recordRemoval(evicted, 'evicted');
  journal.recordRemoval(included, 'included');
  journal.flush();
  assert.deepEqual((await reopened(path)).transactions, encodedOf([included, waiting]));
});

test('a transaction that left and came again is restored at its last position', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  const [first, second] = transactions(2);
  assert.ok(first && second);
  journal.appendMany([first, second]);
  journal.recordRemoval(first, 'evicted');
  journal.appendMany([first]);
  assert.deepEqual((await reopened(path)).transactions, encodedOf([second, first]));
});

test('a torn tail is discarded, wherever it is torn, and appends continue after the last whole record', async (t) => {
  const path = directory(t);
  const all = transactions(3);
  const { journal } = await PoolJournal.open(path);
  journal.appendMany(all);
  await journal.close();
  const whole = readFileSync(join(path, FILE));
  const record = whole.length / 3;
  for (let cut = 2 * record; cut < whole.length; cut += 7) {
    writeFileSync(join(path, FILE), whole.subarray(0, cut));
    const again = await PoolJournal.open(path);
    assert.deepEqual(
      again.restored.transactions.map(({ encoded }) => Buffer.from(encoded)),
      encodedOf(all.slice(0, 2)),
    );
    assert.equal(again.restored.tornBytes, cut - 2 * record);
    again.journal.appendMany(all.slice(2));
    await again.journal.close();
    assert.deepEqual(await reopened(path), {
      transactions: encodedOf(all),
      bundles: [],
      removed: [],
      damaged: 0,
      tornBytes: 0,
    });
  }
});

test('a damaged record in the middle is skipped and counted, whichever byte is wrong', async (t) => {
  const path = directory(t);
  const all = transactions(3, 60);
  const { journal } = await PoolJournal.open(path);
  journal.appendMany(all);
  await journal.close();
  const whole = readFileSync(join(path, FILE));
  const record = whole.length / 3;
  for (let at = record; at < 2 * record; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0x55;
    writeFileSync(join(path, FILE), damaged);
    assert.deepEqual(
      await reopened(path),
      {
        transactions: encodedOf([all[0] ?? assert.fail(), all[2] ?? assert.fail()]),
        removed: [],
        damaged: 1,
        bundles: [],
        tornBytes: 0,
      },
      `byte ${at}`,
    );
  }
});

test('a file that is not a journal counts as empty and is reused', async (t) => {
  const path = directory(t);
  writeFileSync(join(path, FILE), 'HMJ1 this is not a record, nor is HMJ1HMJ1 this');
  const { journal, restored } = await PoolJournal.open(path);
  assert.deepEqual(restored, { transactions: [], bundles: [], removed: [], damaged: 0, tornBytes: 47 });
  const all = transactions(1);
  journal.appendMany(all);
  await journal.close();
  assert.deepEqual((await reopened(path)).transactions, encodedOf(all));
});

test('a journal of mostly old records is rewritten with what is pending, including concurrent appends', async (t) => {
  const path = directory(t);
  const world = new PoolWorld();
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  const past = transactions(60, 200_000);
  journal.appendMany(past);
  const waiting = [world.add({ from: 'a' }), world.add({ from: 'b' })];
  journal.appendMany(waiting);
  const rewriting = journal.rewriteIfStale(world.pool);
  const late = world.add({ from: 'c' });
  journal.appendMany([late]);
  assert.equal(await rewriting, true);
  const latest = world.add({ from: 'd' });
  journal.appendMany([latest]);
  assert.ok(journal.bytes < 2_000);
  assert.equal(statSync(join(path, FILE)).size, journal.bytes);
  assert.deepEqual(await reopened(path), {
    transactions: encodedOf([...waiting, late, latest]),
    removed: [],
    damaged: 0,
    bundles: [],
    tornBytes: 0,
  });
});

test('a small journal, or one of mostly pending records, is left alone', async (t) => {
  const path = directory(t);
  const world = new PoolWorld();
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  assert.equal(await journal.rewriteIfStale(world.pool), false);
  for (let nonce = 0; nonce < 50; nonce++) journal.appendMany([world.add({ nonce, bytes: 200_000 })]);
  assert.equal(await journal.rewriteIfStale(world.pool), false);
});

test('a rewrite cut off by the end of the process leaves the journal unchanged', async (t) => {
  const path = directory(t);
  const all = transactions(2);
  const { journal } = await PoolJournal.open(path);
  journal.appendMany(all);
  await journal.close();
  writeFileSync(join(path, `${FILE}.new`), readFileSync(join(path, FILE)).subarray(0, 100));
  assert.deepEqual((await reopened(path)).transactions, encodedOf(all));
  assert.throws(() => statSync(join(path, `${FILE}.new`)), /ENOENT/);
});

test('a missing directory is an error that names the file', async (t) => {
  const path = join(directory(t), 'missing');
  await assert.rejects(PoolJournal.open(path), (error: unknown) => {
    assert.ok(error instanceof JournalError);
    assert.equal(error.code, 'unreadable');
    assert.match(error.message, /mempool\.journal.*ENOENT/);
    return true;
  });
});

test('writing to a closed journal is a typed error', async (t) => {
  const { journal } = await PoolJournal.open(directory(t));
  await journal.close();
  assert.throws(
    () => journal.appendMany(transactions(1)),
    (error: unknown) => {
      assert.ok(error instanceof JournalError);
      assert.equal(error.code, 'unwritable');
      assert.match(error.message, /stays/);
      // The partial write could not be truncated either.
      assert.ok(error.cause instanceof AggregateError);
      assert.equal(error.cause.errors.length, 2);
      return true;
    },
  );
});

test('bytes appended by another program are skipped', async (t) => {
  const path = directory(t);
  const all = transactions(2);
  const { journal } = await PoolJournal.open(path);
  journal.appendMany(all.slice(0, 1));
  appendFileSync(join(path, FILE), 'noise');
  journal.appendMany(all.slice(1));
  await journal.close();
  assert.deepEqual(await reopened(path), {
    transactions: encodedOf(all),
    bundles: [],
    removed: [],
    damaged: 1,
    tornBytes: 0,
  });
});

test('an envelope is restored as an envelope', async (t) => {
  const path = directory(t);
  const header = {
    chain_id: 7n,
    sender: new Uint8Array(20),
    lane: 0,
    nonce: 0n,
    gas_limit: 1n,
    opens_at: 9n,
    max_fee: 2n,
    priority_fee: 1n,
    max_seal_fee: 3n,
  };
  const parts = {
    u: new Uint8Array(48),
    v: new Uint8Array(32),
    w: new Uint8Array(32),
    payload: new Uint8Array(5),
  };
  const value = { public_key: new Uint8Array(32), signature: new Uint8Array(64) };
  const crypto = await loadCrypto('off', () => undefined);
  const envelope = envelopeFromSigned(
    { envelope: { header, ...parts }, signature: { type: 'ed25519', value } },
    crypto,
  );
  const [transaction] = transactions(1);
  const { journal } = await PoolJournal.open(path);
  journal.appendMany([envelope, ...(transaction === undefined ? [] : [transaction])]);
  await journal.close();
  const again = await PoolJournal.open(path);
  await again.journal.close();
  assert.deepEqual(
    again.restored.transactions.map(({ isEnvelope }) => isEnvelope),
    [true, false],
  );
  assert.deepEqual(
    envelopeFromEncoded(again.restored.transactions[0]?.encoded ?? new Uint8Array(0), crypto),
    envelope,
  );
});

test('extending a bundle takes 53 bytes, and the latest last height is restored', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  const members = [
    { nonce: 5, bytes: 100_000 },
    { nonce: 6, bytes: 100_000 },
  ];
  const bundle = poolBundle(members, 20n);
  journal.appendMany([], [bundle]);
  const before = journal.bytes;
  // One write also holds an older record, as when the bundle leaves and returns within one tick.
  journal.appendMany([], [], [poolBundle(members, 40n), poolBundle(members, 30n)]);
  assert.equal(journal.bytes, before + 2 * 53);
  journal.appendMany([], [], [poolBundle([{ nonce: 9 }], 99n)]);
  await journal.close();
  const { bundles, damaged } = await reopened(path);
  assert.deepEqual(
    bundles.map(({ maxHeight, transactions }) => [maxHeight, transactions.length]),
    [[40n, 2]],
    'an extension of an unknown bundle is ignored',
  );
  assert.equal(damaged, 0);
});

test('an extension does not bring back a bundle that left', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  const bundle = poolBundle([{ nonce: 5 }], 20n);
  journal.appendMany([], [bundle]);
  journal.recordRemoval(bundle, 'evicted');
  journal.flush();
  journal.appendMany([], [], [poolBundle([{ nonce: 5 }], 40n)]);
  await journal.close();
  assert.deepEqual((await reopened(path)).bundles, []);
});

test('records are read correctly wherever the file’s read chunks end', async () => {
  const all = transactions(3, 300);
  const whole = Buffer.concat([
    admittedRecord(all[0] ?? assert.fail()),
    Buffer.from('HMJ1 noise HMJ'),
    ...all.slice(1).map(admittedRecord),
    Buffer.from('HMJ1'),
  ]);
  for (let length = 1; length <= whole.length; length += 13) {
    const pieces = Array.from({ length: Math.ceil(whole.length / length) }, (_, index) =>
      whole.subarray(index * length, (index + 1) * length),
    );
    const { transactions: found, damaged, end, size } = await readJournal(Readable.from(pieces));
    assert.deepEqual(
      found.map(({ encoded }) => Buffer.from(encoded)),
      encodedOf(all),
    );
    assert.deepEqual([damaged, end, size], [1, whole.length - 4, whole.length], `pieces of ${length}`);
  }
});

/** A journal with small limits, and a pool world for it. */
async function small(t: TestContext) {
  const path = directory(t);
  const limits = { minRewriteBytes: 20_000, maxAppendedBytes: 10_000, retryMs: 0 };
  const { journal } = await PoolJournal.open(path, limits);
  t.after(() => journal.close());
  return { path, journal, world: new PoolWorld() };
}

test('appends wait while the file grows faster than it is rewritten', async (t) => {
  const { path, journal, world } = await small(t);
  journal.appendMany(transactions(100));
  const rewriting = journal.rewriteIfStale(world.pool);
  assert.equal(journal.busy, undefined);
  const late = [world.add({ from: 'a', bytes: 10_000 }), world.add({ from: 'b', bytes: 10_000 })];
  journal.appendMany(late);
  assert.ok(journal.busy !== undefined);
  await journal.busy;
  assert.equal(await rewriting, true);
  assert.equal(journal.busy, undefined);
  assert.deepEqual((await reopened(path)).transactions, encodedOf(late));
});

test('a file that cannot be rewritten stops growing at a limit', async (t) => {
  const { path, journal, world } = await small(t);
  journal.appendMany(transactions(100));
  mkdirSync(join(path, `${FILE}.new`));
  const { bytes } = journal;
  await assert.rejects(journal.rewriteIfStale(world.pool), /cannot rewrite/);
  assert.throws(() => {
    for (let nonce = 0; nonce < 100; nonce++) {
      journal.appendMany([poolTransaction({ from: 'a', nonce })]);
      journal.rewriteIfStale(world.pool).catch(() => undefined);
    }
  }, /could not be rewritten/);
  assert.ok(journal.bytes <= bytes + 10_000, `${journal.bytes} bytes`);
  await journal.rewriting;
  assert.equal(journal.isWritable, false);
  await assert.rejects(journal.tryAgain(world.pool), /cannot rewrite/);
  assert.equal(journal.isWritable, false);
  rmSync(join(path, `${FILE}.new`), { recursive: true });
  await journal.tryAgain(world.pool);
  assert.equal(journal.isWritable, true);
  journal.appendMany(transactions(1));
});

test('after a failed write, the journal is not writable until as much can be written again', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  const { pool } = new PoolWorld();
  const all = [100, 300_000, 200].map((bytes, nonce) => poolTransaction({ nonce, bytes }));
  const [first, large, last] = all.map((each) => [each]);
  journal.appendMany(first ?? []);
  // Writing to a file that is open for reading fails.
  const readable = openSync(join(path, FILE), 'r');
  t.after(() => closeSync(readable));
  const probe = await open(path);
  const broken = t.mock.getter(Object.getPrototypeOf(probe) as { fd: number }, 'fd', () => readable);
  assert.throws(() => journal.appendMany(large ?? []), { code: 'unwritable' });
  await journal.tryAgain(pool);
  assert.equal(journal.isWritable, false);
  broken.mock.restore();
  await probe.close();
  // A full disk may have room for a short record.
  journal.appendMany(last ?? []);
  assert.equal(journal.isWritable, false);
  await journal.tryAgain(pool);
  assert.equal(journal.isWritable, true);
  await journal.close();
  const { transactions: restored, damaged, tornBytes } = await reopened(path);
  assert.deepEqual(restored, encodedOf([...(first ?? []), ...(last ?? [])]));
  assert.deepEqual([damaged, tornBytes], [0, 0]);
});

test('a journal that is closed does not wait for its rewrite', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path, { minRewriteBytes: 20_000 });
  const world = new PoolWorld();
  const waiting = Array.from({ length: 40 }, (_, nonce) => world.add({ nonce, bytes: 500_000 }));
  for (let round = 0; round < 3; round++) journal.appendMany(waiting);
  const rewriting = journal.rewriteIfStale(world.pool);
  await journal.close();
  assert.equal(await rewriting, false);
  assert.deepEqual(readdirSync(path), [FILE]);
  assert.deepEqual((await reopened(path)).transactions, encodedOf(waiting));
});

test('a rewrite writes no more than was appended since the last one, and the file stays within its bound', async (t) => {
  const { journal, world } = await small(t);
  let appended = 0;
  let rewritten = 0;
  let most = 0;
  for (let maxFee = 1_000, round = 0; round < 150; round++, maxFee = Math.ceil(maxFee * 1.1)) {
    const next = world.add({ nonce: 1, maxFee, tip: maxFee, bytes: 5_000 });
    appended += 5_045;
    journal.appendMany([next]);
    if (await journal.rewriteIfStale(world.pool)) rewritten += journal.bytes;
    most = Math.max(most, journal.bytes);
  }
  assert.ok(rewritten > 0 && rewritten <= appended, `${rewritten} rewritten for ${appended}`);
  assert.ok(most <= 20_000 + 5_045, `${most} bytes`);
});

test('removed transactions are known again with their reason, unless they came back', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  const [expired, evicted, included, returned] = transactions(4);
  assert.ok(expired && evicted && included && returned);
  journal.appendMany([expired, evicted, included, returned]);
  journal.recordRemoval(expired, 'expired');
  journal.recordRemoval(evicted, 'evicted');
  journal.recordRemoval(included, 'included');
  journal.recordRemoval(returned, 'evicted');
  journal.flush();
  journal.appendMany([returned]);
  await journal.close();
  const { removed } = await reopened(path);
  assert.deepEqual(
    removed.map(({ hash, reason }) => [Buffer.from(hash).toString('hex'), reason]),
    [
      [expired.hashHex, 'expired'],
      [evicted.hashHex, 'evicted'],
    ],
  );
});
