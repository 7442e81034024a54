// A quorum of validator processes killed at an epoch boundary. The effect of such a crash on
// share, record and journal in one process is tested in test/consensus/resharing/node.test.ts. HEDDLE_FAULT_ROUNDS sets the
// rounds (default 1: once before the boundary is final and once after); later rounds add a random delay.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readShareFile } from '../../src/consensus/files/share-file.js';
import { validatorPaths } from '../../src/consensus/files/validator-directory.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import type { ValidatorSet } from '../../src/generated/ledger.js';
import { eventually } from '../support/eventually.js';
import { hex } from '../support/hex.js';
import { ValidatorNet } from '../support/validator-net.js';

const ROUNDS = Number(process.env['HEDDLE_FAULT_ROUNDS'] ?? 1);
const EPOCH = 12n;
/** A quorum of four; validator 0 keeps running and observes. */
const KILLED = [1, 2, 3];

describe('four validators at the end of an epoch', () => {
  let net: ValidatorNet | undefined;
  after(() => net?.dispose());

  test('recover from a killed quorum, each with its share, and reshare the key', {
    timeout: 900_000,
  }, async () => {
    const bls = await loadBls('auto');
    net = await ValidatorNet.make({
      epochLength: Number(EPOCH),
      flags: ['--block-time', '100', '--idle-block-time', '250'],
    });
    const each = net;
    const setNow = async (index = 0): Promise<ValidatorSet> =>
      (await each.client(index).status()).validator_set;

    for (let round = 0; round < 2 * ROUNDS; round++) {
      await net.start();
      // At the kill the epoch's last block is not yet proposed, not yet final, or just finalized.
      const end = ((await net.height(0)) / EPOCH + 1n) * EPOCH;
      await net.reach(end - (round % 2 === 0 ? 1n : 0n), [0]);
      if (round > 1) await sleep(Math.random() * 500);
      await net.kill(...KILLED);
      const before = await setNow();
      const stopped = await net.height(0);

      await net.start();
      await net.reach(end + 1n);
      for (const index of net.all) await hasItsShare(each, index);
      // Some epoch after the restart reshares the key, no matter which.
      await eventually('the key is handed on', async () => {
        const set = await setNow();
        return set.epoch > before.epoch && sharesOf(set) !== sharesOf(before);
      });
      const blocks = await net.agree();
      assert.ok(BigInt(blocks.length) > stopped);
    }

    /** Asserts that a validator's share file matches the chain. */
    async function hasItsShare(from: ValidatorNet, index: number): Promise<void> {
      await eventually(`validator ${index} has its share`, async () => {
        const { validators } = await setNow(index);
        const share = await readShareFile(validatorPaths(from.directory(index)).share);
        const key = hex(bls.publicKey(share?.share ?? assert.fail('the share is gone')));
        return key === hex(validators[index]?.share_public_key ?? assert.fail());
      });
      await eventually('it may vote', async () => (await from.client(index).readiness()).epoch_key_available);
    }
  });
});

const sharesOf = ({ validators }: ValidatorSet) =>
  validators.map(({ share_public_key }) => hex(share_public_key)).join();
