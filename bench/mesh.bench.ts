/**
 * Cost of the mesh: two ends on loopback in this thread, alternating with bare TLS sockets (`node:tls`, the same
 * certificates) that carry the same bytes. Measures the one-way latency of a vote on an idle connection, of a block
 * of 1 MiB, and of a vote behind a block of 4 MiB; and votes per second in bursts, encoded and decoded.
 *
 * Run: `npm run bench -- mesh [rounds]`. The bare sockets are the floor. The targets: a vote takes under 1
 * ms, and a vote behind a block does not wait for the block.
 */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { Vote } from '../src/generated/mesh.js';
import { Mesh } from '../src/network/mesh.js';
import { channelOptions, identityCertificate } from '../src/network/secure-channel.js';
import { describePositionals } from './support/bench-arguments.js';
import { atMost, recordCost, recordGain } from './support/record-values.js';
import { quantile } from './support/statistics.js';

describePositionals('[rounds, default 5]');
const ROUNDS = Number(process.argv[2] ?? 5);
const MIB = 1024 * 1024;
const VOTES = 20_000;
const BURST = 1_000;
const VOTE_BYTES = 226;

const vote: Vote = {
  kind: { type: 'notarize' },
  epoch: 1n,
  view: 2n,
  parent_view: 1n,
  block_hash: new Uint8Array(32),
  signer: 0,
  partial: new Uint8Array(96),
  signature: new Uint8Array(64),
};
const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const crypto = await loadCrypto('auto');
const seeds = [1, 2].map((byte) => new Uint8Array(32).fill(byte));

/** A transport to measure. Each method resolves once everything it sent has arrived. */
interface Carrier {
  vote(): Promise<void>;
  block(bytes: number): Promise<void>;
  votes(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface MeshCarrier extends Carrier {
  /** Sends a block and a vote behind it. @returns milliseconds until each arrived */
  voteBehindBlock(bytes: number): Promise<{ readonly voteMs: number; readonly blockMs: number }>;
}

async function meshes(): Promise<MeshCarrier> {
  const [one, other] = seeds.map(
    (identitySeed) =>
      new Mesh({
        identitySeed,
        chainId: 1n,
        chain: new Uint8Array(32),
        listen: { host: '127.0.0.1', port: 0 },
        peers: [],
        ed25519: crypto.ed25519,
        log: silent,
        rateScale: 1_000,
      }),
  );
  if (one === undefined || other === undefined) throw new Error('two meshes');
  await Promise.all([one.start(), other.start()]);
  const keys = seeds.map((seed) => crypto.ed25519.publicKey(seed));
  const list = [one, other].map((mesh, index) => ({
    identityKey: keys[index] as Uint8Array,
    index,
    endpoint: mesh.endpoint,
  }));
  const connected = new Promise<void>((resolve) => one.onConnected(() => resolve()));
  for (const mesh of [one, other]) mesh.setPeers(list);
  await connected;
  let onVote: () => void = () => undefined;
  let onBlock: () => void = () => undefined;
  other.on('vote', () => onVote());
  other.on('block', () => onBlock());
  const block = (bytes: number): void => {
    const body = new Uint8Array(bytes);
    one.send(1, 'block', { block_hash: new Uint8Array(32), block: { header: new Uint8Array(0), body } });
  };
  const votes = (count: number): Promise<void> =>
    new Promise((resolve) => {
      let left = count;
      onVote = () => {
        if (--left === 0) resolve();
      };
      for (let i = 0; i < count; i++) one.send(1, 'vote', vote);
    });
  return {
    vote: () => votes(1),
    votes,
    block: (bytes) =>
      new Promise((resolve) => {
        onBlock = resolve;
        block(bytes);
      }),
    voteBehindBlock: async (bytes) => {
      const started = performance.now();
      let voteMs = 0;
      let blockMs = 0;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          if (voteMs > 0 && blockMs > 0) resolve();
        };
        onVote = () => {
          voteMs = performance.now() - started;
          done();
        };
        onBlock = () => {
          blockMs = performance.now() - started;
          done();
        };
        block(bytes);
        setImmediate(() => one.send(1, 'vote', vote));
      });
      return { voteMs, blockMs };
    },
    stop: async () => {
      await Promise.all([one.stop(), other.stop()]);
    },
  };
}

