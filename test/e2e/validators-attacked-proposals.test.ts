// Three real validator nodes and the fourth one's proposals: withheld, repeated, early, contradictory, invalid, costly.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metricSum } from '../support/attacking/attack-watch.js';
import { AttackedNet, FAULTY, HONEST, SHORT_BANS } from '../support/attacking/attacked-net.js';
import { PrivateLoad } from '../support/attacking/private-load.js';

describe('three validators and the proposals of a fourth that is faulty', { timeout: 400_000 }, () => {
  let attacked: AttackedNet;

  before(async () => {
    attacked = await AttackedNet.start({ nodeFlags: SHORT_BANS });
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
    await attacked.whileIts(
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
    assert.equal(await metricSum(attacked.net, HONEST, 'heddle_mesh_faults_total'), 0);
  });

  test('two blocks in one view, and invalid blocks, are seen through', async () => {
    await attacked.whileIts(
      ['equivocate', 'proposeInvalid', 'proposeInvalidToOne', 'proposeAsAnother'],
      8_000,
    );
    assert.ok((await invalidProposals()) > 0n);
    assert.ok((await equivocations()) > 0n);
  });

  test('blocks full of costly calls, and of the largest calls, hold up one view each', async () => {
    const { net } = attacked;
    const load = await PrivateLoad.open(net.client(FAULTY), net.node(FAULTY).url);
    const before = await invalidProposals();
    for (const kind of ['costly', 'large'] as const) {
      load.begin(kind);
      await attacked.whileIts(['honest', 'proposeInvalid'], 7_000).finally(() => load.end());
    }
    // The invalid ones were executed to their end.
    assert.ok((await invalidProposals()) > before);
  });

  test('proposals that prove a fault cost the connection', async () => {
    await attacked.whileIts(['voteAsAnother', 'proposeGarbage', 'proposeNothingLarge'], 5_000);
    assert.ok((await metricSum(attacked.net, HONEST, 'heddle_mesh_faults_total')) >= HONEST.length);
  });

  test('the validator is accepted again once its node behaves', async () => {
    await attacked.net.kill(FAULTY);
    await attacked.behavesAgain();
  });
});
