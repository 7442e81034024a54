import { connect, type Socket } from 'node:net';
import { FLOOD_ADDRESS, type Flood, type FloodAttack, rpcBody } from './flood.js';

const READERS = 64;
const MAX_REQUESTS = 1_000;
const CONNECTIONS = 2_000;
const AT_ONCE = 50;

function open(attack: FloodAttack): Promise<Socket | undefined> {
  const { hostname, port } = new URL(attack.url);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      localAddress: FLOOD_ADDRESS,
      noDelay: true,
    });
    const end = (): void => {
      attack.signal.removeEventListener('abort', hangUp);
      resolve(undefined);
    };
    const hangUp = (): void => {
      socket.destroy();
    };
    attack.signal.addEventListener('abort', hangUp);
    socket.on('connect', () => resolve(socket));
    // A node that rejects a connection may reset it.
    socket.on('error', () => attack.refuse('cut'));
    socket.on('close', end);
    if (attack.isOver) hangUp();
  });
}

/** Sends many requests and reads nothing until the node cuts the connection off, then reconnects. */
export const SLOW_READERS: Flood = {
  name: 'slow-readers',
  attacks: '64 connections ask for 10,000 events again and again and never read: memory of unread answers',
  arm: () => {
    const body = rpcBody('get_logs', { from_height: 0, limit: 10_000 });
    const request = `POST /v2/rpc HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    return async (attack) => {
      await Promise.all(
        Array.from({ length: READERS }, async () => {
          for (let sent = 0; sent < MAX_REQUESTS && !attack.isOver; sent++) {
            const socket = await open(attack);
            if (socket === undefined) {
              await attack.pause(100);
              continue;
            }
            const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
            attack.counts.sent++;
            socket.pause();
            socket.write(request);
            await Promise.race([closed, attack.pause(1_000)]);
            // Nothing has been read: written answers fill the kernel's buffers, and the rest is in the node's memory.
            if (!attack.isOver && sent % 4 === 3) socket.destroy();
          }
        }),
      );
    };
  },
};

/** Connects and sends nothing, or half of a request. */
export const IDLE_CONNECTIONS: Flood = {
  name: 'idle-connections',
  attacks: '2,000 connections say nothing or half of a request, and come back when they are closed',
  arm: () => async (attack) => {
    let opened = 0;
    const half = 'POST /v2/rpc HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4000000\r\n\r\n[';
    const keep = async (): Promise<void> => {
      while (!attack.isOver && opened < CONNECTIONS) {
        const place = opened++;
        const socket = await open(attack);
        if (socket === undefined) continue;
        attack.counts.sent++;
        socket.resume();
        if (place % 2 === 0) socket.write(half);
        // Each closed connection makes room for one more.
        socket.once('close', () => opened--);
      }
    };
    while (!attack.isOver) {
      await Promise.all(Array.from({ length: AT_ONCE }, keep));
      await attack.pause(50);
    }
  },
};
