// The status that validators report without a quorum.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';

test('a validator without a quorum of connections is stalled until it has one again', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  await world.reach(3);
  const sync = () => world.at(0).shell.sync();
  assert.equal(sync().state, 'synced');
  assert.deepEqual(sync().reasons, []);
  await world.stop(3);
  assert.equal(sync().state, 'synced');
  await world.stop(2);
  assert.equal(sync().state, 'stalled');
  assert.deepEqual(sync().reasons, ['connected to 1 other validators, and agreement takes 2']);
  await world.start(2);
  await world.reach(world.height(0) + 2);
  assert.equal(sync().state, 'synced');
});

test('a due block that does not arrive is overdue', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300, idleBlockTimeMs: 100 } });
  t.after(() => world.remove());
  await world.reach(3);
  const overdue = () => world.at(0).shell.overdueMs;
  assert.equal(overdue(), undefined);
  await Promise.all([world.stop(2), world.stop(3)]);
  await world.until(
    () => overdue() !== undefined,
    () => 'the next block is overdue',
  );
  assert.ok((overdue() ?? 0) > 5_000);
  await world.start(2);
  await world.until(
    () => overdue() === undefined,
    () => 'blocks come again',
  );
});
