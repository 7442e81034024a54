import { SocketWire } from '../http/socket-wire.js';
import { type Flood, type FloodRun, rpcBody } from './flood.js';
import { BURNING_CALL } from './flood-contracts.js';

/** Numbers of connections that are idle, subscribe and read, subscribe and read nothing, and call. */
interface Crowd {
  readonly idle: number;
  readonly readers: number;
  readonly sleepers: number;
  readonly callers: number;
}

const CROWD = { idle: 10_000, readers: 500, sleepers: 500, callers: 200 };
const TENTH = { idle: 1_000, readers: 50, sleepers: 50, callers: 20 };
/** Addresses of the WebSockets, 127.0.1.1 and so on: the connections of one address are limited. */
const ADDRESSES = 40;
const OPENED_AT_ONCE = 100;
/** Answers of these fill the buffers of the system between the node and a client that reads nothing. */
const UNREAD_BATCHES = 6;
const CALLS_PER_BATCH = 200;
/** Longer than any flood runs. */
const PATIENCE_MS = 3_600_000;

const SUBSCRIBE = { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { topic: 'new_blocks' } };

/** Descriptors that the flood needs in each of the two processes. */
export const CROWDED_SOCKETS_DESCRIPTORS = CROWD.idle + CROWD.readers + CROWD.sleepers + CROWD.callers + 500;

/** Far more calls than the node can run, while it also holds a crowd of WebSockets. */
export const CROWDED_SOCKETS: Flood = {
  name: 'crowded-sockets',
  attacks:
    '10,000 idle WebSockets, 1,000 subscribers of whom half read nothing, and 200 connections that burn gas: connections and calls at once',
  nodeFlags: ['--max-connections', '14000', '--max-subscription-lag', '20'],
  arm: ({ url }) => crowd(url, CROWD),
};

/** A tenth of the crowd. */
export const A_THOUSAND_SOCKETS: Flood = {
  name: 'a-thousand-sockets',
  attacks:
    '1,000 idle WebSockets, 100 subscribers of whom half read nothing, and 20 connections that burn gas',
  nodeFlags: ['--max-subscription-lag', '20'],
  arm: ({ url }) => crowd(url, TENTH),
};

async function crowd(url: string, { idle, readers, sleepers, callers }: Crowd): Promise<FloodRun> {
  const port = Number(new URL(url).port);
  // An open WebSocket answers pings while it is read.
  for (const wire of await open(port, idle)) void wire.end(PATIENCE_MS);
  let dropped = 0;
  for (const wire of await open(port, readers)) {
    wire.send(SUBSCRIBE);
    void countDropped(wire, () => dropped++);
  }
  const batch = Array.from({ length: CALLS_PER_BATCH }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'status',
  }));
  for (const wire of await open(port, sleepers)) {
    wire.socket.pause();
    wire.send(SUBSCRIBE);
    for (let i = 0; i < UNREAD_BATCHES; i++) wire.send(batch);
  }
  return async (attack) => {
    const before = dropped;
    await attack.keepSending(callers, () => rpcBody('view_call', BURNING_CALL));
    if (dropped > before) attack.counts.refused['readers_dropped'] = dropped - before;
  };
}

async function open(port: number, count: number): Promise<SocketWire[]> {
  const opened: SocketWire[] = [];
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, count - opened.length) }, (_, i) =>
      SocketWire.open(port, { localAddress: `127.0.1.${1 + ((opened.length + i) % ADDRESSES)}` }),
    );
    opened.push(...(await Promise.all(some)));
  }
  const refused = opened.find(({ status }) => status !== 101);
  if (refused !== undefined) throw new Error(`a WebSocket was refused: ${refused.status} ${refused.body}`);
  return opened;
}

/** Reads until the connection ends. @param onDropped called for each notice of dropped messages */
async function countDropped(wire: SocketWire, onDropped: () => void): Promise<void> {
  for (;;) {
    const received = await wire.frame(PATIENCE_MS);
    if (received === undefined) return;
    if (received.payload.includes('"dropped":{"from_height":')) onDropped();
  }
}
