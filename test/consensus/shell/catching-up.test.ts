import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedCertificate } from '../../../src/ledger/certificate-store.js';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';
import { spread } from '../../support/sweep.js';

test('a validator far behind fetches final blocks with their certificates and takes part again', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 100, blockTimeMs: 5, idleBlockTimeMs: 5 } });
  t.after(() => world.remove());
  await world.reach(2);
  await world.stop(3);
  await world.reach(world.height(0) + 80);
  await world.start(3);
  await world.until(
    () => world.logged.some((line) => line.startsWith('3 info fell behind')),
    () => 'validator 3 notices',
  );
  await world.reach(world.height(0) + 3);
  world.expectOneChain();
  const { store } = world.at(3).world;
  // One certificate may make several blocks final.
  const fetched = Array.from({ length: 40 }, (_, back) => BigInt(world.height(0) - 10 - back));
  assert.ok(fetched.some((height) => storedCertificate(store, height) !== undefined));
});

test('epochs end and begin, also for a validator that was away meanwhile', async (t) => {
  const world = await ValidatorsWorld.open({
    genesis: { epoch_length: 5n },
    config: { deltaMs: 100, blockTimeMs: 20, idleBlockTimeMs: 20 },
  });
  t.after(() => world.remove());
  await world.reach(12);
  assert.ok(world.at(0).shell.metrics().epoch >= 2n);
  await world.stop(2);
  await world.reach(world.height(0) + 12);
  await world.start(2);
  await world.reach(world.height(0) + 6);
  world.expectOneChain();
  for (let height = 5n; height <= 20n; height += 5n) {
    const certificate = storedCertificate(world.at(1).world.store, height);
    assert.equal(certificate?.epoch, height / 5n - 1n);
  }
});

test('validators that all stop at the end of an epoch continue in the next', async (t) => {
  const world = await ValidatorsWorld.open({
    genesis: { epoch_length: 3n },
    config: { deltaMs: 300, blockTimeMs: 10, idleBlockTimeMs: 10 },
  });
  t.after(() => world.remove());
  for (const round of spread([0, 1, 2, 3], 1)) {
    await world.reach(world.height(0) + 2 + round, [0]);
    await Promise.all([0, 1, 2, 3].map((index) => world.stop(index)));
    await Promise.all([0, 1, 2, 3].map((index) => world.start(index)));
  }
  await world.reach(world.height(0) + 4);
  world.expectOneChain();
});
