import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { HEADER_BYTES } from '../../../src/network/frame-format.js';
import { FRAME_KINDS, MESH_VERSION } from '../../../src/network/frame-kinds.js';
import type { Endpoint } from '../../../src/network/mesh.js';
import { channelOptions, identityCertificate } from '../../../src/network/secure-channel.js';
import { CHAIN, type MeshWorld, seedOf, until } from './mesh-world.js';

/** A socket that records received data and its closing. */
export class Wire<S extends Socket = Socket> {
  readonly socket: S;
  isClosed = false;
  received = 0;

  constructor(socket: S) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** Reads and discards. */
  read(): this {
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
    });
    return this;
  }

  /** Resolves once all writes have reached the system, or the connection is closed. */
  async drained(): Promise<void> {
    const { socket } = this;
    while (!this.isClosed && socket.writableNeedDrain) {
      await new Promise<void>((resolve) => {
        const settle = (): void => {
          socket.off('drain', settle);
          socket.off('close', settle);
          resolve();
        };
        socket.on('drain', settle);
        socket.on('close', settle);
      });
    }
    // Yields even if all writes went out at once, because the other end may be in this thread.
    await sleep(0);
  }

  async closed(): Promise<void> {
    await until('the connection is closed', () => this.isClosed);
  }
}

/** A silent TCP connection to a mesh. */
export async function tcpTo({ host, port }: Endpoint): Promise<Wire> {
  const wire = new Wire(createConnection({ host, port }));
  await once(wire.socket, 'connect');
  return wire.read();
}

/** A custom TLS client; resolves after the handshake or its failure. */
export async function tlsTo({ host, port }: Endpoint, options: ConnectionOptions): Promise<Wire<TLSSocket>> {
  const wire = new Wire(connect({ rejectUnauthorized: false, ...options, host, port }));
  await until('the handshake is over', () => wire.isClosed || wire.socket.getFinished() !== undefined);
  return wire.read();
}

/** Options of an honest peer with a numbered key. */
export async function honestChannel(world: MeshWorld, number: number): Promise<ConnectionOptions> {
  return channelOptions(await identityCertificate(world.crypto.ed25519, seedOf(number)));
}

/** A frame with any number and payload. */
export function rawFrame(number: number, payload: Uint8Array, claimedBytes: number = payload.length): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(claimedBytes, 0);
  header.writeUInt8(number, 4);
  return Buffer.concat([header, payload]);
}

/** The hello of an honest peer of the test's chain. */
export function honestHello(): Buffer {
  const { codec, number } = FRAME_KINDS.hello;
  return rawFrame(number, codec.encode({ version: MESH_VERSION, chain_id: 5n, chain: CHAIN }));
}
