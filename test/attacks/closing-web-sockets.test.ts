// Peers that begin to close a WebSocket and then neither read nor hang up: their memory and descriptors still count.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { HTTP_IMPLEMENTATIONS } from '../support/http/http-implementations.js';
import { SocketServer } from '../support/http/socket-server.js';
import { frame, OPCODES, type SocketWire } from '../support/http/socket-wire.js';
import { perTier } from '../support/sweep.js';

const MIB = 1024 * 1024;
const ANSWER_BYTES = 15 * MIB;
const ANSWERS = 2;
/** More than the system buffers for a connection. */
const SYSTEM_BYTES = 20 * MIB;
const MAX_CONNECTIONS = 64;
const FLOOD = perTier(100, 200);

const CLOSE = frame(OPCODES.close, Buffer.from([0x03, 0xe8]));
const WAYS = { 'a close frame': CLOSE, 'binary data': frame(OPCODES.binary, 'x') };

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`closing WebSockets on ${implementation.name}`, { skip: implementation.skip }, async () => {
    const server = await SocketServer.open(implementation, {
      limits: { maxConnections: MAX_CONNECTIONS, maxConnectionsPerClient: MAX_CONNECTIONS },
    });
    after(() => server.dispose());
    const { budget } = server.rpc.frontEnd;
    const { sockets } = server.rpc.metrics.rpc;

    for (const [way, bytes] of Object.entries(WAYS)) {
      test(`after ${way}, no answer is kept outside the budget`, async () => {
        const wire = await server.connect();
        let received = 0;
        wire.socket.on('data', ({ length }) => {
          received += length;
        });
        wire.socket.pause();
        for (let id = 0; id < ANSWERS; id++) {
          const params = { text: 'x'.repeat(1_000), times: Math.floor(ANSWER_BYTES / 1_000) };
          wire.send({ jsonrpc: '2.0', id, method: 'repeat', params });
        }
        await eventually('the answers wait', async () => budget.used > ANSWER_BYTES / 2);
        wire.write(bytes);
        await eventually('the connection is over', async () => sockets.connections === 0);
        assert.equal(budget.used, 0);
        wire.socket.resume();
        await wire.end();
        assert.ok(received < SYSTEM_BYTES, `${received} bytes came`);
      });
    }

    test('that never hang up count as connections', {
      skip: !existsSync('/proc/self/net/tcp') && 'needs the list of connections of Linux',
    }, async () => {
      const wires: SocketWire[] = [];
      for (let i = 0; i < FLOOD; i++) {
        const wire = await server.connect({ allowHalfOpen: true }).catch(() => undefined);
        if (wire?.status === 101) {
          wires.push(wire);
          wire.write(CLOSE);
          await wire.end(20).catch(() => undefined);
        }
        await sleep(5);
      }
      assert.ok(wires.length > MAX_CONNECTIONS / 4, `${wires.length} were accepted`);
      assert.ok(wires.length <= 2 * MAX_CONNECTIONS, `${wires.length} were accepted`);
      for (const wire of wires) wire.close();
      await eventually('a new one is accepted', async () => {
        const wire = await server.connect().catch(() => undefined);
        wire?.close();
        return wire?.status === 101;
      });
    });
  });
}
