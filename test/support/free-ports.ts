import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { probePort } from '../../src/rpc/http/probe-port.js';

// Below those that systems give to outgoing connections and to whoever listens on port 0 (from 32,768 on Linux): a node that is
// stopped finds its port free when it starts again.
const FIRST = 16_000;
const COUNT = 16_000;
const HOST = '127.0.0.1';
let next = (process.pid * 97) % COUNT;

/**
 * TCP ports of 127.0.0.1 that nobody listens on, and that no other process gets from here before this one has ended.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  for (let tried = 0; tried < COUNT && ports.length < count; tried++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if ((await isHad(claim(port))) && (await isHad(probePort(HOST, port)))) ports.push(port);
  }
  assert.equal(ports.length, count, 'there are not as many free ports');
  return ports;
}

/** Has the UDP port of that number until the process ends: a sign to others that the TCP port is taken. */
async function claim(port: number): Promise<void> {
  const sign = createSocket('udp4');
  sign.unref();
  sign.bind({ port, address: HOST, exclusive: true });
  await once(sign, 'listening');
}

/** Whether it is not taken. */
async function isHad(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
