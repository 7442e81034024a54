import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect } from 'node:tls';
import {
  channelOptions,
  identityCertificate,
  MESH_PROTOCOL,
} from '../../../../src/network/secure-channel.js';
import type { Rogue } from './rogue.js';
import { random } from './sample-frames.js';

/** Attempts a second at each victim, and the sockets that the attacker holds at once. */
const PER_SECOND = 400;
const MAX_OPEN = 600;
const PACE_MS = 20;
/** A slow thread does not catch up: a longer burst would keep it from hearing of the end. */
const MAX_BURST = 50;
/** Addresses of the loopback network that the attempts come from, in turn; the validators' own is 127.0.0.1. */
const ADDRESSES = 200;
/** Start of a ClientHello of 508 bytes. */
const HELLO_START: Buffer = Buffer.from('1603010200010001fc0303', 'hex');

type Open = (port: number, localAddress: string) => Socket;

/** Opens connections to the victims from many addresses, and destroys the oldest ones beyond the maximum. */
async function flood(rogue: Rogue, open: Open, perSecond: number): Promise<void> {
  const sockets: Socket[] = [];
  const began = performance.now();
  for (let count = 0; !rogue.isOver; ) {
    const wanted = ((performance.now() - began) / 1_000) * perSecond;
    for (let burst = 0; count < wanted && burst < MAX_BURST; burst++) {
      const { victim } = rogue.links[count % rogue.links.length] ?? {};
      if (victim === undefined) return;
      const socket = open(victim.port, `127.0.1.${1 + (count % ADDRESSES)}`);
      socket.on('error', () => undefined);
      sockets.push(socket);
      rogue.count();
      count++;
    }
    for (const old of sockets.splice(0, Math.max(0, sockets.length - MAX_OPEN))) old.destroy();
    await sleep(PACE_MS);
  }
  for (const socket of sockets) socket.destroy();
}

const total = (rogue: Rogue): number => PER_SECOND * rogue.links.length;

/** TCP connections that never say anything. */
export async function connectSilently(rogue: Rogue): Promise<void> {
  await flood(
    rogue,
    (port, localAddress) => createConnection({ host: '127.0.0.1', port, localAddress }),
    total(rogue),
  );
}

/** Handshakes that begin and stop: after a few bytes of the first message, a byte at a time, or after half-closing. */
export async function stopHalfway(rogue: Rogue): Promise<void> {
  let turn = 0;
  const open: Open = (port, localAddress) => {
    const socket = createConnection({ host: '127.0.0.1', port, localAddress });
    const kind = turn++ % 4;
    if (kind === 0) socket.write(HELLO_START);
    else if (kind === 1) socket.end(HELLO_START);
    else if (kind === 2) socket.write(random(600));
    else trickle(socket);
    return socket;
  };
  await flood(rogue, open, total(rogue));
}

function trickle(socket: Socket): void {
  let at = 0;
  const timer = setInterval(() => socket.write(Buffer.of(HELLO_START[at++] ?? 0)), 200);
  socket.on('close', () => clearInterval(timer));
}

/** Whole handshakes: without a certificate, with one of an unknown key, and for another protocol. */
export async function shakeHandsUnknown(rogue: Rogue): Promise<void> {
  const unknown = channelOptions(await identityCertificate(rogue.forge.crypto.ed25519, random(32)));
  const { key: _key, cert: _cert, ...bare } = unknown;
  const kinds: readonly ConnectionOptions[] = [
    unknown,
    { ...bare, ALPNProtocols: [MESH_PROTOCOL] },
    { ...unknown, ALPNProtocols: ['h2'] },
  ];
  let turn = 0;
  const open: Open = (port, localAddress) => {
    const kind = kinds[turn++ % kinds.length];
    const options: ConnectionOptions & { localAddress: string } = {
      ...kind,
      host: '127.0.0.1',
      port,
      localAddress,
    };
    return connect(options);
  };
  await flood(rogue, open, total(rogue));
}
