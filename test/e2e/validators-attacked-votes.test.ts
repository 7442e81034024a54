// Three real validator nodes under votes and certificates of the fourth validator, signed with its keys or forged.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metricSum } from '../support/attacking/attack-watch.js';
import { AttackedNet, HONEST, SHORT_BANS } from '../support/attacking/attacked-net.js';

const ATTACK_MS = 4_000;

describe('three validators under votes of a fourth that is faulty', { timeout: 300_000 }, () => {
  let attacked: AttackedNet;

  before(async () => {
    attacked = await AttackedNet.start({ nodeFlags: SHORT_BANS });
  });

  after(() => attacked?.dispose());

  const faults = () => metricSum(attacked.net, HONEST, 'heddle_mesh_faults_total');

  async function equivocations(): Promise<readonly bigint[]> {
    const seen = await Promise.all(HONEST.map((index) => attacked.net.consensus(index)));
    return seen.map(({ equivocations_seen }) => equivocations_seen);
  }

  test('votes for far views and epochs, past and future, do no harm', async () => {
    const { messages } = await attacked.under(['voteFarAway'], ATTACK_MS);
    assert.ok(messages > 1_000, `${messages}`);
    assert.deepEqual(await equivocations(), [0n, 0n, 0n]);
    assert.equal(await faults(), 0);
  });

  test('votes for, against and beside each proposal are seen by everybody', async () => {
    const { messages, blocks } = await attacked.under(['voteBothWays'], ATTACK_MS);
    assert.ok(messages >= 18, `${messages}`);
    assert.ok(blocks > 0);
    for (const seen of await equivocations()) assert.ok(seen > 0n);
    assert.equal(await faults(), 0);
  });

  test('certificates of the past, again and again, are ignored', async () => {
    const { messages } = await attacked.under(['replayCertificates'], ATTACK_MS);
    assert.ok(messages > 1_000, `${messages}`);
    assert.equal(await faults(), 0);
  });

  test('invalid partial signatures in each certificate cost their sender its connections', async () => {
    const { connections } = await attacked.under(['sendBadPartials'], ATTACK_MS);
    assert.ok(connections >= 3);
    assert.ok((await faults()) >= 3);
  });

  for (const [what, attack] of [
    ['forged certificates', 'forgeCertificates'],
    ['votes in the names of others', 'voteForOthers'],
    ['votes without an identity signature', 'voteUnsigned'],
  ] as const) {
    test(`${what} do as well`, async () => {
      const before = await faults();
      await attacked.under([attack], ATTACK_MS);
      assert.ok((await faults()) > before);
    });
  }

  test('the validator is accepted again once its node behaves', async () => {
    await attacked.behavesAgain();
  });
});
