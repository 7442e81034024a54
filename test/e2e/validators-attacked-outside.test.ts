// Three real validator nodes under connections by strangers, and under invalid messages of resharing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metricSum } from '../support/attacking/attack-watch.js';
import { AttackedNet, HONEST } from '../support/attacking/attacked-net.js';
import { eventually } from '../support/eventually.js';

const ATTACK_MS = 4_000;
/** Six seconds of blocks, so that an epoch ends under each attack on resharing. */
const EPOCH_LENGTH = 24;
const EPOCH_MS = 8_000;

describe('three validators under strangers and invalid dealings', { timeout: 300_000 }, () => {
  let attacked: AttackedNet;

  before(async () => {
    attacked = await AttackedNet.start({ epochLength: EPOCH_LENGTH });
  });

  after(() => attacked?.dispose());

  const refused = (reason: string) =>
    metricSum(attacked.net, HONEST, 'heddle_mesh_refused_total', `"${reason}"`);

  for (const [what, attack, reasons] of [
    ['that stay silent', 'connectSilently', ['crowded']],
    ['that stop in mid-handshake', 'stopHalfway', ['crowded', 'handshake_failed']],
    ['with no known key', 'shakeHandsUnknown', ['unknown_identity']],
  ] as const) {
    test(`hundreds of connections a second ${what} are turned away`, async () => {
      const before = await Promise.all(reasons.map(refused));
      const { messages } = await attacked.under([attack], ATTACK_MS, { maxConnections: 0 });
      assert.ok(messages > 500, `${messages}`);
      const after = await Promise.all(reasons.map(refused));
      for (const [at, reason] of reasons.entries()) assert.ok((after[at] ?? 0) > (before[at] ?? 0), reason);
    });
  }

  for (const [what, attack] of [
    ['dealings of other epochs', 'sendUntimelyDealings'],
    ['dealings and acknowledgements that are altered or sent back', 'sendAlteredDealings'],
  ] as const) {
    test(`epochs end under ${what}`, async () => {
      const { epoch } = (await attacked.net.client(0).status()).validator_set;
      const { messages } = await attacked.under([attack], EPOCH_MS, { maxConnections: 4 });
      assert.ok(messages > 0);
      await eventually('the epoch ends', async () => {
        const { validator_set: now } = await attacked.net.client(0).status();
        return now.epoch > epoch;
      });
      await attacked.net.grow(2n);
    });
  }

  test('the validator is accepted again once its node behaves', async () => {
    await attacked.behavesAgain();
  });
});
