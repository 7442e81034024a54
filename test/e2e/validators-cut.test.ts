// Four validators whose network is cut through the proxies that connect them, and heals.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { eventually } from '../support/eventually.js';
import { SteadyLoad } from '../support/steady-load.js';
import { ValidatorNet } from '../support/validator-net.js';

describe('four validators whose network is cut', () => {
  let net: ValidatorNet | undefined;
  after(() => net?.dispose());

  const cutOf = (each: ValidatorNet) => each.cut ?? assert.fail('it has no proxies');

  /** Number of views without a block, for each validator. */
  const lost = async (each: ValidatorNet) =>
    Promise.all(each.all.map(async (index) => (await each.consensus(index)).nullifications));

  test('stop when split in halves while idle, and agree again', { timeout: 600_000 }, async () => {
    net = await ValidatorNet.make({
      cuttable: true,
      flags: ['--block-time', '100', '--idle-block-time', '500'],
    });
    await net.start();
    await net.grow(3n);
    const before = await lost(net);
    cutOf(net).cut(
      [
        [0, 1],
        [2, 3],
      ],
      'silent',
    );
    await net.standsStill();
    cutOf(net).heal();
    await net.grow(5n);
    await net.agree();
    const now = await lost(net);
    for (const [index, count] of now.entries()) {
      const views = count - (before[index] ?? 0n);
      assert.ok(views <= 8n, `validator ${index} went through ${views} views without a block`);
    }
  });

  test('stop when split in halves under load, and include transactions accepted by both sides', {
    timeout: 600_000,
  }, async () => {
    assert.ok(net !== undefined);
    const load = new SteadyLoad(net);
    await net.grow(5n);
    cutOf(net).cut(
      [
        [0, 2],
        [1, 3],
      ],
      'severed',
    );
    await net.standsStill();
    cutOf(net).heal();
    await net.grow(10n);
    await load.stop();
    await load.expectIncluded(3);
  });

  test('continue as three, and the fourth catches up afterwards', { timeout: 600_000 }, async () => {
    assert.ok(net !== undefined);
    for (const kind of ['silent', 'severed'] as const) {
      const load = new SteadyLoad(net);
      await net.grow(3n);
      cutOf(net).cut([[0, 1, 3], [2]], kind);
      await net.grow(15n, [0, 1, 3]);
      const alone = await net.height(2);
      assert.ok(alone < (await net.height(0)));
      cutOf(net).heal();
      const each = net;
      await eventually('it is connected again', async () => (await each.connected(2)) === 3);
      await net.grow(5n);
      await load.stop();
      await load.expectIncluded(2);
    }
  });
});
