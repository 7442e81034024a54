import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { Cancellation } from '../../src/execution/cancellation.js';
import type { ExecutionPool, ExecutionPoolOptions } from '../../src/execution/pool/execution-pool.js';
import { SignatureChecker } from '../../src/execution/signature-checker.js';
import { signedTransfer } from '../support/crypto/signed-transactions.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { NodeParts } from '../support/nodes/node-parts.js';

const MORTAL = new URL('../support/threads/crashing-worker.js', import.meta.url);

function started(t: TestContext, options: Partial<ExecutionPoolOptions> = {}): ExecutionPool {
  return NodeParts.for(t).execution(options);
}

/** Input of the mortal worker; see its file. */
function orders({ deaths = 0, hang = false }) {
  const words = new Int32Array(new SharedArrayBuffer(12));
  words[1] = deaths;
  words[2] = hang ? 1 : 0;
  return { words, input: new Uint8Array(words.buffer) };
}

for (const native of NATIVE_MODES) {
  test(`workers check signatures of both schemes, --native ${native}`, async (t) => {
    const crypto = await loadCrypto('auto');
    const checker = new SignatureChecker(started(t, { setup: { native }, workers: 2 }));
    const all = Array.from({ length: 40 }, (_, key) =>
      signedTransfer(crypto, key % 4 === 0 ? 'secp256k1' : 'ed25519', key),
    );
    const other = signedTransfer(crypto, 'ed25519', 99);
    const forged = all.map((transaction, place) =>
      place % 5 === 0 ? { ...transaction, hash: other.hash } : transaction,
    );
    assert.deepEqual(
      await Promise.all(forged.map((transaction) => checker.verify(transaction))),
      forged.map((transaction, place) => (place % 5 === 0 ? undefined : transaction)),
    );
  });
}

test('a task whose worker dies is completed by another', async (t) => {
  const pool = started(t, { worker: MORTAL });
  const { input } = orders({ deaths: 1 });
  assert.deepEqual(await pool.run('verify_signatures', input), new Uint8Array([1]));
});

test('a task that crashes two workers fails, and the pool continues', async (t) => {
  const pool = started(t, { worker: MORTAL });
  const { words, input } = orders({ deaths: 2 });
  await assert.rejects(pool.run('verify_signatures', input), { name: 'ExecutionError', code: 'worker_died' });
  assert.equal(words[0], 2);
  assert.deepEqual(await pool.run('verify_signatures', input), new Uint8Array([2]));
  assert.equal(pool.load, 0);
});

test('a task beyond the queue limit is refused at once as overloaded', async (t) => {
  const pool = started(t, { worker: MORTAL, maxTasks: 2 });
  const { words, input } = orders({ hang: true });
  const held = [pool.run('verify_signatures', input), pool.run('verify_signatures', input)];
  await assert.rejects(pool.run('verify_signatures', input), { code: 'overloaded' });
  Atomics.store(words, 2, 0);
  Atomics.notify(words, 2);
  assert.equal((await Promise.all(held)).length, 2);
  await pool.run('verify_signatures', input);
});

test('a task that fails in the worker is an error with its message', async (t) => {
  const pool = started(t);
  await assert.rejects(pool.run('verify_signatures', new Uint8Array(7)), (error: unknown) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /verify_signatures: .*150 bytes/);
    return Object.hasOwn(error, 'code') && Reflect.get(error, 'code') === 'task_failed';
  });
  assert.deepEqual(await pool.run('verify_signatures', new Uint8Array(0)), new Uint8Array(0));
});

test('a caller can cancel a task, even one that never ends', async (t) => {
  const pool = started(t, { worker: MORTAL });
  const cancellation = new Cancellation();
  const { words, input } = orders({ hang: true });
  const hanging = pool.run('verify_signatures', input, { cancellation });
  while (Atomics.load(words, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  cancellation.cancel();
  await assert.rejects(hanging, { code: 'aborted' });
  assert.deepEqual(await pool.run('verify_signatures', orders({}).input), new Uint8Array([0]));
});

test('stopping terminates a task that never ends, refuses new ones, and is idempotent', async (t) => {
  const pool = started(t, { worker: MORTAL });
  const { words, input } = orders({ hang: true });
  const hanging = assert.rejects(pool.run('verify_signatures', input), { code: 'stopped' });
  const waiting = assert.rejects(pool.run('verify_signatures', input), { code: 'stopped' });
  while (Atomics.load(words, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all([pool.stop(), pool.stop()]);
  await hanging;
  await waiting;
  await assert.rejects(pool.run('verify_signatures', input), { code: 'stopped' });
});

test('a task that reads the store fails with a reason in workers without one', async (t) => {
  const pool = started(t);
  await assert.rejects(pool.run('predict', { transactions: [] } as never), {
    code: 'task_failed',
    message: /started without/,
  });
});
