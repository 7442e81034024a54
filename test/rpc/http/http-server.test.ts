// The behaviour of both HTTP servers, on the wire.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { SlicedWork } from '../../../src/async/sliced-work.js';
import { bufferingIn } from '../../../src/rpc/http/body-buffer.js';
import type {
  HttpHandler,
  HttpRequest,
  HttpServer,
  HttpServerOptions,
} from '../../../src/rpc/http/http-server.js';
import { ByteBudget } from '../../../src/rpc/limits/byte-budget.js';
import { eventually } from '../../support/eventually.js';
import { HTTP_IMPLEMENTATIONS } from '../../support/http/http-implementations.js';
import { Wire } from '../../support/http/wire.js';

const MAX_BODY = 10_000;
const MAX_DRAIN = 200_000;
const TIMEOUT_MS = 200;
/** For requests sent in pieces, which a busy machine may send slowly. */
const PATIENT = { requestTimeoutMs: 30_000 };

/** Echoes the request. */
const mirror: HttpHandler = (request) => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  body: JSON.stringify({
    method: request.method,
    path: request.path,
    query: request.query,
    kept: request.header('x-kept'),
    body: Buffer.from(request.body).toString(),
    remoteAddress: request.remoteAddress,
  }),
});

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`the HTTP server on ${implementation.name}`, { skip: implementation.skip }, () => {
    const servers: HttpServer[] = [];
    const wires: Wire[] = [];
    const errors: unknown[] = [];

    async function serve(
      handler: HttpHandler,
      options: Partial<HttpServerOptions> = {},
    ): Promise<HttpServer> {
      const server = await implementation.open({
        host: '127.0.0.1',
        port: 0,
        keepHeaders: () => ['x-kept'],
        maxBodyBytes: MAX_BODY,
        maxDrainBytes: MAX_DRAIN,
        maxBacklogBytes: 1_000_000,
        requestTimeoutMs: TIMEOUT_MS,
        handler,
        bodyTooLong: () => ({ status: 413, headers: [], body: 'too long' }),
        refused: (status, message) => ({ status, headers: [], body: message }),
        overloaded: () => ({ status: 503, headers: [], body: 'too much' }),
        maxHeaders: 50,
        work: new SlicedWork(),
        ...bufferingIn(new ByteBudget(100_000_000, (error) => errors.push(error)), MAX_BODY),
        failure: (error) => {
          errors.push(error);
          return { status: 500, headers: [], body: 'failed' };
        },
        onError: (error) => errors.push(error),
        ...options,
      });
      servers.push(server);
      return server;
    }

    async function wire(server: HttpServer): Promise<Wire> {
      const opened = await Wire.open(server.port);
      wires.push(opened);
      return opened;
    }

    afterEach(async () => {
      for (const opened of wires.splice(0)) opened.close();
      for (const server of servers.splice(0)) await server.stop(0);
      assert.deepEqual(errors.splice(0), []);
    });

    test('passes on method, path, query, kept headers, body and the peer', async () => {
      const client = await wire(await serve(mirror));
      client.write(
        'PUT /a/b%20c?x=1&y HTTP/1.1\r\nHost: x\r\nX-Kept: yes\r\ncontent-length: 6\r\n\r\nh\u00e9llo',
      );
      const { status, headers, body } = await client.answer();
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/json');
      assert.deepEqual(JSON.parse(body.toString()), {
        method: 'PUT',
        path: '/a/b%20c',
        query: 'x=1&y',
        kept: 'yes',
        body: 'h\u00e9llo',
        remoteAddress: '127.0.0.1',
      });
    });

    test('parses paths, queries and headers the same way on every path', async () => {
      const server = await serve(mirror, {
        callPath: '/calls',
        keepHeaders: (method) => (method === 'POST' ? ['x-kept'] : ['x-other']),
      });
      // Node's parser refuses methods in lowercase.
      const methods = implementation.name === 'node:http' ? ['POST'] : ['POST', 'post'];
      for (const method of methods) {
        for (const path of ['/calls', '/calls/', '/calls?x=1', '/Calls', '//calls', '/calls/x']) {
          const client = await wire(server);
          client.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Kept: yes\r\nX-Other: no\r\n`);
          client.write('content-length: 1\r\n\r\nx');
          const got = JSON.parse((await client.answer()).body.toString());
          assert.deepEqual([got.method, got.path, got.kept], ['POST', path.split('?')[0], 'yes']);
        }
      }
      const client = await wire(server);
      client.write('GET /calls?x=1 HTTP/1.1\r\nHost: x\r\nX-Kept: yes\r\n\r\n');
      const { path, query, kept } = JSON.parse((await client.answer()).body.toString());
      assert.deepEqual([path, query], ['/calls', 'x=1']);
      // Node's parser keeps every header.
      if (implementation.name !== 'node:http') assert.equal(kept, '');
    });

    test('assembles a body that arrives in pieces', async () => {
      const client = await wire(await serve(mirror, PATIENT));
      client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n');
      for (const piece of ['abc', 'def', 'ghi']) {
        await sleep(20);
        client.write(piece);
      }
      assert.equal(JSON.parse((await client.answer()).body.toString()).body, 'abcdefghi');
    });

    test('accepts a chunked body', async () => {
      const client = await wire(await serve(mirror, PATIENT));
      client.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n');
      await sleep(20);
      client.write('4\r\ndefg\r\n0\r\n\r\n');
      assert.equal(JSON.parse((await client.answer()).body.toString()).body, 'abcdefg');
    });

    test('answers many requests on one connection', async () => {
      const client = await wire(await serve(mirror));
      for (let i = 0; i < 20; i++) {
        client.post(`request ${i}`);
        assert.equal(JSON.parse((await client.answer()).body.toString()).body, `request ${i}`);
      }
    });

    test('answers pipelined requests in their order', async () => {
      const client = await wire(await serve(mirror));
      for (let i = 0; i < 50; i++) client.post(`request ${i}`);
      for (let i = 0; i < 50; i++) {
        assert.equal(JSON.parse((await client.answer()).body.toString()).body, `request ${i}`);
      }
    });

    test('never mixes up answers when a request is pipelined behind one that waits', async () => {
      const client = await wire(
        await serve(async (request) => {
          const body = Buffer.from(request.body).toString();
          if (body === 'slow') await sleep(100);
          return { status: 200, headers: [], body };
        }),
      );
      client.post('slow');
      client.post('quick');
      const answers: string[] = [];
      try {
        while (answers.length < 2) answers.push((await client.answer()).body.toString());
      } catch {
        assert.ok(client.closed, 'a server that does not queue closes the connection');
      }
      assert.deepEqual(answers, ['slow', 'quick'].slice(0, answers.length));
    });

    for (const close of [
      'Connection: close',
      'connection: keep-alive, Close',
      'Connection: x\r\nConnection: close',
    ]) {
      test(`takes no request behind one with ${JSON.stringify(close)}`, async () => {
        const taken: string[] = [];
        const server = await serve((request) => {
          taken.push(request.path);
          return mirror(request);
        });
        const [client, other] = [await wire(server), await wire(server)];
        client.write(`GET /1 HTTP/1.1\r\nhost: x\r\n${close}\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n\r\n`);
        // node:http finds the whole message wrong.
        assert.ok([200, 400].includes((await client.answer()).status));
        await eventually('the server closes', async () => client.closed);
        other.write('GET /other HTTP/1.1\r\nhost: x\r\n\r\n');
        assert.equal((await other.answer()).status, 200);
        assert.equal(taken.includes('/2'), false);
      });
    }

    test('takes no request behind one whose head it refuses', async () => {
      const taken: string[] = [];
      const client = await wire(
        await serve((request) => {
          taken.push(request.path);
          return mirror(request);
        }),
      );
      client.write('GET /1 HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n\r\n');
      assert.equal((await client.answer()).status, 400);
      await eventually('the server closes', async () => client.closed);
      assert.deepEqual(taken, []);
    });

    test('answers HEAD with the length and no body, and 204 and 304 with neither', async () => {
      const client = await wire(
        await serve((request) => ({
          status: Number(request.query || 200),
          headers: [['etag', '"x"']],
          body: request.path === '/long' ? 'é'.repeat(300_000) : request.query === '' ? 'hello' : '',
        })),
      );
      for (const [path, length] of [
        ['/', '5'],
        ['/long', '600000'],
      ]) {
        client.write(`HEAD ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
        const head = await client.answer(true);
        assert.equal(head.status, 200);
        assert.equal(head.headers['content-length'], length);
      }
      for (const status of [204, 304]) {
        client.write(`GET /?${status} HTTP/1.1\r\nhost: x\r\n\r\n`);
        const answer = await client.answer();
        assert.equal(answer.status, status);
        assert.equal(answer.headers['content-length'], undefined);
        assert.equal(answer.headers['etag'], '"x"');
      }
      client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      assert.equal((await client.answer()).body.toString(), 'hello');
    });

    test('accepts a body of exactly the limit and refuses one byte more, on the same connection', async () => {
      const client = await wire(await serve(mirror));
      client.post('x'.repeat(MAX_BODY));
      assert.equal((await client.answer()).status, 200);
      client.post('x'.repeat(MAX_BODY + 1));
      const refused = await client.answer();
      assert.equal(refused.status, 413);
      assert.equal(refused.body.toString(), 'too long');
      client.post('x');
      assert.equal((await client.answer()).status, 200);
    });

    test('refuses a chunked body that grows too long', async () => {
      const client = await wire(await serve(mirror));
      client.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
      for (let i = 0; i < 11; i++) client.write(`400\r\n${'x'.repeat(1024)}\r\n`);
      client.write('0\r\n\r\n');
      assert.equal((await client.answer()).status, 413);
    });

    test('closes the connection of a body that is far too long', async () => {
      const client = await wire(await serve(mirror));
      client.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n`);
      client.write('x'.repeat(MAX_BODY + MAX_DRAIN + 100_000));
      await client.end();
      const text = client.unread.toString();
      assert.ok(text === '' || text.startsWith('HTTP/1.1 413'), text);
    });

    test('gives the failure answer if a handler throws or rejects, and keeps serving', async () => {
      const client = await wire(
        await serve((request) => {
          if (request.query === 'throw') throw new Error('thrown');
          return request.query === 'reject' ? Promise.reject(new Error('rejected')) : mirror(request);
        }),
      );
      for (const how of ['throw', 'reject']) {
        client.post('x', `/?${how}`);
        const answer = await client.answer();
        assert.equal(answer.status, 500);
        assert.equal(answer.body.toString(), 'failed');
      }
      client.post('x');
      assert.equal((await client.answer()).status, 200);
      const messages = errors.splice(0).map((error) => (error as Error).message);
      assert.deepEqual(messages, ['thrown', 'rejected']);
    });

    test('tells a waiting handler that its peer has gone, and survives the late answer', async () => {
      let seen: HttpRequest | undefined;
      let answered = false;
      const server = await serve(async (request) => {
        seen = request;
        await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
        answered = true;
        return { status: 200, headers: [], body: 'too late' };
      });
      const leaver = await wire(server);
      leaver.post('x');
      await until(() => seen !== undefined);
      leaver.close();
      await until(() => answered);
      const { signal } = seen ?? assert.fail();
      assert.ok(signal.aborted);
    });

    test('aborts handlers and releases answers of pipelined requests when the client disconnects', async () => {
      const budget = new ByteBudget(10_000_000, (error) => errors.push(error));
      const signals: AbortSignal[] = [];
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const server = await serve(
        async (request) => {
          if (Buffer.from(request.body).toString() === 'waits') {
            signals.push(request.signal);
            await released;
          }
          // Small enough that node:http keeps reading and notices the disconnect.
          return { status: 200, headers: [], body: 'x'.repeat(1_000) };
        },
        bufferingIn(budget, MAX_BODY),
      );
      const leaver = await wire(server);
      for (const body of ['waits', 'answered', 'waits', 'answered']) leaver.post(body);
      await until(() => signals.length > 0);
      await sleep(20);
      leaver.close();
      await until(() => budget.used === 0 && signals.every(({ aborted }) => aborted));
      release();
      await until(() => server.connections === 0);
    });

    test('forgets a peer that leaves before its body is complete', async () => {
      let handled = 0;
      const server = await serve((request) => {
        handled++;
        return mirror(request);
      });
      const leaver = await wire(server);
      leaver.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nonly this');
      await sleep(30);
      leaver.close();
      const client = await wire(server);
      client.post('x');
      assert.equal((await client.answer()).status, 200);
      assert.equal(handled, 1);
    });

    test('cuts off a body that arrives too slowly', async () => {
      const client = await wire(await serve(mirror));
      client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n');
      const dribble = setInterval(() => client.write('x'), 50);
      try {
        await client.end();
      } finally {
        clearInterval(dribble);
      }
      assert.ok(!client.unread.toString().startsWith('HTTP/1.1 200'));
    });

    test('does not cut off a slow handler', async () => {
      const client = await wire(
        await serve(async () => {
          await sleep(TIMEOUT_MS * 3);
          return { status: 200, headers: [], body: 'done' };
        }),
      );
      client.post('x');
      assert.equal((await client.answer()).body.toString(), 'done');
    });

    // node:http reads 64 KiB at a time, and serves others between two reads.
    const isPaced = implementation.name !== 'node:http';
    test('limits the share of its time spent reading long bodies', {
      skip: !isPaced && 'node:http reads bodies at its own pace',
    }, async () => {
      const long = 'x'.repeat(4_000_000);
      const buffering = bufferingIn(new ByteBudget(100_000_000, (error) => errors.push(error)), long.length);
      let addingMs = 0;
      const server = await serve(({ body }) => ({ status: 200, headers: [], body: String(body.length) }), {
        requestTimeoutMs: 30_000,
        maxBodyBytes: long.length,
        ...buffering,
        collectBody: (address, cut) => {
          const pieces = buffering.collectBody(address, cut);
          const add = pieces.add.bind(pieces);
          pieces.add = (piece) => {
            const begin = performance.now();
            while (performance.now() < begin + 4);
            const isTaken = add(piece);
            addingMs += performance.now() - begin;
            return isTaken;
          };
          return pieces;
        },
      });
      const clients = await Promise.all(Array.from({ length: 6 }, () => wire(server)));
      const begin = performance.now();
      for (const client of clients) client.post(long);
      for (const client of clients)
        assert.equal((await client.answer()).body.toString(), String(long.length));
      const allMs = performance.now() - begin;
      // Pieces take at most a quarter of the time. The bound is lower, because the rest after a long piece is limited
      // and the first pieces of all bodies come at once.
      assert.ok(allMs >= 1.5 * addingMs, `${addingMs} ms for pieces, of ${allMs}`);
    });

    test('sends a long answer whole to a slow reader', async () => {
      const long = Buffer.alloc(30_000_000, 'abcdefghij');
      const patience = { requestTimeoutMs: 2_500 };
      const client = await wire(await serve(() => ({ status: 200, headers: [], body: long }), patience));
      client.post('x');
      // Reads a part now and then, for longer than the timeout in total.
      for (let part = 1; part < 8; part++) {
        await until(() => client.received > part * 3_500_000);
        client.socket.pause();
        await sleep(400);
        client.socket.resume();
      }
      assert.ok((await client.answer()).body.equals(long));
    });

    test('sends several long texts at a time byte for byte, whatever their characters', async () => {
      const texts = ['x'.repeat(5_000_000), '😀é'.repeat(700_001), `a${'😀'.repeat(400_000)}`];
      const server = await serve(
        ({ path }) => ({
          status: 200,
          headers: [['x-place', path]],
          body: texts[Number(path.slice(1))] ?? '',
        }),
        { requestTimeoutMs: 20_000 },
      );
      const fetched = await Promise.all(
        [0, 1, 2, 1, 0].map(async (place) => {
          const answer = await fetch(`http://127.0.0.1:${server.port}/${place}`);
          assert.equal(answer.headers.get('x-place'), `/${place}`);
          assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(texts[place] ?? '')));
          return [place, await answer.text()] as const;
        }),
      );
      for (const [place, text] of fetched) assert.ok(text === texts[place], `text ${place} arrived changed`);
    });

    test('sends texts of any length and characters byte for byte', async () => {
      const texts = [1, 511, 512, 4_096, 4_097, 32_768, 32_769].flatMap((length) => [
        'x'.repeat(length),
        'é'.repeat(length),
        `${'语'.repeat(length - 1)}~`,
      ]);
      const server = await serve(({ path }) => ({
        status: 200,
        headers: [],
        body: texts[Number(path.slice(1))] ?? '',
      }));
      for (const [place, text] of texts.entries()) {
        const answer = await fetch(`http://127.0.0.1:${server.port}/${place}`);
        assert.ok((await answer.text()) === text, `text ${place} arrived changed`);
      }
    });

    test('sends a slow reader the whole answer while it answers others', async () => {
      const budget = new ByteBudget(100_000_000, (error) => errors.push(error));
      let made = 0;
      const server = await serve(
        () => ({ status: 200, headers: [], body: String(made++ % 10).repeat(30_000) }),
        { requestTimeoutMs: 20_000, maxBacklogBytes: 100_000_000, ...bufferingIn(budget, MAX_BODY) },
      );
      const late = await wire(server);
      late.socket.pause();
      let asked = 0;
      while (asked < 500 && budget.used === 0) {
        late.post('x');
        asked++;
        await until(() => made === asked);
      }
      const prompt = await wire(server);
      for (let i = asked; i < asked + 15; i++) {
        prompt.post('x');
        assert.equal((await prompt.answer()).body.toString(), String(i % 10).repeat(30_000));
      }
      late.socket.resume();
      for (let i = 0; i < asked; i++) {
        assert.equal((await late.answer()).body.toString(), String(i % 10).repeat(30_000));
      }
    });

    test('cuts off a peer that reads nothing of a long answer', async () => {
      const long = Buffer.alloc(30_000_000);
      let answered = false;
      const server = await serve(() => {
        answered = true;
        return { status: 200, headers: [], body: long };
      });
      const client = await wire(server);
      client.socket.pause();
      client.post('x');
      await until(() => answered);
      await until(() => server.connections === 0);
      client.socket.resume();
      await client.end();
      assert.ok(client.unread.length < long.length);
    });

    test('cuts off a peer that keeps sending requests and never reads', async () => {
      const body = 'x'.repeat(50_000);
      let handled = 0;
      const client = await wire(
        await serve(() => {
          handled++;
          return { status: 200, headers: [], body };
        }),
      );
      client.socket.pause();
      for (let i = 0; i < 20_000; i++) client.post('x');
      await sleep(TIMEOUT_MS * 4);
      // The requests ask for a billion bytes of answers; only the backlog and the system's buffers were filled.
      assert.ok(handled < 1_000, `${handled} answers made`);
      client.socket.resume();
      await client.end();
    });

    test('limits the bytes of unread answers: the largest connections are cut off', async () => {
      const budget = new ByteBudget(40_000_000, (error) => errors.push(error));
      const body = Buffer.alloc(15_000_000);
      let made = 0;
      const server = await serve(
        () => {
          made++;
          return { status: 200, headers: [], body };
        },
        { ...bufferingIn(budget, MAX_BODY), requestTimeoutMs: 30_000 },
      );
      const clients = await Promise.all(Array.from({ length: 6 }, () => wire(server)));
      for (const client of clients) {
        client.socket.pause();
        client.post('x');
      }
      await until(() => made === 6);
      await sleep(100);
      assert.ok(budget.used > 0 && budget.used <= 40_000_000, `${budget.used} bytes`);
      assert.ok(budget.cut > 0);
      for (const client of clients) client.socket.resume();
      await until(() => budget.used === 0);
      await until(() => clients.some(({ received }) => received > body.length));
      assert.ok(clients.some(({ closed }) => closed));
    });

    test('answers a body that exceeds the byte budget with an error', async () => {
      const budget = new ByteBudget(8_000, (error) => errors.push(error));
      const client = await wire(await serve(mirror, bufferingIn(budget, MAX_BODY)));
      client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9500\r\n\r\n');
      client.write('x'.repeat(9_000));
      assert.equal((await client.answer()).status, 503);
      await client.end();
      assert.equal(budget.used, 0);
    });

    test('ends only the connection of a malformed head', async () => {
      const server = await serve(mirror);
      const heads = [
        'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5x\r\n\r\nhello',
        'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\nhello',
        'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999\r\n\r\nhello',
        'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\nhello',
        'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n',
        'POST / HTTP/1.1\r\n\r\n',
        'G\u0000T / HTTP/1.1\r\nhost: x\r\n\r\n',
      ];
      for (const head of heads) {
        const client = await wire(server);
        client.write(head);
        await client.end(1_000);
        const text = client.unread.toString();
        assert.match(text, /^HTTP\/1\.1 (400|505) /, `${JSON.stringify(head)}: ${text}`);
      }
      const client = await wire(server);
      client.post('x');
      assert.equal((await client.answer()).status, 200);
    });

    test('waits for the rest of an incomplete head, and ends at most that connection', async () => {
      const server = await serve(mirror);
      for (const head of ['GET\r\n\r\n', 'GET / HTTP/1.1\r\nhost: x\r\na: b\rc\r\n\r\n', 'G', '']) {
        const client = await wire(server);
        client.write(head);
        await sleep(20);
        const text = client.unread.toString();
        assert.ok(text === '' || text.startsWith('HTTP/1.1 400'), `${JSON.stringify(head)}: ${text}`);
        client.close();
      }
      const client = await wire(server);
      client.post('x');
      assert.equal((await client.answer()).status, 200);
    });

    test('counts its connections', async () => {
      const server = await serve(mirror);
      const first = await wire(server);
      await wire(server);
      first.post('x');
      await first.answer();
      await until(() => server.connections === 2);
      first.close();
      await until(() => server.connections === 1);
    });

    test('keeps no connection for CONNECT, however its sender leaves', async () => {
      const server = await serve(mirror);
      // uWebSockets.js passes CONNECT to the handler like any other method.
      if (server.implementation !== 'node:http') return;
      const halfOpen = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
      halfOpen.on('error', () => undefined);
      let text = '';
      halfOpen.on('data', (bytes) => {
        text += bytes;
      });
      halfOpen.write('CONNECT other:443 HTTP/1.1\r\nhost: other:443\r\n\r\n');
      await until(() => text.startsWith('HTTP/1.1 501 '));
      await until(() => server.connections === 0);
      halfOpen.destroy();
      for (let i = 0; i < 20; i++) {
        const client = await wire(server);
        client.write('CONNECT other:443 HTTP/1.1\r\nhost: other:443\r\n\r\nrest');
        if (i % 2 === 0) await sleep(i / 2);
        client.socket.resetAndDestroy();
      }
      await until(() => server.connections === 0);
    });

    test('finishes answers in flight on stop, closes idle connections and frees the port', async () => {
      let begun = false;
      // A server can listen again at once on a requested port, but not on one that the system picked.
      const picked = await serve(mirror);
      await picked.stop(0);
      const slow: HttpHandler = async () => {
        begun = true;
        await sleep(100);
        return { status: 200, headers: [], body: 'finished' };
      };
      const server = await serve(slow, { port: picked.port });
      const idle = await wire(server);
      const busy = await wire(server);
      busy.post('x');
      await until(() => begun);
      const begunStopping = Date.now();
      const stopped = server.stop(5_000);
      assert.equal((await busy.answer()).body.toString(), 'finished');
      await stopped;
      assert.ok(Date.now() - begunStopping < 4_500, 'an idle connection does not hold it up');
      await idle.end(1_000);
      await busy.end(1_000);
      await assert.rejects(Wire.open(server.port), { code: 'ECONNREFUSED' });
      const next = await serve(mirror, { port: server.port });
      assert.equal(next.port, server.port);
    });

    test('stops after its grace period at the latest', async () => {
      const server = await serve(() => new Promise(() => undefined));
      const client = await wire(server);
      client.post('x');
      await sleep(50);
      const started = Date.now();
      await server.stop(100);
      assert.ok(Date.now() - started < 5_000);
      await client.end(1_000);
    });

    test('does not share a port that is in use', async () => {
      const { port } = await serve(mirror);
      for (const other of HTTP_IMPLEMENTATIONS.filter(({ skip }) => skip === false)) {
        await assert.rejects(
          other.open({
            host: '127.0.0.1',
            port,
            keepHeaders: () => [],
            maxBodyBytes: 1,
            maxDrainBytes: 1,
            maxBacklogBytes: 1,
            requestTimeoutMs: 1_000,
            handler: mirror,
            bodyTooLong: () => ({ status: 413, headers: [], body: '' }),
            refused: (status) => ({ status, headers: [], body: '' }),
            overloaded: () => ({ status: 503, headers: [], body: '' }),
            maxHeaders: 50,
            work: new SlicedWork(),
            ...bufferingIn(new ByteBudget(1, (error) => errors.push(error)), 1),
            failure: () => ({ status: 500, headers: [], body: '' }),
            onError: (error) => errors.push(error),
          }),
          { code: 'EADDRINUSE' },
        );
      }
    });
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not come about within five seconds');
    await sleep(5);
  }
}
