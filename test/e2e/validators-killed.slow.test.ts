// Four validators with little to do, then under load, killed and stopped: final blocks stay final, and the chain resumes
// with a quorum. HEDDLE_FAULT_ROUNDS sets how often all are stopped under load (default 1), HEDDLE_SEALED_KILLS how often
// one is killed under sealed transactions (default 3).
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { devAccount } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
import { SealedLoad } from '../support/networks/sealed-load.js';
import { ValidatorNet } from '../support/networks/validator-net.js';
import { SteadyLoad } from '../support/nodes/steady-load.js';

const ROUNDS = Number(process.env['HEDDLE_FAULT_ROUNDS'] ?? 1);
const KILLS = Number(process.env['HEDDLE_SEALED_KILLS'] ?? 3);
const BRISK = { flags: ['--block-time', '100', '--idle-block-time', '150'] };

const idle = (ms: number) => ({ flags: ['--idle-block-time', `${ms}`] });

describe('four validators', { timeout: 900_000 }, () => {
  let made: ValidatorNet | undefined;
  after(() => made?.dispose());
  const net = (): ValidatorNet => made ?? assert.fail('it was not made');

  /** A transfer that has to be final well before the next idle block would be due. */
  async function transferThrough(index: number): Promise<void> {
    const begun = performance.now();
    const sender = net().client(index).sender(devAccount(index));
    const { receipt } = await sender.transfer({ to: devAccount(9).address, amount: 1n, wait: 'finalized' });
    const ms = performance.now() - begun;
    assert.equal(receipt.status.type, 'success');
    assert.ok(ms < 30_000, `a transfer through validator ${index} took ${ms} ms`);
  }

  const quiet = async () =>
    Promise.all(
      net().all.map(async (index) => {
        const { timeouts, nullifications, equivocations_seen } = await net().consensus(index);
        return { timeouts, nullifications, equivocations_seen };
      }),
    );

  test('lose no view at the usual pace while idle', async () => {
    made = await ValidatorNet.make();
    await made.start();
    await made.grow(1n);
    await made.allConnected();
    await eventually('four idle blocks follow each other without a timeout', async () => {
      const before = await quiet();
      await net().grow(4n);
      return isDeepStrictEqual(await quiet(), before);
    });
    await made.agree();
  });

  test('wake for a single transfer', async () => {
    for (const ms of [60_000, 0]) {
      await net().endsAndKeepsBlocks('stop', idle(ms));
      await net().allConnected();
      for (const index of net().all) await transferThrough(index);
      await net().agree();
    }
  });

  test('do nothing while there is nothing to do, and wake again', async () => {
    const { length } = await net().agree();
    await sleep(3_000);
    assert.equal((await net().agree()).length, length);
    await transferThrough(0);
  });

  test('continue without one, stop without two, and resume when they return', async () => {
    await net().endsAndKeepsBlocks('stop', BRISK);
    await net().grow(3n);
    const load = new SteadyLoad(net());
    await net().grow(10n);

    await net().kill(3);
    await net().grow(10n);
    await net().kill(1);
    await net().standsStill();

    await net().start([1], BRISK);
    await net().grow(10n);
    await net().start([3], BRISK);
    await net().grow(10n);
    await load.stop();
    await load.expectIncluded(2);
  });

  test('keep all final blocks after all are stopped at once under load', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const load = new SteadyLoad(net(), 40);
      await sleep(300 + Math.random() * 2_000);
      await net().endsAndKeepsBlocks('stop', BRISK);
      await load.stop();
      await net().grow(5n);
      await load.expectIncluded(round % net().count);
    }
  });

  test('open every accepted envelope or give a reason, however they are killed', async () => {
    const load = new SealedLoad(net());
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(1_000 + 300 * Math.random());
      const killed = (kill + 1) % net().count;
      await net().kill(killed);
      await sleep(500);
      await net().start([killed], BRISK);
      await net().grow(2n);
    }
    const accepted = await load.stop();
    assert.ok(accepted > 10 * KILLS, `only ${accepted} were accepted`);
    await load.settle();
    const outcomes = await load.accounted();
    const opened = outcomes.filter((outcome) => outcome === 'opened').length;
    assert.ok(opened > accepted / 3, `${opened} of ${accepted} were opened`);

    // The reasons survive another kill, of all validators at once.
    await net().endsAndKeepsBlocks('kill', BRISK);
    await net().reach(load.end);
    assert.deepEqual(await load.accounted(), outcomes);
  });
});
