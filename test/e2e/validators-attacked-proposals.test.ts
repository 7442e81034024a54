// Three real validator nodes and the fourth one's proposals: withheld, repeated, early, contradictory, invalid, costly.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metricSum } from '../support/attacking/attack-watch.js';
import { AttackedNet, FAULTY, HONEST } from '../support/attacking/attacked-net.js';
import { PrivateLoad } from '../support/attacking/private-load.js';

describe('three validators and the proposals of a fourth that is faulty', { timeout: 400_000 }, () => {
  let attacked: AttackedNet;

  before(async () => {
    attacked = await AttackedNet.start();
    await attacked.startTurncoat();
  });

  after(() => attacked?.dispose());

  /** The largest number of invalid proposals of the faulty validator that an honest one has seen. */
  async function invalidProposals(): Promise<bigint> {
    let most = 0n;
    for (const index of HONEST) {
      const { peers } = await attacked.net.client(index).validator_status();
      const seen = peers.find((peer) => peer.index === FAULTY)?.invalid_proposals ?? 0n;
      if (seen > most) most = seen;
    }
    return most;
  }

  async function equivocations(): Promise<bigint> {
    const seen = await Promise.all(HONEST.map((index) => attacked.net.consensus(index)));
    return seen.reduce((sum, { equivocations_seen }) => sum + equivocations_seen, 0n);
  }

  test('blocks that are withheld, repeated or early cost at most their view', async () => {
    const measures = await attacked.whileIts(
      [
        'honest',
        'withholdFromOne',
        'withholdFromMost',
        'withholdFromAll',
        'proposeAgainAndAgain',
        'proposeEarly',
      ],
      10_000,
    );
    console.log(measures);
    assert.equal(await metricSum(attacked.net, HONEST, 'heddle_mesh_faults_total'), 0);
  });

  test('two blocks in one view, and invalid blocks, are seen through', async () => {
    const measures = await attacked.whileIts(
      ['equivocate', 'proposeInvalid', 'proposeInvalidToOne', 'proposeAsAnother'],
      8_000,
    );
    console.log(measures, await invalidProposals(), await equivocations());
    assert.ok((await invalidProposals()) > 0n);
    assert.ok((await equivocations()) > 0n);
  });

  test('blocks full of costly calls hold up one view each', async () => {
    const { net } = attacked;
    const load = await PrivateLoad.open(net.client(FAULTY), net.node(FAULTY).url);
    load.begin('costly');
    const measures = await attacked.whileIts(['honest', 'proposeInvalid', 'equivocate'], 10_000);
    console.log(measures, await invalidProposals(), await equivocations());
    await load.end();
    load.begin('large');
    console.log(await attacked.whileIts(['honest', 'proposeInvalid'], 8_000));
    await load.end();
    const blocks = await net.blocks(0);
    console.log(Math.max(...blocks.map(({ header }) => Number(header.gas_used))));
  });

  test('proposals that cost the connection', async () => {
    const measures = await attacked.whileIts(
      ['voteAsAnother', 'proposeGarbage', 'proposeNothingLarge'],
      6_000,
    );
    console.log(measures, await metricSum(attacked.net, HONEST, 'heddle_mesh_faults_total'));
    await attacked.net.kill(FAULTY);
    await attacked.behavesAgain();
  });
});
