// Three real validator nodes under floods and malformed messages from the fourth validator.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metricSum } from '../support/attacking/attack-watch.js';
import { AttackedNet, HONEST } from '../support/attacking/attacked-net.js';

const SHORT_BANS = new URL('../support/attacking/short-bans.js', import.meta.url).href;

describe('three validators under floods of the fourth one', { timeout: 300_000 }, () => {
  let attacked: AttackedNet;

  before(async () => {
    attacked = await AttackedNet.start({ nodeFlags: ['--import', SHORT_BANS] });
  });

  after(() => attacked?.dispose());

  for (const [name, attacks, options] of [
    ['small', ['floodSmall'], {}],
    ['requests', ['floodRequests'], {}],
    ['requests unread', ['floodRequestsUnread'], {}],
    ['large', ['floodLarge'], {}],
    ['gossip', ['floodGossip'], {}],
    ['above', ['floodAboveRate'], {}],
    ['malformed', ['sendMalformed'], {}],
    ['bad gossip', ['sendBadGossip'], {}],
  ] as const) {
    test(name, async () => {
      const before = await metricSum(attacked.net, HONEST, 'heddle_mesh_faults_total');
      console.log(name, await attacked.under(attacks, 6_000, options));
      console.log('faults', (await metricSum(attacked.net, HONEST, 'heddle_mesh_faults_total')) - before);
    });
  }

  test('again', async () => {
    await attacked.behavesAgain();
    assert.ok(true);
  });
});
