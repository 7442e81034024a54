import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Vote, VoteCertificate } from '../../src/generated/mesh.js';
import type { FrameValues, MessageKind } from '../../src/network/frame-kinds.js';
import type { Mesh } from '../../src/network/mesh.js';
import { allConnected, MeshWorld, until } from '../support/networks/mesh-world.js';
import { sweep } from '../support/sweep.js';

function vote(view: bigint): Vote {
  return {
    kind: { type: 'notarize' },
    epoch: 0n,
    view,
    parent_view: view - 1n,
    block_hash: new Uint8Array(32).fill(1),
    signer: 2,
    partial: new Uint8Array(96).fill(3),
    signature: new Uint8Array(64).fill(4),
  };
}

const HASH = new Uint8Array(32).fill(6);
const SIGNATURE = new Uint8Array(64).fill(5);
const BLOCK = { header: new Uint8Array(300).fill(1), body: new Uint8Array(200_000).fill(2) };
const CERTIFICATE: VoteCertificate = {
  kind: { type: 'finalize' },
  epoch: 1n,
  view: 2n,
  parent_view: 1n,
  block_hash: HASH,
  signature: new Uint8Array(96),
};
const ACK = { player: 1, signature: SIGNATURE };
const COMMITMENTS = [new Uint8Array(48).fill(1), new Uint8Array(48).fill(2)];

const SAMPLES: { readonly [K in MessageKind]: FrameValues[K] } = {
  vote: vote(3n),
  certificate: CERTIFICATE,
  seal_share: { epoch: 1n, height: 2n, signer: 3, partial: new Uint8Array(96) },
  get_block: { block_hash: HASH },
  get_certificates: { epoch: 1n, from_view: 2n, to_view: 3n },
  get_finalized: { from_height: 4n, count: 5 },
  proposal: { vote: vote(4n), block: BLOCK },
  block: { block_hash: HASH, block: BLOCK },
  finalized: { from_height: 1n, blocks: [{ block: BLOCK }, { block: BLOCK, certificate: CERTIFICATE }] },
  dealt_share: { epoch: 1n, dealer: 2, commitments: COMMITMENTS, share: HASH },
  dealt_ack: { epoch: 1n, dealer: 2, ack: ACK },
  dealing: {
    epoch: 1n,
    dealer: 2,
    commitments: COMMITMENTS,
    acks: [ACK],
    encryption_key: new Uint8Array(48),
    sealed: [{ player: 2, ephemeral: new Uint8Array(48), share: HASH, challenge: HASH, response: HASH }],
    signature: SIGNATURE,
  },
  complaint: {
    epoch: 1n,
    dealer: 2,
    player: 3,
    shared: new Uint8Array(48),
    challenge: HASH,
    response: HASH,
  },
  approval: {
    epoch: 1n,
    change: {
      type: 'add',
      value: { identity_key: HASH, encryption_key: new Uint8Array(48), endpoint: '127.0.0.1:9700' },
    },
    approval: { index: 1, signature: SIGNATURE },
  },
  ceremony: { content: new Uint8Array(100_000).fill(3) },
  transactions: {
    items: [
      { type: 'transaction', value: new Uint8Array(200) },
      { type: 'sealed', value: new Uint8Array(300) },
    ],
  },
};

/** The views of the votes that a mesh receives, with the sender's index. */
function votesOf(mesh: Mesh): string[] {
  const got: string[] = [];
  mesh.on('vote', (peer, { view }) => {
    got.push(`${peer.index}:${view}`);
  });
  return got;
}

