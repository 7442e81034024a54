import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { probePort } from '../../src/rpc/http/probe-port.js';

// Ports below the range of outgoing connections and of listeners on port 0 (from 32,768 on Linux), so that a stopped
// node finds its port free when it restarts.
const FIRST = 16_000;
const COUNT = 16_000;
const HOST = '127.0.0.1';
let next = (process.pid * 97) % COUNT;

/** Free TCP ports of 127.0.0.1. Other processes that use this function skip these ports until this process ends. */
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

/** Holds the UDP port of that number until the process ends, to mark the TCP port as taken. */
async function claim(port: number): Promise<void> {
  const sign = createSocket('udp4');
  sign.unref();
  sign.bind({ port, address: HOST, exclusive: true });
  await once(sign, 'listening');
}

/** True if the attempt succeeds, false if the port is in use. */
async function isHad(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
