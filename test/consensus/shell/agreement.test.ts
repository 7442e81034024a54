import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';
import { sweep } from '../../support/sweep.js';

/** One at the factor 1. */
const rounds = (most: number) => Math.min(sweep(1), most);

test('four validators agree, and commit the same blocks with the transactions of all', async (t) => {
  const world = await ValidatorsWorld.open();
  t.after(() => world.remove());
  for (let from = 0; from < 8; from++) world.transfer({ from });
  await world.reach(4);
  world.expectOneChain();
  for (const { world: chain } of world.running) assert.equal(chain.pool.size, 0);
  const metrics = world.at(0).shell.metrics();
  assert.ok(metrics.finalizations > 0n);
  assert.equal(metrics.equivocations_seen, 0n);
});

test('three of four continue, two stop, and all resume when the others return', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  await world.reach(2);
  await world.stop(3);
  await world.reach(world.height(0) + 4);
  await world.stop(2);
  const stuckAt = Math.max(world.height(0), world.height(1));
  await world.reach(stuckAt);
  const view = world.at(0).shell.metrics().view;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.ok(Math.max(world.height(0), world.height(1)) <= stuckAt + 1, 'two of four made a block final');
  assert.ok(world.at(0).shell.metrics().view <= view + 1n);
  await world.start(2);
  await world.start(3);
  await world.reach(stuckAt + 4);
  world.expectOneChain();
});

test('four validators stopped under load keep every final block, repeat their votes and continue', async (t) => {
  const world = await ValidatorsWorld.open({ config: { blockTimeMs: 20 } });
  t.after(() => world.remove());
  for (let round = 0; round < rounds(3); round++) {
    for (let from = 0; from < 8; from++) world.transfer({ from });
    await world.reach(world.height(0) + 2, [0]);
    const before = world.running.map(({ index }) => {
      const height = world.height(index);
      return { index, height, hash: world.hashAt(index, height) };
    });
    await Promise.all([0, 1, 2, 3].map((index) => world.stop(index)));
    await Promise.all([0, 1, 2, 3].map((index) => world.start(index)));
    for (const { index, height, hash } of before) assert.equal(world.hashAt(index, height), hash);
    await world.reach(Math.max(...before.map(({ height }) => height)) + 2);
    world.expectOneChain();
  }
});

test('votes unsent at a crash are sent unchanged after it', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  for (let round = 0; round < rounds(4); round++) {
    // Validator 1's journaled and signed votes reach no peer; then its process ends.
    world.network.tamper = (message, from) => (from === 1 ? [] : [message]);
    await world.reach(world.height(0) + 1, [0]);
    await world.restart(1);
    world.network.tamper = (message) => [message];
    await world.reach(world.height(0) + 2);
  }
  world.expectOneChain();
});

test('a validator on an old copy of its disk does not vote twice', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  await world.reach(2);
  await world.stop(3);
  const copy = await world.copyOf(3);
  for (let round = 0; round < rounds(2); round++) {
    await world.start(3);
    await world.reach(world.height(0) + 3);
    await world.stop(3);
    await world.restore(3, copy);
  }
  await world.start(3);
  await world.reach(world.height(0) + 3);
  world.expectOneChain();
});
