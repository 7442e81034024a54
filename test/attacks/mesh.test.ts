// An attacker at the mesh port, with or without an allowed key, costs the node little and blocks no other peer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { FRAME_KINDS, MESH_VERSION } from '../../src/network/frame-kinds.js';
import type { Mesh } from '../../src/network/mesh.js';
import type { MeshTiming } from '../../src/network/timing.js';
import { otherCertificate } from '../support/forged/other-certificates.js';
import {
  honestChannel,
  honestHello,
  rawFrame,
  tcpTo,
  tlsTo,
  type Wire,
} from '../support/networks/mesh-attacker.js';
import { allConnected, MeshWorld, until } from '../support/networks/mesh-world.js';

const MIB = 1024 * 1024;
/** The attacker's key: the mesh allows it. */
const ALLOWED = 3;

const VOTE = FRAME_KINDS.vote.codec.encode({
  kind: { type: 'nullify' },
  epoch: 0n,
  view: 1n,
  parent_view: 0n,
  block_hash: new Uint8Array(32),
  signer: 3,
  partial: new Uint8Array(96),
  signature: new Uint8Array(64),
});

describe('attacks on the mesh', () => {
  let world: MeshWorld;
  let mesh: Mesh;
  let honest: Mesh;
  const wires: Wire[] = [];

  /** Opens the mesh under attack and an honest peer of it, and allows the attacker's key. */
  async function open(timing: Partial<MeshTiming> = {}, rateScale = 1): Promise<void> {
    mesh = await world.started(0, { timing, rateScale });
    honest = await world.started(1);
    const allowed = [
      world.allowed(mesh, 0),
      world.allowed(honest, 1),
      { identityKey: world.key(ALLOWED), index: 2 },
    ];
    mesh.setPeers(allowed);
    honest.setPeers(allowed.slice(0, 2));
    await allConnected(honest);
  }

  beforeEach(async () => {
    world = await MeshWorld.open();
  });

  afterEach(async () => {
    for (const { socket } of wires.splice(0)) socket.destroy();
    await world.stop();
  });

  function endpoint(): NonNullable<Mesh['endpoint']> {
    assert.ok(mesh.endpoint !== undefined);
    return mesh.endpoint;
  }

  async function tcp(): Promise<Wire> {
    const wire = await tcpTo(endpoint());
    wires.push(wire);
    return wire;
  }

  /** A connection with an allowed key after its handshake. */
  async function allowed(number: number = ALLOWED): Promise<Wire<TLSSocket>> {
    const wire = await tlsTo(endpoint(), await honestChannel(world, number));
    wires.push(wire);
    return wire;
  }

  /** A connection that has sent its hello. */
  async function greeted(): Promise<Wire<TLSSocket>> {
    const wire = await allowed();
    wire.socket.write(honestHello());
    await until('the mesh has it', () => mesh.peers()[1]?.connected === true);
    return wire;
  }

  /** Asserts that the mesh still serves its honest peer. */
  async function isSound(): Promise<void> {
    let got = 0;
    honest.on('ceremony', () => {
      got++;
    });
    assert.equal(mesh.send(1, 'ceremony', { content: new Uint8Array(9) }), true);
    await until('the honest peer is served', () => got === 1);
    assert.equal(mesh.peers()[0]?.faults.size, 0);
  }

  /**
   * Asserts that the connection is closed, the fault counted and the peer disconnected, with no effect on the honest
   * peer.
   */
  async function isDropped(wire: Wire, code: string): Promise<void> {
    await wire.closed();
    await until(`${code} is counted`, () => [...mesh.counts.faults.keys()].some((known) => known === code));
    assert.equal(mesh.peers()[1]?.connected, false);
    await isSound();
  }

  test('connections that never begin a handshake are limited, time out and keep no peer out', async () => {
    await open({ handshakeMs: 1_500 });
    const silent: Wire[] = [];
    for (let i = 0; i < 150; i++) silent.push(await tcp());
    await until('they are counted', () => mesh.unidentifiedSockets > 0);
    assert.ok(mesh.unidentifiedSockets <= 32, `${mesh.unidentifiedSockets}`);
    const late = await world.started(7);
    mesh.setPeers([world.allowed(honest, 1), { identityKey: world.key(7), index: 2 }]);
    // The address's handshake rate is used up for a moment.
    late.setPeers([world.allowed(mesh, 0)]);
    await allConnected(late);
    for (const wire of silent) await wire.closed();
    await until('nobody is at the door', () => mesh.unidentifiedSockets === 0);
    assert.ok((mesh.counts.refused.get('crowded') ?? 0) > 0);
    await isSound();
  });

  test('a handshake that trickles in byte by byte is cut off', async () => {
    await open({ handshakeMs: 2_500 });
    const wire = await tcp();
    // A record of 512 bytes, a ClientHello of 508.
    const start = Buffer.from('16030102000100 01fc0303'.replace(' ', ''), 'hex');
    let sent = 0;
    const trickle = setInterval(() => wire.socket.write(Buffer.of(start[sent++] ?? 0)), 10);
    await wire.closed();
    clearInterval(trickle);
    assert.ok(sent > start.length, `${sent}`);
    await isSound();
  });

  test('anything but TLS of the right version with a certificate is refused', async () => {
    await open();
    const plain = await tcp();
    plain.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await plain.closed();
    const channel = await honestChannel(world, ALLOWED);
    const older = await tlsTo(endpoint(), { ...channel, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' });
    await older.closed();
    const other = await tlsTo(endpoint(), { ...channel, ALPNProtocols: ['h2'] });
    await other.closed();
    const { key: _key, cert: _cert, ...bare } = channel;
    const anonymous = await tlsTo(endpoint(), bare);
    await anonymous.closed();
    assert.equal(anonymous.received, 0);
    const without = await tlsTo(endpoint(), { minVersion: 'TLSv1.3' });
    await without.closed();
    await until('all are counted', () => {
      const { refused } = mesh.counts;
      return (refused.get('handshake_failed') ?? 0) + (refused.get('no_identity') ?? 0) === 5;
    });
    await isSound();
  });

  test('keys of other kinds are refused', async () => {
    await open();
    for (const kind of ['rsa', 'ec', 'ed448'] as const) {
      const wire = await tlsTo(endpoint(), { ...otherCertificate(kind), ALPNProtocols: ['heddle-mesh/1'] });
      await wire.closed();
      assert.equal(wire.received, 0);
    }
    // A conforming client sends no certificate if it has none of the requested kind.
    assert.equal(mesh.counts.refused.get('no_identity'), 3);
    await isSound();
  });

  test('an unknown key is sent no data', async () => {
    await open();
    const wire = await allowed(40);
    wire.socket.write(honestHello());
    await wire.closed();
    assert.equal(wire.received, 0);
    assert.equal(mesh.counts.refused.get('unknown_identity'), 1);
    await isSound();
  });

  test('sessions are not resumed: each handshake proves the key', async () => {
    await open();
    const channel = await honestChannel(world, ALLOWED);
    const sessions: Buffer[] = [];
    const first = await tlsTo(endpoint(), channel);
    wires.push(first);
    first.socket.on('session', (session) => sessions.push(session));
    first.socket.write(honestHello());
    await until('the mesh has it', () => mesh.peers()[1]?.connected === true);
    await sleep(200);
    first.socket.destroy();
    const session = sessions[0] ?? first.socket.getSession();
    const again = await tlsTo(endpoint(), { ...channel, ...(session === undefined ? {} : { session }) });
    wires.push(again);
    assert.equal(again.socket.isSessionReused(), false);
    await isSound();
  });

  for (const [what, code, bytes] of [
    ['a length of 4 GiB', 'too_large', rawFrame(FRAME_KINDS.vote.number, new Uint8Array(0), 0xffff_ffff)],
    ['a block in one frame', 'too_large', rawFrame(FRAME_KINDS.block.number, new Uint8Array(0), 4 * MIB)],
    ['an unknown kind', 'bad_frame', rawFrame(200, new Uint8Array(3))],
    ['a second hello', 'bad_frame', honestHello()],
    [
      'bytes that are no vote',
      'bad_value',
      rawFrame(FRAME_KINDS.vote.number, new Uint8Array(221).fill(0xff)),
    ],
    ['a vote with bytes behind', 'bad_value', rawFrame(FRAME_KINDS.vote.number, new Uint8Array(222))],
    ['an empty vote', 'bad_value', rawFrame(FRAME_KINDS.vote.number, new Uint8Array(0))],
    [
      'a list of more items than there may be',
      'bad_value',
      rawFrame(FRAME_KINDS.transactions.number, Buffer.concat([Buffer.of(0, 0, 1, 0), Buffer.alloc(60_000)])),
    ],
    ['garbage', 'bad_frame', Buffer.alloc(100_000, 0xe7)],
  ] as const) {
    test(`${what} after the hello drops the peer: ${code}`, async () => {
      await open();
      const wire = await greeted();
      wire.socket.write(bytes);
      await isDropped(wire, code);
      assert.equal(mesh.peers()[1]?.faults.size, 1);
    });
  }

  test('anything before the hello drops the peer, and a wrong hello too', async () => {
    await open({ firstBanMs: 1, maxBanMs: 1 });
    const { codec, number } = FRAME_KINDS.hello;
    for (const [code, bytes] of [
      ['no_hello', rawFrame(FRAME_KINDS.vote.number, VOTE)],
      ['no_hello', rawFrame(FRAME_KINDS.ping.number, new Uint8Array(8))],
      [
        'wrong_version',
        rawFrame(
          number,
          codec.encode({ version: MESH_VERSION + 1, chain_id: 5n, chain: new Uint8Array(32) }),
        ),
      ],
      ['bad_value', rawFrame(number, new Uint8Array(3))],
    ] as const) {
      await sleep(10);
      const wire = await allowed();
      wire.socket.write(bytes);
      await isDropped(wire, code);
    }
  });

  test('a peer silent after the handshake is cut off', async () => {
    await open({ handshakeMs: 2_500 });
    const wire = await allowed();
    await wire.closed();
    assert.equal(mesh.counts.closed.get('handshake_timeout'), 1);
    await isSound();
  });

  test('a banned peer is refused at the end of its handshake', async () => {
    await open({ firstBanMs: 60_000, maxBanWithoutQuorumMs: 60_000 });
    const wire = await greeted();
    wire.socket.write(rawFrame(200, new Uint8Array(3)));
    await isDropped(wire, 'bad_frame');
    for (let i = 0; i < 3; i++) {
      const again = await allowed();
      await again.closed();
      assert.equal(again.received, 0);
    }
    assert.equal(mesh.counts.refused.get('kept_out'), 3);
  });

  test('banning a peer cancels a dial to it', async () => {
    const dialed: Socket[] = [];
    // Never completes a handshake.
    const listener = createServer((socket) => dialed.push(socket.resume())).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    try {
      await open({ handshakeMs: 60_000, firstBanMs: 60_000, maxBanWithoutQuorumMs: 60_000 });
      const { port } = listener.address() as AddressInfo;
      const attacker = { identityKey: world.key(ALLOWED), index: 2, endpoint: { host: '127.0.0.1', port } };
      mesh.setPeers([world.allowed(mesh, 0), world.allowed(honest, 1), attacker]);
      await until('the mesh dials', () => dialed.length === 1);
      const wire = await greeted();
      wire.socket.write(rawFrame(200, new Uint8Array(3)));
      await isDropped(wire, 'bad_frame');
      await until('the dial ends', () => dialed[0]?.destroyed === true);
      assert.equal(dialed.length, 1);
    } finally {
      for (const socket of dialed) socket.destroy();
      listener.close();
    }
  });

  test('connections per key are limited', async () => {
    await open();
    const all: Wire[] = [];
    for (let i = 0; i < 12; i++) all.push(await allowed());
    await until('the older ones are closed', () => all.filter(({ isClosed }) => !isClosed).length <= 2);
    await isSound();
  });

  test('the newest connection of a key replaces older ones', async () => {
    await open();
    const first = await greeted();
    const second = await allowed();
    second.socket.write(honestHello());
    await first.closed();
    let votes = 0;
    mesh.on('vote', () => {
      votes++;
    });
    second.socket.write(rawFrame(FRAME_KINDS.vote.number, VOTE));
    await until('the vote is there', () => votes === 1);
    assert.deepEqual([...mesh.counts.faults], []);
    await isSound();
  });

  test('votes above the rate limit drop the peer', async () => {
    await open();
    const wire = await greeted();
    let handled = 0;
    mesh.on('vote', () => {
      handled++;
    });
    const flood = Buffer.concat(Array.from({ length: 500 }, () => rawFrame(FRAME_KINDS.vote.number, VOTE)));
    while (!wire.isClosed) {
      if (!wire.socket.write(flood)) await sleep(1);
    }
    await isDropped(wire, 'too_fast');
    assert.ok(handled > 1_000, `${handled}`);
  });

  test('gossip above the rate limit is discarded and the peer stays', async () => {
    await open();
    const wire = await greeted();
    let bytes = 0;
    mesh.on('transactions', (_, { items }) => {
      for (const item of items) if (item.type === 'transaction') bytes += item.value.length;
    });
    const { codec, number } = FRAME_KINDS.transactions;
    const gossip = rawFrame(
      number,
      codec.encode({ items: [{ type: 'transaction', value: new Uint8Array(60_000) }] }),
    );
    for (let i = 0; i < 2_000; i++) {
      if (!wire.socket.write(gossip)) await once(wire.socket, 'drain');
    }
    await until('some is discarded', () => (mesh.counts.discardedReceiving.get('transactions') ?? 0) > 100);
    assert.equal(mesh.peers()[1]?.connected, true);
    assert.ok(bytes > 8 * MIB, `${bytes}`);
    await isSound();
  });

  /** One MiB of empty gossip frames. */
  function emptyGossip(): Buffer {
    const { codec, number } = FRAME_KINDS.transactions;
    const frame = rawFrame(number, codec.encode({ items: [] }));
    return Buffer.concat(Array.from({ length: Math.ceil(MIB / frame.length) }, () => frame));
  }

  for (const [what, chunk, writes, rateScale] of [
    ['short frames', emptyGossip(), 1, 1],
    // The rate is lower because writing such records takes longer than reading them.
    ['TLS records of a few bytes', rawFrame(FRAME_KINDS.transactions.number, Buffer.alloc(4)), 100, 0.2],
  ] as const) {
    test(`a flood of ${what} is read with pauses, then its sender is dropped`, async () => {
      await open({}, rateScale);
      const wire = await greeted();
      let [offered, answered, sent] = [0, 0, 0];
      honest.on('ceremony', () => {
        answered++;
      });
      const offering = setInterval(() => {
        mesh.send(1, 'ceremony', { content: new Uint8Array(9) });
        offered++;
      }, 200);
      while (!wire.isClosed) {
        // One after the other, because writes of the same tick share a record.
        for (let i = 0; i < writes && !wire.isClosed; i++) {
          await new Promise((resolve) => wire.socket.write(chunk, resolve));
          sent += chunk.length;
        }
        await wire.drained();
      }
      clearInterval(offering);
      await until('it is dropped', () => mesh.counts.faults.get('too_fast') === 1);
      assert.ok(mesh.counts.pauses >= 20, `${mesh.counts.pauses}`);
      assert.ok(sent < 512 * MIB * rateScale, `${sent}`);
      // Messages to another peer still go out.
      await until('the other peer has all', () => answered === offered);
      await isSound();
    });
  }

  test('an honest peer sends no more gossip than the other accepts', async () => {
    await open();
    let bytes = 0;
    honest.on('transactions', (_, { items }) => {
      for (const item of items) if (item.type === 'transaction') bytes += item.value.length;
    });
    const items = [{ type: 'transaction', value: new Uint8Array(500_000) } as const];
    let sent = 0;
    const begun = performance.now();
    for (let i = 0; i < 400; i++) {
      if (mesh.send(1, 'transactions', { items })) sent += 500_000;
      if (i % 5 === 0) await sleep(1);
    }
    const { bytesPerSecond } = FRAME_KINDS.transactions.rate;
    // A bucket holds the bytes of two seconds.
    const allowed = (2 + (performance.now() - begun) / 1_000) * bytesPerSecond;
    assert.ok(sent >= 16_000_000 && sent <= allowed + 600_000, `${sent} of ${allowed}`);
    assert.ok((mesh.counts.discardedSending.get('transactions') ?? 0) > 100);
    await sleep(50);
    assert.equal(honest.counts.discardedReceiving.get('transactions') ?? 0, 0);
    assert.deepEqual([honest.counts.pauses, honest.counts.faults.size], [0, 0]);
    assert.ok(bytes > 0);
  });

  test('a peer needed for the quorum may reconnect within moments, however often it was at fault', async () => {
    const timing = { firstBanMs: 60_000, maxBanWithoutQuorumMs: 100 };
    await open(timing);
    const members = [
      world.allowed(mesh, 0),
      world.allowed(honest, 1),
      { identityKey: world.key(ALLOWED), index: 2 },
      { identityKey: world.key(9), index: 3 },
    ];
    mesh.setPeers(members);
    for (let faults = 1; faults <= 3; faults++) {
      const wire = await greeted();
      wire.socket.write(rawFrame(200, new Uint8Array(3)));
      await isDropped(wire, 'bad_frame');
      await sleep(150);
    }
    assert.equal(mesh.peers()[1]?.faults.get('bad_frame'), 3);
    await greeted();
  });

  test('a ban imposed while a quorum was connected ends once the quorum is lost', async () => {
    await open({ firstBanMs: 60_000, maxBanWithoutQuorumMs: 100 });
    const third = await world.started(9);
    mesh.setPeers([
      world.allowed(mesh, 0),
      world.allowed(honest, 1),
      { identityKey: world.key(ALLOWED), index: 2 },
      world.allowed(third, 3),
    ]);
    third.setPeers([world.allowed(mesh, 0), world.allowed(third, 3)]);
    const wire = await greeted();
    await until('all are connected', () => mesh.peers().every(({ connected }) => connected));
    wire.socket.write(rawFrame(200, new Uint8Array(3)));
    await wire.closed();
    await sleep(150);
    const again = await allowed();
    await again.closed();
    assert.equal(mesh.counts.refused.get('kept_out'), 1);
    await third.stop();
    await until('the third is gone', () => mesh.peers()[2]?.connected === false);
    await greeted();
  });

  test('gossip is discarded while its handler is slow, and urgent messages still arrive', async () => {
    await open();
    const wire = await greeted();
    let begun = 0;
    let votes = 0;
    const held: (() => void)[] = [];
    mesh.on('transactions', () => {
      begun++;
      return new Promise((resolve) => held.push(resolve));
    });
    mesh.on('vote', () => {
      votes++;
    });
    const { codec, number } = FRAME_KINDS.transactions;
    const gossip = rawFrame(
      number,
      codec.encode({ items: [{ type: 'sealed', value: new Uint8Array(60_000) }] }),
    );
    for (let i = 0; i < 200; i++) wire.socket.write(gossip);
    wire.socket.write(rawFrame(FRAME_KINDS.vote.number, VOTE));
    await until('the vote is there', () => votes === 1);
    assert.ok(begun * 60_000 <= 4 * MIB, `${begun}`);
    for (const resolve of held) resolve();
    await isSound();
  });

  test('reading from a peer pauses while its messages take long to handle, then resumes', async () => {
    await open();
    const wire = await greeted();
    const held: (() => void)[] = [];
    let begun = 0;
    mesh.on('ceremony', () => {
      begun++;
      return new Promise((resolve) => held.push(resolve));
    });
    const content = new Uint8Array(60_000);
    const { codec, number } = FRAME_KINDS.ceremony;
    const message = rawFrame(number, codec.encode({ content }));
    // The flood stays below the rate in frames and bytes; only the many small messages exceed what handlers may hold.
    const vote = rawFrame(FRAME_KINDS.vote.number, VOTE);
    let votes = 0;
    mesh.on('vote', () => {
      votes++;
      return new Promise((resolve) => held.push(resolve));
    });
    wire.socket.write(message);
    for (let sent = 0; sent < 10_000; sent += 400) {
      wire.socket.write(Buffer.concat(Array.from({ length: 400 }, () => vote)));
      await sleep(50);
    }
    await until('handlers are at work', () => begun === 1 && votes > 8_000);
    assert.ok(votes < 9_000, `${votes}`);
    for (const resolve of held.splice(0)) resolve();
    await until('the rest comes', () => {
      for (const resolve of held.splice(0)) resolve();
      return votes === 10_000;
    });
    assert.equal(mesh.peers()[1]?.connected, true);
  });

  test('a peer that does not read is sent a bounded amount and cut off once votes exceed it', async () => {
    await open();
    const wire = await greeted();
    wire.socket.pause();
    const item = { type: 'transaction', value: new Uint8Array(500_000) } as const;
    const block = {
      block_hash: new Uint8Array(32),
      block: { header: new Uint8Array(9), body: new Uint8Array(MIB) },
    };
    for (let i = 0; i < 200; i++) {
      mesh.send(2, 'transactions', { items: [item] });
      mesh.send(2, 'block', block);
      mesh.send(2, 'finalized', { from_height: 0n, blocks: [{ block: block.block }] });
      if (i % 10 === 0) await sleep(1);
    }
    const queued = mesh.peers()[1]?.queuedBytes ?? 0;
    assert.ok(queued > MIB && queued < 48 * MIB, `${queued}`);
    assert.ok((mesh.peers()[1]?.discarded ?? 0) > 100);
    const vote = FRAME_KINDS.vote.codec.decode(VOTE);
    let sent = 0;
    while (mesh.send(2, 'vote', vote)) sent++;
    assert.equal(sent, 16_384);
    assert.equal(mesh.counts.closed.get('overflow'), 1);
    assert.equal(mesh.peers()[1]?.queuedBytes, 0);
    await isSound();
  });

  test('a peer that does not read is detected', async () => {
    await open({ pingMs: 100, silentPings: 3 });
    const wire = await greeted();
    wire.socket.pause();
    const alive = setInterval(
      () => wire.socket.write(rawFrame(FRAME_KINDS.ping.number, new Uint8Array(8))),
      80,
    );
    const body = new Uint8Array(4 * MIB);
    const offered = setInterval(
      () =>
        mesh.send(2, 'block', { block_hash: new Uint8Array(32), block: { header: new Uint8Array(9), body } }),
      20,
    );
    await until('it is closed', () => mesh.peers()[1]?.connected === false);
    clearInterval(alive);
    clearInterval(offered);
    assert.equal(mesh.counts.closed.get('stalled'), 1);
    await isSound();
  });

  test('a peer that falls silent is detected', async () => {
    await open({ pingMs: 100, silentPings: 3 });
    await greeted();
    await until('it is closed', () => mesh.peers()[1]?.connected === false);
    assert.equal(mesh.counts.closed.get('idle'), 1);
    await isSound();
  });

  test('announced messages that never arrive take no memory', async () => {
    await open();
    const wire = await greeted();
    const before = process.memoryUsage().rss;
    for (const spec of [FRAME_KINDS.block, FRAME_KINDS.finalized, FRAME_KINDS.transactions]) {
      const announcement = Buffer.alloc(5);
      announcement.writeUInt8(spec.number, 0);
      announcement.writeUInt32LE(spec.maxBytes, 1);
      wire.socket.write(rawFrame(1, announcement));
    }
    // The length of a piece follows, without the piece.
    wire.socket.write(rawFrame(2, new Uint8Array(1), 65_537));
    await sleep(200);
    assert.equal(mesh.peers()[1]?.connected, true);
    assert.ok(process.memoryUsage().rss - before < 64 * MIB);
    await isSound();
  });

  test('a partial hello, a partial frame and a reset leave nothing behind', async () => {
    await open();
    for (let i = 0; i < 5; i++) {
      const wire = await allowed();
      wire.socket.write(honestHello().subarray(0, 5 * i));
      await sleep(20);
      wire.socket.destroy();
    }
    const wire = await greeted();
    wire.socket.write(rawFrame(FRAME_KINDS.vote.number, VOTE).subarray(0, 100));
    await sleep(50);
    wire.socket.destroy();
    await until('it is gone', () => mesh.peers()[1]?.connected === false);
    assert.deepEqual([...mesh.counts.faults], []);
    await isSound();
  });
});
