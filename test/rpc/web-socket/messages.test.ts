// Messages, frames and limits of a WebSocket, as a hostile client might use them.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { HTTP_IMPLEMENTATIONS } from '../../support/http/http-implementations.js';
import { SocketServer } from '../../support/http/socket-server.js';
import { frame, OPCODES, SocketWire } from '../../support/http/socket-wire.js';

/** Waits for a condition of this process. */
const until = (holds: () => boolean): Promise<void> => eventually(`${holds}`, () => Promise.resolve(holds()));

const MAX_BODY = 200_000;
const MAX_BACKLOG = 500_000;

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`messages over a WebSocket on ${implementation.name}`, { skip: implementation.skip }, async () => {
    const server = await SocketServer.open(implementation, {
      limits: {
        maxBodyBytes: MAX_BODY,
        maxBacklogBytes: MAX_BACKLOG,
        maxMessagesInFlight: 3,
        requestTimeoutMs: 1_500,
      },
    });
    const { rpc } = server;
    const counts = rpc.metrics.rpc.sockets;
    after(() => server.dispose());

    /** The server still serves others, and has forgotten the connection. */
    async function assertSound(open = 0): Promise<void> {
      await until(() => counts.connections === open);
      const other = await server.connect();
      assert.equal((await other.call('echo', { value: 'fine' })).result, 'fine');
      other.close();
      await until(() => counts.connections === open && server.server.connections === open);
    }

    test('calls and batches are answered, notifications are not', async () => {
      const wire = await server.connect();
      wire.send({ jsonrpc: '2.0', method: 'echo', params: { value: 1 } });
      wire.send([
        { jsonrpc: '2.0', id: 'a', method: 'later', params: { value: 2 } },
        { jsonrpc: '2.0', method: 'echo', params: { value: 3 } },
        { jsonrpc: '2.0', id: 'b', method: 'subtract', params: { minuend: 5, subtrahend: 3 } },
      ]);
      assert.deepEqual(await wire.json(), [
        { jsonrpc: '2.0', id: 'a', result: 2 },
        { jsonrpc: '2.0', id: 'b', result: 2 },
      ]);
      wire.send('{"jsonrpc":');
      assert.equal(((await wire.json()) as { error: { code: number } }).error.code, -32_700);
      wire.close();
      await assertSound();
    });

    test('a message in fragments, with a ping in between, is one message', async () => {
      const wire = await server.connect();
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { value: 'höher' } });
      const bytes = Buffer.from(text);
      const [a, b, c] = [bytes.subarray(0, 20), bytes.subarray(20, 62), bytes.subarray(62)];
      wire.write(frame(OPCODES.text, a, { isFinal: false }));
      wire.write(frame(OPCODES.ping, 'p'));
      wire.write(frame(OPCODES.continuation, b, { isFinal: false }));
      wire.write(frame(OPCODES.continuation, c));
      const pong = await wire.frame();
      assert.deepEqual([pong?.opcode, pong?.payload.toString()], [OPCODES.pong, 'p']);
      assert.deepEqual(await wire.json(), { jsonrpc: '2.0', id: 1, result: 'höher' });
      wire.close();
      await assertSound();
    });

    for (const [what, bytes] of [
      ['a reserved bit', frame(OPCODES.text, '{}', { reserved: 2 })],
      ['a compressed frame', frame(OPCODES.text, '{}', { reserved: 4 })],
      ['an unknown opcode', frame(5, 'x')],
      ['a continuation of nothing', frame(OPCODES.continuation, 'x')],
      ['a ping of 126 bytes', frame(OPCODES.ping, 'x'.repeat(126))],
      ['a ping in fragments', frame(OPCODES.ping, 'x', { isFinal: false })],
      ['text that is not UTF-8', frame(OPCODES.text, Buffer.from([0x22, 0xff, 0x22]))],
      ['a message that is too long', frame(OPCODES.text, 'x'.repeat(MAX_BODY + 1))],
      ['an announcement of 2^53 bytes', frame(OPCODES.text, 'x', { length: 2 ** 52 })],
      ['binary data', frame(OPCODES.binary, '{}')],
      ['a close frame of one byte', frame(OPCODES.close, 'x')],
      [
        'fragments that are too long together',
        Buffer.concat([
          frame(OPCODES.text, 'x'.repeat(MAX_BODY - 10), { isFinal: false }),
          frame(OPCODES.continuation, 'x'.repeat(20)),
        ]),
      ],
    ] as const) {
      test(`${what} ends that connection only`, async () => {
        const witness = await server.connect();
        const wire = await server.connect();
        wire.write(bytes);
        await wire.endPolitely();
        const codes = [undefined, 1002, 1003, 1005, 1007, 1009];
        assert.ok(codes.includes(wire.closeCode), `${wire.closeCode}`);
        assert.equal((await witness.call('echo', { value: 1 })).result, 1);
        witness.close();
        await assertSound();
      });
    }

    test('an unmasked frame is never run as a call', async () => {
      const wire = await server.connect();
      const ran = rpc.ran.length;
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { value: 'unmasked' } });
      for (let i = 0; i < 50; i++) wire.write(frame(OPCODES.text, text, { isMasked: false }));
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal(rpc.ran.length, ran);
      wire.close();
      await assertSound();
    });

    test('a close frame is answered', async () => {
      const wire = await server.connect();
      wire.write(frame(OPCODES.close, Buffer.from([0x03, 0xe8])));
      await wire.end();
      assert.equal(wire.closeCode, 1000);
      await assertSound();
    });

    test('a flood of pings ends its connection', async () => {
      const wire = await server.connect();
      const ping = frame(OPCODES.ping, 'x');
      wire.write(Buffer.concat(Array.from({ length: 5_000 }, () => ping)));
      await wire.end();
      await assertSound();
    });

    test('a flood of empty fragments holds nothing and ends with its connection', async () => {
      const wire = await server.connect();
      const empty = frame(OPCODES.continuation, '', { isFinal: false });
      wire.write(frame(OPCODES.text, '', { isFinal: false }));
      wire.write(Buffer.concat(Array.from({ length: 20_000 }, () => empty)));
      await new Promise((resolve) => setTimeout(resolve, 200));
      wire.close();
      await assertSound();
    });

    test('messages beyond those in flight are refused, and a flood of them ends the connection', async () => {
      const wire = await server.connect();
      for (let id = 1; id <= 4; id++) wire.send({ jsonrpc: '2.0', id, method: 'held' });
      const refused = (await wire.json()) as { id: unknown; error: { data: { kind: string } } };
      assert.equal(refused.id, null);
      assert.equal(refused.error.data.kind, 'overloaded');
      rpc.release();
      for (let id = 1; id <= 3; id++) assert.equal(((await wire.json()) as { result: unknown }).result, true);
      for (let id = 1; id <= 10; id++) wire.send({ jsonrpc: '2.0', id, method: 'held' });
      await wire.endPolitely();
      assert.equal(wire.closeCode, 1008);
      await assertSound();
      rpc.release();
    });

    test('calls learn that their connection has ended', async () => {
      const wire = await server.connect();
      rpc.signals.splice(0);
      wire.send({ jsonrpc: '2.0', id: 1, method: 'held' });
      await until(() => rpc.signals.length === 1);
      wire.close();
      await until(() => rpc.signals[0]?.aborted === true);
      rpc.release();
      await assertSound();
    });

    test('a client that reads nothing is cut, and its memory is released', async () => {
      const wire = await server.connect();
      wire.socket.pause();
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'repeat',
        params: { text: 'x'.repeat(1_000), times: 400 },
      };
      const cut = counts.cut;
      for (let i = 0; i < 60; i++) {
        wire.send(call);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await until(() => counts.cut === cut + 1);
      assert.equal(rpc.frontEnd.budget.used, 0);
      wire.close();
      await assertSound();
    });

    test('a long answer reaches a client that reads', async () => {
      const wire = await server.connect();
      const answer = await wire.call('repeat', { text: 'é'.repeat(1_000), times: 2_000 });
      assert.equal((answer.result as string).length, 2_000_000);
      wire.close();
      await assertSound();
    });
  });

  test(`slow calls over a WebSocket on ${implementation.name} are logged with their request id`, {
    skip: implementation.skip,
  }, async (t) => {
    const server = await SocketServer.open(implementation, { slowCallMs: 1 });
    t.after(() => server.dispose());
    const wire = await server.connect();
    wire.send({ jsonrpc: '2.0', id: 1, method: 'held' });
    await until(() => server.rpc.signals.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.rpc.release();
    await wire.json();
    const line = server.rpc.log.find(({ message }) => message.startsWith('slow call: TestV1.held'));
    assert.match(String(line?.fields['request_id']), /^[0-9a-f]{16}$/);
    assert.equal(line?.fields['client'], 'address 127.0.0.1');
  });

  test(`a stopping server on ${implementation.name} closes its connections with 1001`, {
    skip: implementation.skip,
  }, async () => {
    const server = await SocketServer.open(implementation);
    const wire = await server.connect();
    wire.send({ jsonrpc: '2.0', id: 1, method: 'held' });
    await until(() => server.rpc.signals.length === 1);
    const stopped = server.server.stop(2_000);
    server.rpc.release();
    assert.deepEqual(await wire.json(), { jsonrpc: '2.0', id: 1, result: true });
    await wire.endPolitely();
    assert.equal(wire.closeCode, 1001);
    await stopped;
    await assert.rejects(SocketWire.open(server.server.port));
    await server.dispose();
  });
}
