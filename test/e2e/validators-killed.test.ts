// Four validators killed and stopped under load: final blocks stay final, and the chain resumes with a quorum.
// HEDDLE_FAULT_ROUNDS sets the number of times that all are stopped at once (default 2).
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Block } from '../../src/generated/node-rpc-v1.js';
import { SteadyLoad } from '../support/steady-load.js';
import { ValidatorNet } from '../support/validator-net.js';

const ROUNDS = Number(process.env['HEDDLE_FAULT_ROUNDS'] ?? 2);

describe('four validators under load', () => {
  let net: ValidatorNet | undefined;
  after(() => net?.dispose());

  test('continue without one, stop without two, and resume when they return', {
    timeout: 600_000,
  }, async () => {
    net = await ValidatorNet.make({ flags: ['--block-time', '100', '--idle-block-time', '1000'] });
    await net.start();
    await net.grow(3n);
    const load = new SteadyLoad(net);
    await net.grow(10n);

    await net.kill(3);
    await net.grow(10n);
    await net.kill(1);
    await net.standsStill();

    await net.start([1]);
    await net.grow(10n);
    await net.start([3]);
    await net.grow(10n);
    await load.stop();
    await load.expectIncluded(2);
  });

  test('keep all final blocks after all are stopped at once', { timeout: 900_000 }, async () => {
    assert.ok(net !== undefined);
    for (let round = 0; round < ROUNDS; round++) {
      await net.start();
      await net.grow(2n);
      const load = new SteadyLoad(net, 20);
      await sleep(300 + Math.random() * 2_000);
      const told: (readonly Block[])[] = [];
      for (const index of net.running) told.push(await net.blocks(index));
      await sleep(Math.random() * 300);
      await net.stop(...net.running);
      await load.stop();

      await net.start();
      for (const [index, blocks] of told.entries()) {
        const now = await net.blocks(index, BigInt(blocks.length));
        assert.deepEqual(now, blocks, `what was final in round ${round} is there`);
      }
      await net.grow(5n);
      await load.expectIncluded(round % net.count);
    }
  });
});
