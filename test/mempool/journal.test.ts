import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { envelopeFromEncoded, envelopeFromSigned } from '../../src/ledger/transaction-envelope.js';
import { JournalError, PoolJournal } from '../../src/mempool/journal.js';
import { PoolWorld, poolTransaction } from '../support/pool-world.js';

const FILE = 'mempool.journal';

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-journal-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What a restart finds; the journal is closed again. */
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

test('what was appended is found again in its order, also without a clean end', async (t) => {
  const path = directory(t);
  const { journal, restored } = await PoolJournal.open(path);
  t.after(() => journal.close());
  assert.deepEqual(restored, { transactions: [], bundles: [], damaged: 0, tornBytes: 0 });
  const all = transactions(5);
  journal.appendMany(all.slice(0, 3));
  journal.appendMany(all.slice(3));
  assert.deepEqual(await reopened(path), {
    transactions: encodedOf(all),
    bundles: [],
    damaged: 0,
    tornBytes: 0,
  });
});

test('a batch is one write, nothing is none', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  journal.appendMany([]);
  journal.flush();
  assert.equal(statSync(join(path, FILE)).size, 0);
  journal.appendMany(transactions(3));
  assert.equal(statSync(join(path, FILE)).size, journal.bytes);
});

test('what left without being included does not come back, what was included does', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  const [evicted, included, waiting] = transactions(3);
  assert.ok(evicted && included && waiting);
  journal.appendMany([evicted, included, waiting]);
  journal.noteDeparture({ transaction: evicted, reason: 'evicted' });
  journal.noteDeparture({ transaction: included, reason: 'included' });
  journal.flush();
  assert.deepEqual((await reopened(path)).transactions, encodedOf([included, waiting]));
});

test('a transaction that left and came again is found where it came last', async (t) => {
  const path = directory(t);
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  const [first, second] = transactions(2);
  assert.ok(first && second);
  journal.appendMany([first, second]);
  journal.noteDeparture({ transaction: first, reason: 'evicted' });
  journal.appendMany([first]);
  assert.deepEqual((await reopened(path)).transactions, encodedOf([second, first]));
});

test('a torn tail is given up, wherever it is torn, and appending goes on behind what is whole', async (t) => {
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
        damaged: 1,
        bundles: [],
        tornBytes: 0,
      },
      `byte ${at}`,
    );
  }
});

test('a file that is no journal at all holds nothing and is used again', async (t) => {
  const path = directory(t);
  writeFileSync(join(path, FILE), 'HMJ1 this is not a record, nor is HMJ1HMJ1 this');
  const { journal, restored } = await PoolJournal.open(path);
  assert.deepEqual(restored, { transactions: [], bundles: [], damaged: 0, tornBytes: 47 });
  const all = transactions(1);
  journal.appendMany(all);
  await journal.close();
  assert.deepEqual((await reopened(path)).transactions, encodedOf(all));
});

test('a journal mostly about the past is rewritten with what waits, appends in the meantime included', async (t) => {
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
    damaged: 0,
    bundles: [],
    tornBytes: 0,
  });
});

test('a small journal, or one about what still waits, is left alone', async (t) => {
  const path = directory(t);
  const world = new PoolWorld();
  const { journal } = await PoolJournal.open(path);
  t.after(() => journal.close());
  assert.equal(await journal.rewriteIfStale(world.pool), false);
  for (let nonce = 0; nonce < 50; nonce++) journal.appendMany([world.add({ nonce, bytes: 200_000 })]);
  assert.equal(await journal.rewriteIfStale(world.pool), false);
});

test('a rewrite that was cut off by the end of the process leaves the journal as it was', async (t) => {
  const path = directory(t);
  const all = transactions(2);
  const { journal } = await PoolJournal.open(path);
  journal.appendMany(all);
  await journal.close();
  writeFileSync(join(path, `${FILE}.new`), readFileSync(join(path, FILE)).subarray(0, 100));
  assert.deepEqual((await reopened(path)).transactions, encodedOf(all));
  assert.throws(() => statSync(join(path, `${FILE}.new`)), /ENOENT/);
});

test('a directory that is not there is an error that names the file', async (t) => {
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
      // What was written of it could not be taken back either.
      assert.ok(error.cause instanceof AggregateError);
      assert.equal(error.cause.errors.length, 2);
      return true;
    },
  );
});

test('bytes that another program appended are skipped', async (t) => {
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
    damaged: 1,
    tornBytes: 0,
  });
});

test('an envelope comes back as one', async (t) => {
  const path = directory(t);
  const header = {
    ...{ chain_id: 7n, sender: new Uint8Array(20), lane: 0, nonce: 0n, gas_limit: 1n, opens_at: 9n },
    ...{ max_fee: 2n, priority_fee: 1n },
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
