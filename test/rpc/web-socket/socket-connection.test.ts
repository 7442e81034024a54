import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedLog } from '../../../src/config/bounded-log.js';
import { DEFAULT_LIMITS } from '../../../src/config/limits.js';
import { ByteBudget } from '../../../src/rpc/limits/byte-budget.js';
import { SocketCounts } from '../../../src/rpc/metrics/socket-counts.js';
import { EventHub } from '../../../src/rpc/subscriptions/event-hub.js';
import { subscriptionMemory } from '../../../src/rpc/subscriptions/subscription-quota.js';
import { SocketConnection } from '../../../src/rpc/web-socket/socket-connection.js';
import { TokenWatch } from '../../../src/rpc/web-socket/token-watch.js';

const TIMEOUT_MS = 1_000;

/** A connection whose socket accepts bytes only when the test says so. */
function slowConnection(answer: string) {
  const socket = {
    remoteAddress: '192.0.2.1',
    unsentBytes: 0,
    isTerminated: false,
    get heldBytes(): number {
      return socket.unsentBytes;
    },
    send(message: string | Uint8Array): void {
      socket.unsentBytes += Buffer.byteLength(message);
    },
    cork: (send: () => void) => send(),
    ping: () => undefined,
    close: () => undefined,
    terminate(): void {
      socket.isTerminated = true;
    },
  };
  const log = new BoundedLog({ error: (fields) => assert.fail(JSON.stringify(fields)) });
  const counts = new SocketCounts();
  const caller = { tier: 'public', authenticated: false } as const;
  const response = { status: 200, headers: [], body: answer };
  const hub = new EventHub({ limits: DEFAULT_LIMITS, counts, log, memory: subscriptionMemory() });
  const connection = new SocketConnection(socket, { remoteAddress: '192.0.2.1', authorization: '' }, 0, {
    limits: { ...DEFAULT_LIMITS, requestTimeoutMs: TIMEOUT_MS },
    budget: new ByteBudget(100_000_000, (error) => assert.fail(String(error))),
    counts,
    token: new TokenWatch({
      access: { identifyAgain: () => caller, isCurrent: () => true },
      log,
      caller,
      authorization: '',
      address: '192.0.2.1',
    }),
    call: () => response,
    failure: () => response,
    subscriptionsOf: hub.subscriptionsOf,
    onClosed: () => undefined,
  });
  return { socket, counts, connection };
}

test('a client that reads an answer of multi-byte text slowly is not cut', () => {
  const answer = '€'.repeat(100_000);
  const { socket, counts, connection } = slowConnection(answer);
  connection.onMessage(Buffer.from('{}'), false);
  assert.equal(counts.sentBytes, 300_000);
  let nowMs = 0;
  while (socket.unsentBytes > 0) {
    nowMs += TIMEOUT_MS / 2;
    socket.unsentBytes -= 10_000;
    connection.sweep(nowMs);
    assert.equal(socket.isTerminated, false, `cut with ${socket.unsentBytes} bytes to read`);
  }
});

test('a client that reads nothing is cut', () => {
  const { socket, connection } = slowConnection('€'.repeat(100_000));
  connection.onMessage(Buffer.from('{}'), false);
  connection.sweep(TIMEOUT_MS);
  assert.equal(socket.isTerminated, false);
  connection.sweep(TIMEOUT_MS + 1);
  assert.equal(socket.isTerminated, true);
});
