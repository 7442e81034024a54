// Three real validator nodes under floods, malformed messages and gossip from the fourth validator.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metricSum } from '../support/attacking/attack-watch.js';
import { AttackedNet, HONEST, SHORT_BANS } from '../support/attacking/attacked-net.js';
import { MALFORMED_FAULTS } from '../support/attacking/frame-floods.js';

const ATTACK_MS = 4_000;

describe('three validators under floods of a fourth that is faulty', { timeout: 300_000 }, () => {
  let attacked: AttackedNet;

  before(async () => {
    attacked = await AttackedNet.start({ nodeFlags: SHORT_BANS });
  });

  after(() => attacked?.dispose());

  const sum = (name: string, label?: string) => metricSum(attacked.net, HONEST, name, label);
  const faults = (code?: string) => sum('heddle_mesh_faults_total', code === undefined ? '' : `"${code}"`);

  for (const [what, attack, least] of [
    ['small messages that help nobody, at the allowed rates', 'floodSmall', 1_000],
    ['requests of all kinds, at the allowed rates', 'floodRequests', 200],
    ['requests whose answers stay unread', 'floodRequestsUnread', 200],
    ['blocks and other messages of the largest size', 'floodLarge', 9],
    ['gossip of transactions without a balance behind them', 'floodGossip', 50],
  ] as const) {
    test(`${what} are borne without a fault`, async () => {
      const before = await faults();
      const { messages } = await attacked.under([attack], ATTACK_MS);
      assert.ok(messages >= least, `${messages}`);
      assert.equal(await faults(), before);
    });
  }

  test('messages of each kind above the allowed rate cost their sender the connection', async () => {
    await attacked.under(['floodAboveRate'], ATTACK_MS);
    assert.ok((await faults('too_fast')) > 0);
  });

  test('messages of each kind that are malformed or too large cost their sender the connection', async () => {
    const before = await faults('bad_value');
    const { ends } = await attacked.under(['sendMalformed'], ATTACK_MS);
    // On a slow machine not all of them have had their turn.
    assert.ok(ends >= Math.min(MALFORMED_FAULTS, HONEST.length * 3), `${ends}`);
    assert.ok((await faults('bad_value')) > before);
    assert.ok((await faults('too_large')) > 0);
  });

  test('gossip that proves a fault does as well', async () => {
    const before = await faults('misbehaved');
    await attacked.under(['sendBadGossip'], ATTACK_MS);
    assert.ok((await faults('misbehaved')) > before);
  });

  test('the validator is accepted again once its node behaves', async () => {
    await attacked.behavesAgain();
  });
});