async function bareSockets(): Promise<Carrier> {
  const [own, theirs] = await Promise.all(
    seeds.map(async (seed) => channelOptions(await identityCertificate(crypto.ed25519, seed))),
  );
  let left = 0;
  let onDone: () => void = () => undefined;
  const server = createServer({ ...theirs }, (socket) => {
    socket.on('data', (chunk) => {
      left -= chunk.length;
      if (left <= 0) onDone();
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect({ ...own, host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  await once(socket, 'secureConnect');
  socket.setNoDelay(true);
  const carry = (bytes: number, parts: number): Promise<void> =>
    new Promise((resolve) => {
      left = bytes * parts;
      onDone = resolve;
      socket.cork();
      for (let i = 0; i < parts; i++) socket.write(Buffer.alloc(bytes));
      socket.uncork();
    });
  return {
    vote: () => carry(VOTE_BYTES, 1),
    votes: (count) => carry(VOTE_BYTES, count),
    block: (bytes) => carry(bytes, 1),
    stop: async () => {
      socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function medianMs(count: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return quantile(times, 0.5);
}

async function votesPerSecond(carrier: Carrier): Promise<number> {
  const started = performance.now();
  for (let sent = 0; sent < VOTES; sent += BURST) await carrier.votes(BURST);
  return VOTES / ((performance.now() - started) / 1_000);
}

const [mesh, bare] = [await meshes(), await bareSockets()];
const lines = new Map<string, { readonly mesh: number[]; readonly bare: number[] }>();
function note(name: string, meshFigure: number, bareFigure: number): void {
  const line = lines.get(name) ?? { mesh: [], bare: [] };
  line.mesh.push(meshFigure);
  line.bare.push(bareFigure);
  lines.set(name, line);
}
const overtaking: number[] = [];
const overtaken: number[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const votes = [await medianMs(500, mesh.vote), await medianMs(500, bare.vote)] as const;
  const blocks = [
    await medianMs(20, () => mesh.block(MIB)),
    await medianMs(20, () => bare.block(MIB)),
  ] as const;
  const rates = [await votesPerSecond(mesh), await votesPerSecond(bare)] as const;
  const behind = await mesh.voteBehindBlock(4 * MIB);
  // The first round warms up.
  if (round === 0) continue;
  note('one vote, ms', ...votes);
  note('block of 1 MiB, ms', ...blocks);
  note('votes a second', ...rates);
  overtaking.push(behind.voteMs);
  overtaken.push(behind.blockMs);
}
await Promise.all([mesh.stop(), bare.stop()]);
const [voteLine, blockLine, rateLine] = [...lines.values()].map(({ mesh: ours, bare: floor }) => ({
  ours,
  baselines: [{ name: 'bare TLS', rounds: floor }],
}));
if (voteLine !== undefined && blockLine !== undefined && rateLine !== undefined) {
  recordCost('one vote', 'ms', voteLine.ours, { baselines: voteLine.baselines, ...atMost(1) });
  recordCost('block of 1 MiB', 'ms', blockLine.ours, { baselines: blockLine.baselines });
  recordGain('votes', '/s', rateLine.ours, { baselines: rateLine.baselines });
}
recordCost('vote behind a block of 4 MiB', 'ms', overtaking, {
  baselines: [{ name: 'the block', rounds: overtaken }],
});
for (const [name, figures] of lines) {
  const [ours, floor] = [quantile(figures.mesh, 0.5), quantile(figures.bare, 0.5)];
  const shown = (value: number): string => value.toFixed(value < 100 ? 3 : 0).padStart(10);
  console.log(`${name.padEnd(24)} mesh ${shown(ours)}   bare TLS ${shown(floor)}`);
}
console.log(
  `a vote sent behind a block of 4 MiB came after ${quantile(overtaking, 0.5).toFixed(2)} ms, the block after ${quantile(overtaken, 0.5).toFixed(2)} ms`,
);
