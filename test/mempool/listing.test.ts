import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PoolCursorError } from '../../src/mempool/errors.js';
import type { PendingQuery } from '../../src/mempool/pool-types.js';
import { addressOf, noncesOf, PoolWorld } from '../support/worlds/pool-world.js';

function listed(world: PoolWorld, query: PendingQuery) {
  const page = world.pool.list(query);
  return { nonces: noncesOf(page.transactions.map(({ transaction }) => transaction)), next: page.nextCursor };
}

test('pages go from newest to oldest, and the last has no cursor', () => {
  const world = new PoolWorld();
  for (let nonce = 0; nonce < 5; nonce++) world.add({ nonce });
  const first = listed(world, { limit: 2 });
  assert.deepEqual(first.nonces, [4, 3]);
  const second = listed(world, { limit: 2, cursor: first.next ?? assert.fail() });
  assert.deepEqual(second.nonces, [2, 1]);
  const third = listed(world, { limit: 2, cursor: second.next ?? assert.fail() });
  assert.deepEqual(third, { nonces: [0], next: undefined });
});

test('a page that ends exactly at the oldest has no cursor', () => {
  const world = new PoolWorld();
  world.add({ nonce: 0 });
  world.add({ nonce: 1 });
  assert.equal(listed(world, { limit: 2 }).next, undefined);
});

test('a cursor stays valid while transactions come and go, even the one it names', () => {
  const world = new PoolWorld();
  const all = [0, 1, 2, 3, 4].map((nonce) => world.add({ nonce }));
  const first = listed(world, { limit: 2 });
  world.add({ nonce: 5 });
  world.pool.drop(all[3]?.hashHex ?? assert.fail(), 'expired', '');
  world.pool.drop(all[1]?.hashHex ?? assert.fail(), 'expired', '');
  assert.deepEqual(listed(world, { limit: 5, cursor: first.next ?? assert.fail() }).nonces, [2, 0]);
});

test('a listing by sender shows all its lanes and nothing else', () => {
  const world = new PoolWorld();
  world.add({ from: 'alice', lane: 0, nonce: 0 });
  world.add({ from: 'carol', lane: 0, nonce: 0 });
  world.add({ from: 'alice', lane: 3, nonce: 7 });
  world.add({ from: 'alice', lane: 0, nonce: 1 });
  const first = listed(world, { sender: addressOf('alice'), limit: 2 });
  assert.deepEqual(first.nonces, [1, 7]);
  const rest = listed(world, { sender: addressOf('alice'), limit: 2, cursor: first.next ?? assert.fail() });
  assert.deepEqual(rest, { nonces: [0], next: undefined });
  assert.deepEqual(listed(world, { sender: addressOf('nobody'), limit: 2 }).nonces, []);
});

test('a sender with a great many transactions is listed in the same order', () => {
  const world = new PoolWorld();
  for (let nonce = 0; nonce < 4_200; nonce++) {
    world.add({ from: 'alice', nonce });
    if (nonce % 100 === 0) world.add({ from: 'carol', nonce: nonce / 100 });
  }
  const sender = addressOf('alice');
  const first = listed(world, { sender, limit: 150 });
  assert.deepEqual(
    first.nonces,
    Array.from({ length: 150 }, (_, place) => 4_199 - place),
  );
  const second = listed(world, { sender, limit: 3, cursor: first.next ?? assert.fail() });
  assert.deepEqual(second.nonces, [4_049, 4_048, 4_047]);
});

test('a listed transaction’s readiness is current', () => {
  const world = new PoolWorld();
  world.add({ nonce: 1 });
  assert.deepEqual(
    world.pool.list({ limit: 9 }).transactions.map(({ ready }) => ready),
    [false],
  );
  world.add({ nonce: 0 });
  assert.deepEqual(
    world.pool.list({ limit: 9 }).transactions.map(({ ready }) => ready),
    [true, true],
  );
});

test('a cursor of another filter, or a made-up one, is refused', () => {
  const world = new PoolWorld();
  for (let nonce = 0; nonce < 3; nonce++) world.add({ nonce });
  const { next } = listed(world, { limit: 1 });
  const cursor = next ?? assert.fail();
  assert.throws(() => world.pool.list({ limit: 1, cursor, sender: addressOf('alice') }), PoolCursorError);
  for (const bad of ['', 'x', '%%%', `${cursor}A`, Buffer.from('-1/').toString('base64url')]) {
    assert.throws(() => world.pool.list({ limit: 1, cursor: bad }), PoolCursorError, bad);
  }
});
