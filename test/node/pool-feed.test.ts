import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mempool } from '../../src/mempool/pool.js';
import { PoolFeed } from '../../src/node/pool-feed.js';
import { eventually } from '../support/eventually.js';
import { poolTransaction } from '../support/worlds/pool-world.js';

const pool: Pick<Mempool, 'get'> = {
  get: () =>
    ({ transaction: TRANSACTION, ready: true, arrival: 1, receivedMs: 1 }) as ReturnType<Mempool['get']>,
};
const TRANSACTION = poolTransaction();

function followed() {
  const feed = new PoolFeed(pool);
  const heard: (string | undefined)[] = [];
  let largest = 0;
  feed.add((transactions) => {
    largest = Math.max(largest, transactions.length);
    heard.push(...transactions);
  });
  return { feed, heard, largest: () => largest };
}

const burst = (count: number) => Array.from({ length: count }, () => TRANSACTION);

test('a burst of transactions is reported completely, a part at a time', async () => {
  const { feed, heard, largest } = followed();
  for (let i = 0; i < 10; i++) feed.onAdmitted(burst(300));
  await eventually('all are reported', async () => heard.length >= 3_000);
  assert.ok(heard.every((text) => text !== undefined));
  assert.equal(heard.length, 3_000);
  assert.ok(largest() <= 200, `${largest()}`);
});

test('when more transactions come than may wait, listeners learn that some are missing, and later ones follow', async () => {
  const { feed, heard } = followed();
  feed.onAdmitted(burst(5_000));
  await eventually('the gap is reported', async () => heard.length > 0);
  assert.deepEqual(heard, [undefined]);
  feed.onAdmitted(burst(1));
  await eventually('the next one is reported', async () => heard.length > 1);
  assert.equal(typeof heard[1], 'string');
});