describe('the mesh', () => {
  let world: MeshWorld;
  beforeEach(async () => {
    world = await MeshWorld.open();
  });
  afterEach(() => world.stop());

  test('five nodes connect with each other, and a broadcast reaches all others once, in order', async () => {
    const meshes = await world.connected(5);
    const got = meshes.map(votesOf);
    const [first] = meshes;
    for (let view = 1n; view <= 50n; view++) assert.equal(first?.broadcast('vote', vote(view)), 4);
    const expected = Array.from({ length: 50 }, (_, i) => `0:${i + 1}`);
    for (const votes of got.slice(1)) {
      await until('all votes are there', () => votes.length >= 50);
      assert.deepEqual(votes, expected);
    }
    assert.deepEqual(got[0], []);
    for (const mesh of meshes) {
      // The second of two dials at once may still be shaking hands.
      await until('every socket is identified', () => mesh.unidentifiedSockets === 0);
      assert.deepEqual([...mesh.counts.faults], []);
    }
  });

  test('each pair ends up with one lasting connection, whichever side dialled', async () => {
    const meshes = await world.connected(4, { timing: { retireMs: 300, pingMs: 200, silentPings: 40 } });
    const told: string[] = [];
    for (const mesh of meshes) mesh.onDisconnected((peer, why) => told.push(`${peer.index} ${why}`));
    const got = meshes.map(votesOf);
    // Covers the maximum life of a retired connection and a few pings.
    await sleep(800);
    assert.deepEqual(told, []);
    for (const mesh of meshes) mesh.broadcast('vote', vote(9n));
    for (const votes of got) await until('a vote of each', () => votes.length === 3);
  });

  test('if both sides dial at once one connection stays, and no message sent meanwhile is lost', async () => {
    for (let round = 0; round < sweep(2); round++) {
      const timing = { firstRedialMs: 0 };
      const meshes = [await world.started(0, { timing }), await world.started(1, { timing })];
      const got = meshes.map(votesOf);
      for (const mesh of meshes) {
        mesh.onConnected(({ identity }) => {
          for (let view = 1n; view <= 20n; view++) mesh.send(identity, 'vote', vote(view));
        });
      }
      world.introduce(meshes);
      for (const votes of got) await until('all votes are there', () => new Set(votes).size === 20);
      await sleep(50);
      for (const mesh of meshes) {
        assert.equal(mesh.peers()[0]?.connected, true);
        assert.deepEqual([...mesh.counts.faults], []);
        await mesh.stop();
      }
    }
  });

  test('every kind of message arrives', async () => {
    const [one, other] = await world.connected(2);
    assert.ok(one !== undefined && other !== undefined);
    for (const [kind, value] of Object.entries(SAMPLES) as [MessageKind, never][]) {
      const got: unknown[] = [];
      other.on(kind, (_, received) => {
        got.push(received);
      });
      assert.equal(one.send(1, kind, value), true);
      await until(`${kind} is there`, () => got.length === 1);
      assert.deepEqual(got[0], value);
      assert.equal(one.counts.sent.get(kind)?.messages, 1);
      assert.equal(other.counts.received.get(kind)?.messages, 1);
    }
  });

  test('a vote overtakes a large block', async () => {
    const [one, other] = await world.connected(2);
    assert.ok(one !== undefined && other !== undefined);
    const got: string[] = [];
    other.on('vote', () => {
      got.push('vote');
    });
    other.on('proposal', (_, { block }) => {
      got.push(`proposal of ${block.body.length}`);
    });
    const body = new Uint8Array(4 * 1024 * 1024).fill(5);
    one.send(1, 'proposal', { vote: vote(1n), block: { header: new Uint8Array(300), body } });
    // The block is on its way when the vote comes.
    await sleep(0);
    one.send(1, 'vote', vote(1n));
    await until('both are there', () => got.length === 2);
    assert.deepEqual(got, ['vote', 'proposal of 4194304']);
  });

  test('peers are reported with address, round trip and time last seen', async () => {
    const [one, other] = await world.connected(2);
    assert.ok(one !== undefined && other !== undefined);
    await until('a round trip', () => one.peers()[0]?.rttMs !== undefined);
    const [report] = one.peers();
    assert.equal(report?.identity, other.identity);
    assert.equal(report?.index, 1);
    assert.equal(report?.address, `127.0.0.1:${other.endpoint?.port}`);
    assert.equal(report?.connected, true);
    assert.ok(Math.abs((report?.lastSeenMs ?? 0) - Date.now()) < 60_000);
    assert.equal(report?.queuedBytes, 0);
  });

  test('a restarted node is connected again, and messages flow', async () => {
    const [one, other] = await world.connected(2);
    assert.ok(one !== undefined && other?.endpoint !== undefined);
    const events: string[] = [];
    one.onConnected((peer) => events.push(`+${peer.index}`));
    one.onDisconnected((peer, why) => events.push(`-${peer.index} ${why}`));
    const listen = other.endpoint;
    await other.stop();
    await until('it is noticed', () => events.length === 1);
    assert.equal(one.send(1, 'vote', vote(1n)), false);
    const again = world.mesh(1, { listen, peers: [world.allowed(one, 0)] });
    const got = votesOf(again);
    await again.start();
    await until('it is back', () => one.peers()[0]?.connected === true);
    assert.deepEqual(events, ['-1 lost', '+1']);
    assert.equal(one.send(again.identity, 'vote', vote(2n)), true);
    await until('the vote is there', () => got.length === 1);
  });

  test('messages that a listener sends on connecting arrive', async () => {
    const one = await world.started(0);
    const other = await world.started(1);
    const got = votesOf(other);
    one.onConnected((peer) => {
      one.send(peer.identity, 'vote', vote(77n));
    });
    world.introduce([one, other]);
    await until('the vote is there', () => got.includes('0:77'));
  });

  test('a node removed from the set is disconnected and cannot come back until it is in again', async () => {
    const [one, two, three] = await world.connected(3);
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    const left: string[] = [];
    one.onDisconnected((_, why) => left.push(why));
    one.setPeers([world.allowed(one, 0), world.allowed(three, 1)]);
    assert.deepEqual(left, ['removed']);
    await until('its attempts are refused', () => (one.counts.refused.get('unknown_identity') ?? 0) > 0);
    assert.equal(one.peers().length, 1);
    // Votes carry the sender's index in the new set.
    const got = votesOf(three);
    three.setPeers([world.allowed(one, 0), world.allowed(three, 1)]);
    assert.equal(one.send(1, 'vote', vote(3n)), true);
    await until('the vote is there', () => got.includes('0:3'));
    world.introduce([one, two, three]);
    for (const mesh of [one, two, three]) await allConnected(mesh);
  });

  test('a node without an index and an endpoint can join', async () => {
    const one = await world.started(0);
    const joining = await world.started(9);
    one.setPeers([world.allowed(one, 0), { identityKey: world.key(9) }]);
    joining.setPeers([world.allowed(one, 0)]);
    await allConnected(one);
    await allConnected(joining);
    const got = votesOf(one);
    assert.equal(joining.send(0, 'vote', vote(1n)), true);
    await until('the vote is there', () => got.includes('undefined:1'));
  });

  test('an unknown identity is refused by either side', async () => {
    const one = await world.started(0);
    const stranger = await world.started(6);
    // The stranger knows `one`, which does not know it.
    stranger.setPeers([world.allowed(one, 0)]);
    await until('it is refused', () => (one.counts.refused.get('unknown_identity') ?? 0) >= 2);
    assert.equal(stranger.peers()[0]?.connected, false);
    // Another node answers at a peer's address.
    const expecting = await world.started(1);
    expecting.setPeers([{ identityKey: world.key(2), index: 2, endpoint: one.endpoint }]);
    one.setPeers([world.allowed(expecting, 1)]);
    await sleep(300);
    assert.equal(expecting.peers()[0]?.connected, false);
    assert.equal(expecting.counts.received.size, 0);
  });

  for (const [what, other] of [
    ['chain id', { chainId: 6n }],
    ['genesis', { chain: new Uint8Array(32).fill(8) }],
  ] as const) {
    test(`a peer with another ${what} is dropped and counted`, async () => {
      const one = await world.started(0);
      const lost = await world.started(1, other);
      world.introduce([one, lost]);
      await until('it is counted', () => (one.counts.faults.get('wrong_chain') ?? 0) > 0);
      assert.equal(one.peers()[0]?.connected, false);
      assert.ok((one.peers()[0]?.faults.get('wrong_chain') ?? 0) > 0);
    });
  }

  test('a dropped peer is banned for longer each time, and comes back', async () => {
    const [one] = await world.connected(2);
    assert.ok(one !== undefined);
    const left: string[] = [];
    one.onDisconnected((_, why) => left.push(why));
    for (let i = 1; i <= 3; i++) {
      one.drop(1, 'a certificate that does not verify');
      assert.equal(one.peers()[0]?.connected, false);
      await allConnected(one);
      assert.equal(one.peers()[0]?.faults.get('misbehaved'), i);
    }
    assert.deepEqual(left, ['misbehaved', 'misbehaved', 'misbehaved']);
  });

  test('a handler that throws or rejects ends no connection', async () => {
    const problems: object[] = [];
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (fields: object) => problems.push(fields),
    };
    const [one, two, three] = await world.connected(3, { log });
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    two.on('vote', () => {
      throw new Error('broken');
    });
    three.on('vote', async () => {
      throw new Error('broken too');
    });
    const got: bigint[] = [];
    for (const mesh of [two, three]) {
      mesh.on('get_finalized', (_, { from_height: height }) => {
        got.push(height);
      });
    }
    for (let view = 1n; view <= 100n; view++) one.broadcast('vote', vote(view));
    one.broadcast('get_finalized', { from_height: 1n, count: 1 });
    await until('what comes after is handled', () => got.length === 2);
    // Each faulty handler is logged once, so that a peer cannot fill the log.
    assert.equal(problems.length, 2);
    assert.ok(one.peers().every(({ connected }) => connected));
  });

  test('a value too large for its kind is refused before it is sent', async () => {
    const [one] = await world.connected(2);
    assert.throws(
      () => one?.send(1, 'ceremony', { content: new Uint8Array(2 * 1024 * 1024) }),
      /ceremony of \d+ bytes; the limit is 1048576/,
    );
    assert.equal(one?.peers()[0]?.connected, true);
  });

  test('a port in use is reported', async () => {
    const one = await world.started(0);
    assert.ok(one.endpoint !== undefined);
    await assert.rejects(
      world.mesh(1, { listen: one.endpoint }).start(),
      /cannot listen for validators on 127/,
    );
  });

  test('stopping ends every connection and timer, including calls in flight', async () => {
    const [one] = await world.connected(3);
    one?.setPeers([{ identityKey: world.key(8), endpoint: { host: '127.0.0.1', port: 1 } }]);
    await world.stop();
    const open = (): string[] =>
      process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
    // The handles of closed sockets disappear on the next tick; `until` itself uses one timer.
    await until('nothing is open', () => open().every((name) => name === 'Timeout') && open().length <= 1);
  });
});
