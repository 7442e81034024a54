// Valid but rare HTTP: one-byte chunks, pipelined requests, connections that end midway.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawConnection, rawExchange } from '../../support/http/raw-http.js';
import type { NATIVE_MODES } from '../../support/native-modes.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { metricOf } from '../../support/operations/metric-of.js';

const POST = 'POST /v2/rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`;
const CALL = '{"jsonrpc":"2.0","id":1,"method":"status"}';
/** An answer that has come whole. */
const ANSWERED = /\}$/;
const LAST_ANSWERED = /"id":49,.*\}$/s;
const FLOODERS = 8;

const call = (id: number, method = 'status', params = '{}') =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
const request = (body: string) => `${POST}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunks = (...parts: readonly string[]) =>
  `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;

/** A call padded with spaces, split into parts of this length. */
function parts(length: number, size: number): string[] {
  const text = CALL.padEnd(length);
  return Array.from({ length: Math.ceil(length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

/** @param resets rounds of connections that end midway */
export function httpOddities(
  attacked: AttackedNode,
  native: (typeof NATIVE_MODES)[number],
  resets: number,
): void {
  const url = () => attacked.node.url;
  const sockets: Socket[] = [];
  after(() => {
    for (const socket of sockets) socket.destroy();
  });

  test('a body in a few small chunks or many larger chunks is accepted', async () => {
    for (const body of [chunks(...CALL), chunks(...parts(200, 1)), chunks(...parts(300_000, 100))]) {
      const { text } = await rawExchange(url(), `${CHUNKED}\r\n${body}`, 5_000, ANSWERED);
      assert.match(text, /^HTTP\/1\.1 200 .*"result"/s);
    }
  });

  test('a body in thousands of one-byte chunks closes its connection while others are answered', async () => {
    const { closed, statuses } = await rawExchange(
      url(),
      `${CHUNKED}\r\n${chunks(...parts(20_000, 1))}`,
      5_000,
    );
    assert.deepEqual([closed, statuses], [true, []]);
    const piece = Buffer.from('1\r\n \r\n'.repeat(20_000));
    let ended = 0;
    let isOver = false;
    const flood = Array.from({ length: FLOODERS }, async () => {
      while (!isOver) {
        const socket = await rawConnection(url(), '127.0.0.2');
        sockets.push(socket);
        const closing = new Promise((resolve) => socket.once('close', resolve));
        socket.resume();
        socket.write(`${CHUNKED}\r\n`);
        socket.write(piece);
        await closing;
        ended++;
      }
    });
    for (let asked = 0; asked < 20; asked++) {
      await attacked.rpc.call('status');
      await sleep(10);
    }
    isOver = true;
    await Promise.all(flood);
    assert.ok(ended >= FLOODERS, `${ended} connections were closed`);
    await attacked.assertSound();
  });

  test('an ambiguous chunk size cannot smuggle a request past a proxy', async () => {
    // A parser that takes the `;` of the chunk extension for a digit sees a first chunk of 27 bytes instead of one.
    const hidden = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    for (const proxy of ['X-Forwarded-For: 10.0.0.1', 'Via: 1.1 proxy', 'Forwarded: for=10.0.0.1']) {
      const framed = `1;\r\n${CALL[0]}\r\n0\r\n\r\n`;
      const strange = await rawExchange(url(), `${CHUNKED}${proxy}\r\n\r\n${framed}${hidden}`, 5_000);
      assert.ok(strange.closed && !strange.statuses.includes(200), strange.text);
      const plain = await rawExchange(
        url(),
        `${CHUNKED}${proxy}\r\n\r\n${chunks(CALL)}`,
        5_000,
        native === 'off' ? ANSWERED : undefined,
      );
      // node:http parses chunk sizes correctly.
      assert.deepEqual(plain.statuses, [native === 'off' ? 200 : 411]);
      assert.equal(plain.closed, native !== 'off');
    }
  });

  test('a request with Expect: 100-continue gets 100, then its response', async () => {
    const socket = await rawConnection(url());
    sockets.push(socket);
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    socket.write(`${POST}Expect: 100-continue\r\nContent-Length: ${CALL.length}\r\n\r\n`);
    const until = async (pattern: RegExp) => {
      for (let wait = 0; wait < 200 && !pattern.test(text); wait++) await sleep(20);
      assert.match(text, pattern);
    };
    await until(/^HTTP\/1\.1 100 /);
    socket.write(CALL);
    await until(/HTTP\/1\.1 200 .*"result"/s);
  });

  test('pipelined requests are answered in order until the connection closes', async () => {
    const pipelined = Array.from({ length: 50 }, (_, id) =>
      request(call(id, id % 7 === 3 ? 'nothing' : 'status')),
    );
    // uWebSockets.js closes a connection that pipelines a request behind a pending one, so no response may come at
    // all.
    let ids: RegExpExecArray[] = [];
    for (let attempt = 0; attempt < 20 && ids.length === 0; attempt++) {
      const { text } = await rawExchange(url(), pipelined.join(''), 2_000, LAST_ANSWERED);
      ids = [...text.matchAll(/"id":(\d+),"(result|error)"/g)];
    }
    assert.ok(ids.length > 0);
    for (const [at, [, id, what]] of ids.entries()) {
      assert.deepEqual([Number(id), what], [at, at % 7 === 3 ? 'error' : 'result']);
    }
  });

  test('connections that end midway leave nothing behind', async () => {
    const whole = [
      request(call(1, 'list_blocks')),
      request(call(2, 'get_logs', '{"from_height":0}')),
      request(CALL),
    ];
    const endings: ((socket: Socket) => unknown)[] = [
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => socket.destroy(),
    ];
    for (let round = 0; round < resets; round++) {
      for (const [kind, end] of endings.entries()) {
        const socket = await rawConnection(url());
        const text = whole[round % whole.length] ?? '';
        // Connections end in the head, in the body, or while the response is written.
        socket.write(text.slice(0, kind === round % 3 ? 40 + (round % 100) : undefined));
        if (round % 2 === 0) await sleep(round % 5);
        end(socket);
        sockets.push(socket);
      }
    }
    for (const socket of sockets.splice(0)) socket.destroy();
    const names = ['heddle_rpc_calls_in_flight', 'heddle_rpc_buffered_bytes'] as const;
    const deadline = Date.now() + 5_000;
    for (const name of names) {
      while ((await metricOf(attacked.rpc, name)) > 0) {
        assert.ok(Date.now() < deadline, `${name}: ${await metricOf(attacked.rpc, name)}`);
        await sleep(50);
      }
    }
    while ((await metricOf(attacked.rpc, 'heddle_http_connections')) > 16) {
      assert.ok(Date.now() < deadline, 'connections stay open');
      await sleep(50);
    }
    await attacked.assertSound();
  });
}
