// Floods validators over the mesh under another's identity, or only burns CPU time for comparison.

import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { FRAME_KINDS, MESH_VERSION } from '../../../src/network/frame-kinds.js';
import { channelOptions, identityCertificate } from '../../../src/network/secure-channel.js';
import { rawFrame, Wire } from './mesh-attacker.js';

export interface MeshFloodTask {
  /** Seed of the flooding identity. */
  readonly seed: Uint8Array;
  readonly chainId: bigint;
  /** Hash of the genesis block. */
  readonly chain: Uint8Array;
  readonly ports: readonly number[];
  /** Bytes to send repeatedly; undefined: burn CPU time instead. */
  readonly chunk: Uint8Array | undefined;
  /** Number of times that the chunk is sent over one connection; unlimited by default. */
  readonly times?: number;
}

const task = workerData as MeshFloodTask;
const crypto = await loadCrypto('auto');
const channel = channelOptions(await identityCertificate(crypto.ed25519, task.seed));
const { codec, number } = FRAME_KINDS.hello;
const hello = rawFrame(
  number,
  codec.encode({ version: MESH_VERSION, chain_id: task.chainId, chain: task.chain }),
);
let isOver = false;
let sent = 0;
let connections = 0;

/** Floods one connection until it closes. */
async function flood(port: number, chunk: Uint8Array): Promise<void> {
  const wire: Wire<TLSSocket> = new Wire(connect({ ...channel, host: '127.0.0.1', port })).read();
  while (!wire.isClosed && wire.received === 0) await sleep(5);
  if (wire.isClosed) return;
  connections++;
  wire.socket.write(hello);
  for (let count = 0; !wire.isClosed && !isOver; count++) {
    if (task.times !== undefined && count >= task.times) await sleep(50);
    else {
      wire.socket.write(chunk);
      sent += chunk.length;
      await wire.drained();
    }
  }
  wire.socket.destroy();
}

async function run(port: number): Promise<void> {
  const { chunk } = task;
  while (!isOver) {
    if (chunk === undefined) {
      const endMs = performance.now() + 20;
      while (performance.now() < endMs);
      await nextTick();
    } else {
      await flood(port, chunk);
      await sleep(100);
    }
  }
}

const runs = Promise.all(task.ports.map(run));
parentPort?.once('message', () => {
  isOver = true;
  runs.then(
    () => parentPort?.postMessage({ sent, connections }),
    (error) => {
      throw error;
    },
  );
});
