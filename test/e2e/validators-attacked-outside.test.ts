// Three real validator nodes under connections by strangers, and under invalid messages of resharing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metricSum } from '../support/attacking/attack-watch.js';
import { AttackedNet, HONEST } from '../support/attacking/attacked-net.js';

const ATTACK_MS = 6_000;
/** Twelve seconds, so that epochs end under attack. */
const EPOCH_LENGTH = 40;

describe('three validators under strangers and invalid dealings', { timeout: 300_000 }, () => {
  let attacked: AttackedNet;

  before(async () => {
    attacked = await AttackedNet.start({ epochLength: EPOCH_LENGTH });
  });

  after(() => attacked?.dispose());

  const refused = (reason: string) =>
    metricSum(attacked.net, HONEST, 'heddle_mesh_refused_total', `"${reason}"`);

  for (const attack of ['connectSilently', 'stopHalfway', 'shakeHandsUnknown'] as const) {
    test(`thousands of connections by strangers: ${attack}`, async () => {
      const result = await attacked.under([attack], ATTACK_MS, { maxConnections: 0 });
      console.log(attack, result);
      assert.ok(result.messages > 1_000, `${result.messages}`);
      for (const reason of ['crowded', 'handshake_failed', 'no_identity', 'unknown_identity'])
        console.log(reason, await refused(reason));
    });
  }

  for (const attack of ['sendUntimelyDealings', 'sendAlteredDealings'] as const) {
    test(`an epoch ends under ${attack}`, async () => {
      const { epoch } = (await attacked.net.client(0).status()).validator_set;
      console.log(await attacked.under([attack], 12_000, { maxConnections: 4 }));
      console.log(epoch, (await attacked.net.client(0).status()).validator_set.epoch);
    });
  }

  test('the validator is accepted again once its node behaves', async () => {
    await attacked.behavesAgain();
  });
});
