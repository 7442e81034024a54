import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExecutionError } from '../../src/execution/execution-error.js';
import {
  decodeSignatures,
  encodeVerdicts,
  type SignatureTasks,
} from '../../src/execution/signature-batch.js';
import { SignatureChecker } from '../../src/execution/signature-checker.js';
import type { TaskWorkers } from '../../src/execution/task-runner.js';
import { poolTransaction } from '../support/worlds/pool-world.js';

interface Sent {
  readonly hashes: string[];
  readonly answer: (isGood: (hash: string) => boolean) => void;
  readonly fail: (error: Error) => void;
}

/** Workers whose results the test provides. */
function fakeWorkers(workers: number): { pool: TaskWorkers<SignatureTasks>; sent: Sent[] } {
  const sent: Sent[] = [];
  const run = (_kind: 'verify_signatures', batch: Uint8Array) =>
    new Promise<Uint8Array>((resolve, reject) => {
      const hashes = decodeSignatures(batch).map(({ hash }) => Buffer.from(hash).toString('hex'));
      sent.push({
        hashes,
        answer: (isGood) => resolve(encodeVerdicts(hashes.map(isGood))),
        fail: reject,
      });
    });
  return { pool: { workers, run }, sent };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const transactions = (count: number) =>
  Array.from({ length: count }, (_, nonce) => poolTransaction({ nonce }));

test('checks requested in one event loop tick are sent as one task', async () => {
  const { pool, sent } = fakeWorkers(1);
  const checker = new SignatureChecker(pool);
  const all = transactions(5);
  const answers = all.map((transaction) => checker.verify(transaction));
  assert.equal(sent.length, 0);
  await nextTurn();
  assert.deepEqual(
    sent.map(({ hashes }) => hashes),
    [all.map(({ hashHex }) => hashHex)],
  );
  const bad = all[3]?.hashHex;
  sent[0]?.answer((hash) => hash !== bad);
  assert.deepEqual(
    await Promise.all(answers),
    all.map((transaction, place) => (place === 3 ? undefined : transaction)),
  );
  assert.equal(checker.waiting, 0);
});

test('a large batch is divided evenly over the workers, a small one is not', async () => {
  const { pool, sent } = fakeWorkers(3);
  const checker = new SignatureChecker(pool);
  const large = transactions(100).map((transaction) => checker.verify(transaction));
  await nextTurn();
  assert.deepEqual(
    sent.map(({ hashes }) => hashes.length),
    [34, 34, 32],
  );
  for (const task of sent.splice(0)) task.answer(() => true);
  await Promise.all(large);
  const small = transactions(16).map((transaction) => checker.verify(transaction));
  await nextTurn();
  assert.deepEqual(
    sent.map(({ hashes }) => hashes.length),
    [16],
  );
  sent[0]?.answer(() => true);
  await Promise.all(small);
});

test('a very large batch is split into parts that let other work run in between', async () => {
  const { pool, sent } = fakeWorkers(2);
  const checker = new SignatureChecker(pool);
  const all = transactions(1_000).map((transaction) => checker.verify(transaction));
  await nextTurn();
  assert.ok(sent.every(({ hashes }) => hashes.length <= 256));
  assert.equal(new Set(sent.flatMap(({ hashes }) => hashes)).size, 1_000);
  for (const task of sent) task.answer(() => true);
  await Promise.all(all);
});

test('while all workers are busy, incoming checks are collected into the next task', async () => {
  const { pool, sent } = fakeWorkers(1);
  const checker = new SignatureChecker(pool);
  const all = [];
  for (const transaction of transactions(6)) {
    all.push(checker.verify(transaction));
    await nextTurn();
  }
  assert.deepEqual(
    sent.map(({ hashes }) => hashes.length),
    [1, 1],
  );
  sent[0]?.answer(() => true);
  await nextTurn();
  assert.deepEqual(
    sent.map(({ hashes }) => hashes.length),
    [1, 1, 4],
  );
  for (const task of sent) task.answer(() => true);
  await Promise.all(all);
});

test('a check beyond the queue limit is refused at once as overloaded', async () => {
  const { pool, sent } = fakeWorkers(1);
  const checker = new SignatureChecker(pool, { maxWaiting: 3 });
  const all = transactions(4).map((transaction) => checker.verify(transaction));
  await assert.rejects(all.pop() ?? assert.fail(), (error: unknown) => {
    assert.ok(error instanceof ExecutionError);
    return error.code === 'overloaded';
  });
  await nextTurn();
  await assert.rejects(checker.verify(poolTransaction({ nonce: 9 })), { code: 'overloaded' });
  sent[0]?.answer(() => true);
  assert.ok((await Promise.all(all)).every((one) => one !== undefined));
  const later = checker.verify(poolTransaction({ nonce: 9 }));
  await nextTurn();
  sent[1]?.answer(() => false);
  assert.equal(await later, undefined);
});

test('a failing task fails only its own checks', async () => {
  const { pool, sent } = fakeWorkers(2);
  const checker = new SignatureChecker(pool);
  const all = transactions(32).map((transaction) => checker.verify(transaction));
  await nextTurn();
  assert.equal(sent.length, 2);
  sent[0]?.fail(new ExecutionError('worker_died', 'gone'));
  sent[1]?.answer(() => true);
  const results = await Promise.allSettled(all);
  assert.deepEqual(
    results.map(({ status }) => status),
    [...Array(16).fill('rejected'), ...Array(16).fill('fulfilled')],
  );
  assert.equal(checker.waiting, 0);
});
