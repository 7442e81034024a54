// Four validators with little to do.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { devAccount } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
import { ValidatorNet } from '../support/validator-net.js';

describe('four idle validators', () => {
  let net: ValidatorNet | undefined;
  after(() => net?.dispose());

  /** A transfer that has to be final well before the next idle block would be due. */
  async function transferThrough(each: ValidatorNet, index: number): Promise<void> {
    const begun = performance.now();
    const sender = each.client(index).sender(devAccount(index));
    const { receipt } = await sender.transfer({ to: devAccount(9).address, amount: 1n, wait: 'finalized' });
    const ms = performance.now() - begun;
    assert.equal(receipt.status.type, 'success');
    assert.ok(ms < 30_000, `a transfer through validator ${index} took ${ms} ms`);
  }

  const quiet = async (each: ValidatorNet) =>
    Promise.all(
      each.all.map(async (index) => {
        const { timeouts, nullifications, equivocations_seen } = await each.consensus(index);
        return { timeouts, nullifications, equivocations_seen };
      }),
    );

  test('lose no view at the usual pace', { timeout: 600_000 }, async () => {
    net = await ValidatorNet.make();
    const each = net;
    await net.start();
    await net.grow(1n);
    for (const index of net.all)
      await eventually('all are connected', async () => (await each.connected(index)) === 3);
    await eventually('four idle blocks follow each other without a timeout', async () => {
      const before = await quiet(each);
      await each.grow(4n);
      return isDeepStrictEqual(await quiet(each), before);
    });
    await net.agree();
    await net.stop(...net.all);
  });

  test('wake for a single transfer', { timeout: 600_000 }, async () => {
    assert.ok(net !== undefined);
    const each = net;
    for (const idleMs of [60_000, 0]) {
      await net.start(net.all, { flags: ['--idle-block-time', `${idleMs}`] });
      for (const index of net.all) {
        await eventually('all are connected', async () => (await each.connected(index)) === 3);
        await transferThrough(net, index);
      }
      const blocks = await net.agree();
      if (idleMs === 0) {
        await sleep(3_000);
        assert.equal(
          (await net.agree()).length,
          blocks.length,
          'nothing happens while there is nothing to do',
        );
        await transferThrough(net, 0);
      }
      await net.stop(...net.all);
    }
  });
});
