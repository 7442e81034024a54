// A faulty validator deliberately serves final blocks slowly to a validator that is catching up.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { eventually } from '../support/eventually.js';
import { ThrottlingValidator } from '../support/networks/throttling-validator.js';
import { ValidatorNet } from '../support/networks/validator-net.js';

/** Minimum number of blocks that the validator has to catch up. */
const BEHIND = 60n;
/** The faulty validator's delay before each block. */
const DELAY_MS = 2_700;

describe('a validator that serves one final block every 2.7 s', () => {
  let net: ValidatorNet | undefined;
  let faulty: ThrottlingValidator | undefined;
  after(async () => {
    await faulty?.stop();
    await net?.dispose();
  });

  test('does not delay a validator that catches up', { timeout: 300_000 }, async () => {
    const flags = ['--block-time', '20', '--idle-block-time', '20', '--front-threads', '1'];
    net = await ValidatorNet.make({ flags });
    await net.start();
    await net.grow(2n);
    await net.kill(3);
    await net.grow(BEHIND, [0, 1, 2]);
    await net.kill(0);
    const height = await net.height(1);
    faulty = await ThrottlingValidator.start(net, 0, {
      delayMs: DELAY_MS,
      give: (blocks) => blocks.slice(0, 1),
    });
    await faulty.fetch(1, Number(height));
    await net.kill(1, 2);
    await net.start([3]);
    const each = net;
    await eventually('the slow validator is connected', async () => (await each.connected(3)) === 1);
    const begunAt = performance.now();
    await net.start([1, 2]);
    // Blocks above `height` need the vote of validator 3 itself.
    await net.reach(height + 2n, [3]);
    const ms = performance.now() - begunAt;
    const asked = faulty.requests.get(3) ?? 0;
    assert.ok(ms < (Number(BEHIND) * DELAY_MS) / 4, `it took ${Math.round(ms)} ms`);
    assert.ok(asked > 0 && asked <= 12, `the slow validator was asked ${asked} times`);
  });
});
