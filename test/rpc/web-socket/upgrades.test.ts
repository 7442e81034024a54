// Requests to open a WebSocket: which are refused, and how; and the rights of a connection's token.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { HTTP_IMPLEMENTATIONS } from '../../support/http/http-implementations.js';
import { rawExchange } from '../../support/http/raw-http.js';
import { SocketServer } from '../../support/http/socket-server.js';

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`upgrade requests on ${implementation.name}`, { skip: implementation.skip }, async () => {
    let nowMs = Date.now();
    const server = await SocketServer.open(implementation, {
      corsOrigins: ['https://app.example'],
      now: () => nowMs,
    });
    const { rpc } = server;
    const token = async (lifetimeMs: number) =>
      (await rpc.tokens.issue({ subject: 'ann', tier: 'admin', expiresAtMs: nowMs + lifetimeMs })).token;
    after(() => server.dispose());

    test('a connection opens without a token, an origin or a subprotocol', async () => {
      const wire = await server.connect();
      assert.equal(wire.status, 101);
      assert.equal(wire.headers['sec-websocket-protocol'], undefined);
      assert.equal(wire.headers['sec-websocket-extensions'], undefined);
      assert.equal((await wire.call('echo', { value: 7 })).result, 7);
    });

    test('compression is not negotiated', async () => {
      const headers = { 'sec-websocket-extensions': 'permessage-deflate; client_max_window_bits' };
      const wire = await server.connect({ headers });
      assert.equal(wire.status, 101);
      assert.equal(wire.headers['sec-websocket-extensions'], undefined);
    });

    for (const [what, headers, status] of [
      ['another origin', { origin: 'https://evil.example' }, 403],
      ['a page without an origin', { origin: 'null' }, 403],
      ['another port of the same host', { origin: 'http://127.0.0.1:1' }, 403],
      ['an older version', { 'sec-websocket-version': '8' }, 426],
      ['no version', { 'sec-websocket-version': undefined }, 426],
      ['an unknown subprotocol', { 'sec-websocket-protocol': 'graphql-ws' }, 400],
      ['a token without the subprotocol', { 'sec-websocket-protocol': 'bearer.abc' }, 400],
      ['two tokens', { 'sec-websocket-protocol': 'heddle.v2, bearer.a, bearer.b' }, 400],
      ['a key that is none', { 'sec-websocket-key': 'x'.repeat(24) }, 400],
      ['a token that is none', { authorization: 'Bearer abc' }, 401],
      ['a subprotocol with a token that is none', { 'sec-websocket-protocol': 'heddle.v2, bearer.abc' }, 401],
    ] as const) {
      test(`${what} is refused with ${status}`, async () => {
        const wire = await server.connect({ headers });
        assert.equal(wire.status, status);
        assert.equal(typeof (JSON.parse(wire.body) as { error: { code: number } }).error.code, 'number');
        if (status === 426) assert.equal(wire.headers['sec-websocket-version'], '13');
        if (status === 401) assert.match(wire.headers['www-authenticate'] ?? '', /^Bearer/);
        await wire.end();
      });
    }

    test('a refusal has the request id of the client', async () => {
      const headers = { origin: 'https://evil.example', 'x-request-id': 'upgrade-1' };
      const wire = await server.connect({ headers });
      assert.equal(wire.headers['x-request-id'], 'upgrade-1');
      await wire.end();
    });

    for (const [what, headers, statuses] of [
      ['another protocol', { upgrade: 'h2c' }, [426]],
      ['no upgrade', { connection: 'keep-alive' }, [426]],
      ['two keys', { 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' }, [400, 426]],
    ] as const) {
      test(`${what} is refused`, async () => {
        const wire = await server.connect({ headers });
        assert.ok(statuses.includes(wire.status as never), `${wire.status}`);
        wire.close();
      });
    }

    test('a key of the wrong length is refused', async () => {
      const wire = await server.connect({ headers: { 'sec-websocket-key': 'c2hvcnQ=' } });
      assert.equal(wire.status, 426);
    });

    test('an upgrade elsewhere gets the answer of its path', async () => {
      assert.equal((await server.connect({ path: '/nowhere' })).status, 404);
      assert.equal((await server.connect({ path: '/health' })).status, 200);
    });

    test('a plain GET gets 426, and a POST 405', async () => {
      const { url } = { url: `http://127.0.0.1:${server.server.port}` };
      const got = await fetch(`${url}/v2/ws`);
      assert.equal(got.status, 426);
      assert.equal(got.headers.get('upgrade'), 'websocket');
      assert.equal((await fetch(`${url}/v2/ws`, { method: 'POST', body: '{}' })).status, 405);
    });

    test('an offer of HTTP/2 is ignored', async () => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"value":5}}';
      const request = `POST /v2/rpc HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      const url = `http://127.0.0.1:${server.server.port}`;
      const answer = await rawExchange(url, request, 10_000, /"result":5/);
      assert.deepEqual(answer.statuses, [200]);
    });

    test('the origins of the node itself and of --cors-origin are accepted', async () => {
      const own = `http://127.0.0.1:${server.server.port}`;
      for (const origin of [own, 'https://app.example']) {
        assert.equal((await server.connect({ headers: { origin } })).status, 101, origin);
      }
    });

    test('the token comes in the header or in a subprotocol', async () => {
      const issued = await token(60_000);
      for (const headers of [
        { authorization: `Bearer ${issued}` },
        { 'sec-websocket-protocol': `bearer.${issued},heddle.v2` },
      ]) {
        const wire = await server.connect({ headers });
        assert.equal(wire.status, 101);
        if ('sec-websocket-protocol' in headers) {
          assert.equal(wire.headers['sec-websocket-protocol'], 'heddle.v2');
        }
        assert.equal((await wire.call('secret')).result, 'of ann');
      }
      const anonymous = await server.connect();
      assert.equal((await anonymous.call('secret')).error?.data.kind, 'unauthorized');
    });

    test('a list in the handshake may span several header lines', async () => {
      const wire = await server.connect({
        headers: {
          connection: 'keep-alive',
          Connection: 'Upgrade',
          'sec-websocket-protocol': 'heddle.v2',
          'Sec-WebSocket-Protocol': `bearer.${await token(60_000)}`,
        },
      });
      assert.equal(wire.status, 101);
      assert.equal((await wire.call('secret')).result, 'of ann');
    });

    test('a token in the URL is ignored', async () => {
      const wire = await server.connect({ path: `/v2/ws?token=${await token(60_000)}` });
      assert.equal(wire.status, 101);
      assert.equal((await wire.call('secret')).error?.data.kind, 'unauthorized');
    });

    test('the rights of a token end with it, on an open connection', async () => {
      const wire = await server.connect({ headers: { authorization: `Bearer ${await token(5_000)}` } });
      assert.equal((await wire.call('secret')).result, 'of ann');
      nowMs += 10_000;
      assert.equal((await wire.call('secret')).error?.data.kind, 'unauthorized');
      assert.equal((await wire.call('echo', { value: 1 })).error?.data.kind, 'unauthorized');
    });
  });
}
