// Four real validators attacked by a user through gossip, then three of them by strangers and by the fourth: floods,
// malformed messages, votes and certificates that are invalid or forged, and faulty proposals.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { devAccount, type Signer, signTransaction } from '../../src/client/client.js';
import { DEV_CHAIN_ID } from '../../src/ledger/dev-genesis.js';
import { FRAME_KINDS } from '../../src/network/frame-kinds.js';
import { eventually } from '../support/eventually.js';
import { metricSum } from '../support/networks/attacking/attack-watch.js';
import { AttackedNet, FAULTY, HONEST, PACE, SHORT_BANS } from '../support/networks/attacking/attacked-net.js';
import { MALFORMED_FAULTS } from '../support/networks/attacking/frame-floods.js';
import { PrivateLoad } from '../support/networks/attacking/private-load.js';
import { rawFrame } from '../support/networks/mesh-attacker.js';
import { MeshFlood } from '../support/networks/mesh-flood.js';
import { ValidatorNet } from '../support/networks/validator-net.js';

const ATTACK_MS = 2_000;
const FLAGS = ['--block-time', '100', ...PACE];
/** Lanes of an account with pending transactions. */
const PENDING_LANES = 15;
const { number, codec } = FRAME_KINDS.transactions;

describe('validators under attack', { timeout: 900_000 }, () => {
  let net: ValidatorNet;
  /** Present once the fourth validator's node is ended. */
  let attacked: AttackedNet;

  before(async () => {
    net = await ValidatorNet.make({ flags: FLAGS });
    await net.start(net.all, { nodeFlags: SHORT_BANS });
    await net.allConnected();
  });

  after(() => net?.dispose());

  const sum = (name: string, label?: string) => metricSum(net, HONEST, name, label);
  const faults = (code?: string) => sum('heddle_mesh_faults_total', code === undefined ? '' : `"${code}"`);
  const faultsOf = (index: number) => metricSum(net, [index], 'heddle_mesh_faults_total');

  async function equivocations(): Promise<readonly bigint[]> {
    const seen = await Promise.all(HONEST.map((index) => net.consensus(index)));
    return seen.map(({ equivocations_seen }) => equivocations_seen);
  }

  describe('by a user through gossip', () => {
    async function transfer(sender: Signer, lane: number, nonce: bigint): Promise<Uint8Array> {
      const { encoded } = await signTransaction(
        {
          chain_id: DEV_CHAIN_ID,
          sender: sender.address,
          lane,
          nonce,
          gas_limit: 100_000n,
          max_fee: 1_000n,
          priority_fee: 1n,
          action: { type: 'transfer', value: { to: devAccount(9).address, amount: 1n } },
        },
        sender,
      );
      return encoded;
    }

    /**
     * Uses all lanes of the account but one, then submits a transaction with another lane to each validator at once.
     * Returns the number of validators that took theirs; one refuses it if another's has already arrived by gossip.
     */
    async function useLastLanes(sender: Signer): Promise<number> {
      const lanes = Array.from({ length: 255 }, (_, lane) => lane);
      for (let first = 0; first < lanes.length; first += PENDING_LANES) {
        const next = lanes.slice(first, first + PENDING_LANES);
        // Each validator gets some, because the first submission to a node takes far longer than later ones.
        await Promise.all(
          next.map(async (lane) =>
            net.client(lane % net.all.length).tx_submit({ encoded: await transfer(sender, lane, 0n) }),
          ),
        );
        await eventually('its lanes are used', async () => {
          const accounts = net.all.map((index) => net.client(index).account({ address: sender.address }));
          return (await Promise.all(accounts)).every(
            ({ lanes: used }) =>
              used.length === first + next.length && used.every(({ pending }) => pending === 0),
          );
        });
      }
      await net.grow(2n);
      const gapped = await Promise.all(net.all.map((index) => transfer(sender, 1_000 + index, 1n)));
      const taken = await Promise.allSettled(
        gapped.map((encoded, index) => net.client(index).tx_submit({ encoded })),
      );
      return taken.filter(({ status }) => status === 'fulfilled').length;
    }

    async function linksStayUp(): Promise<void> {
      for (const index of net.all) assert.equal(await net.connected(index), 3);
      assert.equal(await metricSum(net, net.all, 'heddle_mesh_faults_total'), 0);
      // Both ends of each pair dial each other at first, so one connection is superseded.
      const superseded = await metricSum(net, net.all, 'heddle_mesh_closed_total', '"superseded"');
      assert.equal(await metricSum(net, net.all, 'heddle_mesh_closed_total'), superseded);
    }

    test('a sender who uses the last lanes of an account at each validator causes no bans', async () => {
      let taken = 0;
      // On a busy machine, gossip may be faster than the submissions.
      for (let sender = 0; sender < 4 && taken < 2; sender++) taken = await useLastLanes(devAccount(sender));
      assert.ok(taken >= 2);
      await eventually(
        'the others are refused',
        async () => (await metricSum(net, net.all, 'heddle_pool_rejections_total')) >= 2,
      );
      await net.grow(5n);
      await linksStayUp();
    });

    test('an envelope with the farthest opening height gets no peer banned by a lagging validator', async () => {
      const lagging = 2;
      net.node(lagging).signal('SIGSTOP');
      try {
        await sleep(1_500);
        const { tip } = await net.client(0).status();
        const action = { type: 'transfer', value: { to: devAccount(1).address, amount: 1n } } as const;
        for (const ahead of [1_001n, 1_000n]) {
          // The tip advances meanwhile.
          const sealing = { signer: devAccount(4), opensAt: tip.height + ahead, lane: Number(ahead) };
          await net.client(0).seal(action, { ...sealing, nonce: 0n });
        }
        await sleep(100);
      } finally {
        net.node(lagging).signal('SIGCONT');
      }
      await net.grow(5n);
      await linksStayUp();
    });
  });

  describe('by the fourth, with floods of short frames', () => {
    before(async () => {
      attacked = await AttackedNet.of(net);
    });

    test('nine refused items in a frame count as one fault, and their sender reconnects within a second', async () => {
      const item = { type: 'transaction', value: Uint8Array.of(1, 2, 3) } as const;
      const payload = codec.encode({ items: Array.from({ length: 9 }, () => item) });
      const flood = await MeshFlood.begin(net, FAULTY, [0], { chunk: rawFrame(number, payload), times: 1 });
      await eventually('it is dropped twice', async () => (await faultsOf(0)) >= 2);
      const { connections } = await flood.end();
      const count = await faultsOf(0);
      assert.ok(count <= connections, `${count} faults on ${connections} connections`);
    });

    test('a flood of short frames does not overload their machine', async () => {
      const frame = rawFrame(number, codec.encode({ items: [] }));
      const chunk = Buffer.concat(Array.from({ length: 100_000 }, () => frame));
      let [hogged, flooded] = [0, 0];
      // Measurements alternate because other load on the machine varies.
      for (const what of [undefined, chunk, undefined, chunk]) {
        const flood = await MeshFlood.begin(net, FAULTY, HONEST, { chunk: what });
        await sleep(300);
        const from = await net.height(0);
        await sleep(2_500);
        const blocks = Number((await net.height(0)) - from);
        if (what === undefined) hogged += blocks;
        else flooded += blocks;
        await flood.end();
      }
      // Reading every frame would make the flooded rate fall to a seventh.
      assert.ok(flooded >= hogged / 3, `${flooded} blocks, and ${hogged} beside a thread that burns time`);
      assert.ok((await sum('heddle_mesh_pauses_total')) > 0);
      // On a slow machine the floods above may end before the limit is reached.
      const flood = await MeshFlood.begin(net, FAULTY, HONEST, { chunk });
      await eventually(
        'each has dropped it',
        async () => (await metricSum(net, [1, 2], 'heddle_mesh_faults_total')) >= 2,
      ).finally(() => flood.end());
      for (const index of HONEST) assert.ok((await net.connected(index)) >= 2);
    });
  });

  describe('by strangers', () => {
    const refused = (reason: string) => sum('heddle_mesh_refused_total', `"${reason}"`);

    for (const [what, attack, reasons] of [
      ['that stay silent', 'connectSilently', ['crowded']],
      ['that stop in mid-handshake', 'stopHalfway', ['crowded', 'handshake_failed']],
      ['with no known key', 'shakeHandsUnknown', ['unknown_identity']],
    ] as const) {
      test(`hundreds of connections a second ${what} are turned away`, async () => {
        const before = await Promise.all(reasons.map(refused));
        const isDone = async () => {
          const now = await Promise.all(reasons.map(refused));
          return now.every((count, at) => count > (before[at] ?? 0));
        };
        const { messages } = await attacked.under([attack], ATTACK_MS, { maxConnections: 0, isDone });
        assert.ok(messages > 100, `${messages}`);
      });
    }
  });

  describe('by the fourth, with messages', () => {
    for (const [what, attack, least] of [
      ['small messages that help nobody, at the allowed rates', 'floodSmall', 500],
      ['requests of all kinds, at the allowed rates', 'floodRequests', 100],
      ['requests whose answers stay unread', 'floodRequestsUnread', 100],
      ['blocks and other messages of the largest size', 'floodLarge', 5],
      ['gossip of transactions without a balance behind them', 'floodGossip', 25],
    ] as const) {
      test(`${what} are tolerated and count as no fault`, async () => {
        const before = await faults();
        const { messages } = await attacked.under([attack], ATTACK_MS);
        assert.ok(messages >= least, `${messages}`);
        assert.equal(await faults(), before);
      });
    }

    test('votes for far views and epochs, past and future, do no harm', async () => {
      const before = await faults();
      const { messages } = await attacked.under(['voteFarAway'], ATTACK_MS);
      assert.ok(messages > 500, `${messages}`);
      assert.deepEqual(await equivocations(), [0n, 0n, 0n]);
      assert.equal(await faults(), before);
    });

    test('conflicting votes on each proposal are detected by everybody', async () => {
      const before = await faults();
      const { messages, blocks } = await attacked.under(['voteBothWays'], ATTACK_MS);
      assert.ok(messages >= 9, `${messages}`);
      assert.ok(blocks > 0);
      for (const seen of await equivocations()) assert.ok(seen > 0n);
      assert.equal(await faults(), before);
    });

    test('certificates of the past, again and again, are ignored', async () => {
      const before = await faults();
      const { messages } = await attacked.under(['replayCertificates'], ATTACK_MS);
      assert.ok(messages > 500, `${messages}`);
      assert.equal(await faults(), before);
    });

    test('messages of each kind above the allowed rate cost their sender the connection', async () => {
      const before = await faults('too_fast');
      await attacked.under(['floodAboveRate'], ATTACK_MS);
      assert.ok((await faults('too_fast')) > before);
    });

    test('messages of each kind that are malformed or too large cost their sender the connection', async () => {
      const before = await Promise.all(['bad_value', 'too_large'].map(faults));
      const { ends } = await attacked.under(['sendMalformed'], 2 * ATTACK_MS);
      // On a slow machine not all of them have had their turn.
      assert.ok(ends >= Math.min(MALFORMED_FAULTS, HONEST.length * 3), `${ends}`);
      const now = await Promise.all(['bad_value', 'too_large'].map(faults));
      for (const [at, count] of now.entries()) assert.ok(count > (before[at] ?? 0), `${count}`);
    });

    test('gossip that proves a fault costs its sender the connection', async () => {
      const before = await faults('misbehaved');
      await attacked.under(['sendBadGossip'], ATTACK_MS);
      assert.ok((await faults('misbehaved')) > before);
    });

    test('invalid partial signatures in each certificate cost their sender its connections', async () => {
      const before = await faults();
      const { connections } = await attacked.under(['sendBadPartials'], ATTACK_MS);
      assert.ok(connections >= 3);
      assert.ok((await faults()) - before >= 3);
    });

    for (const [what, attack] of [
      ['forged certificates', 'forgeCertificates'],
      ['votes in the names of others', 'voteForOthers'],
      ['votes without an identity signature', 'voteUnsigned'],
    ] as const) {
      test(`${what} cost their sender the connection`, async () => {
        const before = await faults();
        await attacked.under([attack], ATTACK_MS);
        assert.ok((await faults()) > before);
      });
    }

    test('the validator is accepted again once its node behaves', async () => {
      await attacked.behavesAgain();
      await net.kill(FAULTY);
    });
  });

  describe('by the fourth, with proposals', () => {
    before(() => attacked.startTurncoat());

    /** The largest number of invalid proposals of the faulty validator that an honest one has seen. */
    async function invalidProposals(): Promise<bigint> {
      let most = 0n;
      for (const index of HONEST) {
        const { peers } = await net.client(index).validator_status();
        const seen = peers.find((peer) => peer.index === FAULTY)?.invalid_proposals ?? 0n;
        if (seen > most) most = seen;
      }
      return most;
    }

    const total = async () => (await equivocations()).reduce((all, seen) => all + seen, 0n);

    test('blocks that are withheld, repeated or early cost at most their view', async () => {
      const before = await faults();
      await attacked.whileIts(
        [
          'honest',
          'withholdFromOne',
          'withholdFromMost',
          'withholdFromAll',
          'proposeAgainAndAgain',
          'proposeEarly',
        ],
        8_000,
      );
      assert.equal(await faults(), before);
    });

    test('two blocks in one view, and invalid blocks, are detected', async () => {
      const before = [await invalidProposals(), await total()] as const;
      await attacked.whileIts(
        ['equivocate', 'proposeInvalid', 'proposeInvalidToOne', 'proposeAsAnother'],
        5_000,
      );
      assert.ok((await invalidProposals()) > before[0]);
      assert.ok((await total()) > before[1]);
    });

    test('blocks full of costly calls, and of the largest calls, hold up one view each', async () => {
      const load = await PrivateLoad.open(net.client(FAULTY), net.node(FAULTY).url);
      const before = await invalidProposals();
      for (const kind of ['costly', 'large'] as const) {
        load.begin(kind);
        await attacked.whileIts(['honest', 'proposeInvalid'], 5_000).finally(() => load.end());
      }
      // The invalid ones were executed to their end.
      assert.ok((await invalidProposals()) > before);
    });

    test('proposals that prove a fault cost the connection', async () => {
      const before = await faults();
      await attacked.whileIts(['voteAsAnother', 'proposeGarbage', 'proposeNothingLarge'], 4_000);
      assert.ok((await faults()) - before >= HONEST.length);
    });

    test('the validator is accepted again once its node behaves', async () => {
      await net.kill(FAULTY);
      await attacked.behavesAgain();
    });
  });
});
