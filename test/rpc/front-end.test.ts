// Every path of the HTTP interface except calls.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { readInterfaceTexts } from '../../src/rpc/discovery.js';
import { type FakeAnswer, FakeRpc, type FakeRpcOptions, TEST_IDL } from '../support/http/fake-rpc.js';

describe('requests over HTTP', () => {
  const opened: FakeRpc[] = [];

  async function create(options?: FakeRpcOptions): Promise<FakeRpc> {
    const rpc = await FakeRpc.create(options);
    opened.push(rpc);
    return rpc;
  }

  after(async () => {
    for (const rpc of opened) await rpc.dispose();
  });

  const CALL = '{"jsonrpc":"2.0","id":1,"method":"subtract","params":{"minuend":3,"subtrahend":2}}';

  function kindOf({ json }: FakeAnswer): unknown {
    return (json as { error: { data: { kind: unknown } } }).error.data.kind;
  }

  describe('the front end', async () => {
    const rpc = await create();
    const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<FakeAnswer> =>
      rpc.request({ method: 'GET', path, headers });

    describe('content types', () => {
      for (const type of [
        'application/json',
        'Application/JSON',
        'application/json; charset=utf-8',
        'application/json;charset="UTF-8"',
        'application/json; charset=utf8; x=y',
        'application/json;',
      ]) {
        test(`${JSON.stringify(type)} is accepted`, async () => {
          assert.equal((await rpc.post(CALL, { 'content-type': type })).status, 200);
        });
      }
      for (const type of [
        '',
        'text/plain',
        'application/jsonx',
        'application/json; charset=latin1',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]) {
        test(`${JSON.stringify(type)} is refused`, async () => {
          const answer = await rpc.post(CALL, { 'content-type': type });
          assert.equal(answer.status, 415);
          assert.equal(kindOf(answer), 'invalid_request');
        });
      }
    });

    test('a compressed body is refused with its encoding named', async () => {
      const answer = await rpc.post(gzipSync(CALL), {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      });
      assert.equal(answer.status, 400);
      assert.equal(kindOf(answer), 'parse_error');
      assert.match(String((answer.json as { error: { message: string } }).error.message), /gzip/);
    });

    describe('paths and HTTP methods', () => {
      test('an unknown path is 404, with an error of the usual shape', async () => {
        for (const path of ['/', '/v2', '/v2/rpc/', '/v2/rpc/idl2', '/v1/rpc', '//v2/rpc', '']) {
          const answer = await get(path);
          assert.equal(answer.status, 404, path);
          assert.equal(kindOf(answer), 'not_found');
        }
      });

      test('a wrong HTTP method is 405 and lists the right ones', async () => {
        for (const [method, path, allow] of [
          ['GET', '/v2/rpc', 'POST, OPTIONS'],
          ['PUT', '/v2/rpc', 'POST, OPTIONS'],
          ['HEAD', '/v2/rpc', 'POST, OPTIONS'],
          ['POST', '/v2/rpc/idl', 'GET, HEAD, OPTIONS'],
          ['DELETE', '/metrics', 'GET, HEAD, OPTIONS'],
        ] as const) {
          const answer = await rpc.request({ method, path });
          assert.equal(answer.status, 405, `${method} ${path}`);
          assert.equal(answer.headers['allow'], allow);
        }
      });

      test('OPTIONS lists the HTTP methods', async () => {
        const answer = await rpc.request({ method: 'OPTIONS', path: '/v2/rpc' });
        assert.equal(answer.status, 204);
        assert.equal(answer.headers['allow'], 'POST, OPTIONS');
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      });

      test('all paths are under the base path if there is one', async () => {
        const based = await create({ baseUrl: '/node1' });
        const path = '/node1/v2/rpc';
        const headers = { 'content-type': 'application/json' };
        assert.equal(
          (await based.request({ method: 'POST', path, headers, body: Buffer.from(CALL) })).status,
          200,
        );
        assert.equal((await based.post(CALL)).status, 404);
        for (const under of ['/v2/rpc/idl', '/v2/rpc/manifest', '/health', '/ready', '/metrics']) {
          assert.equal((await based.request({ method: 'GET', path: `/node1${under}` })).status, 200, under);
          assert.equal((await based.request({ method: 'GET', path: under })).status, 404, under);
        }
      });
    });

    describe('discovery', () => {
      test('the definition is published unchanged', async () => {
        const answer = await get('/v2/rpc/idl');
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(answer.text, TEST_IDL);
      });

      test('the manifest has the limits next to the declarations', async () => {
        const answer = await get('/v2/rpc/manifest');
        assert.equal(answer.headers['content-type'], 'application/json');
        const manifest = answer.json as {
          readonly interfaces: readonly { name: string }[];
          readonly limits: unknown;
        };
        assert.deepEqual(
          manifest.interfaces.map(({ name }) => name),
          ['TestV1', 'OtherV1'],
        );
        assert.deepEqual(manifest.limits, { body_bytes: 7 });
      });

      test('the text of the node’s own interface compiles alone', async () => {
        const { manifest } = compileIdl([
          { name: 'published.idl', text: (await readInterfaceTexts()).node_rpc_v1 },
        ]);
        assert.deepEqual(
          manifest.interfaces.map(({ name }) => name),
          ['NodeRpcV1'],
        );
      });

      for (const path of ['/v2/rpc/idl', '/v2/rpc/manifest']) {
        test(`${path} is compressed if the client accepts it, under its own tag`, async () => {
          const plain = await get(path);
          assert.match(plain.headers['etag'] ?? '', /^"[^"]+"$/);
          assert.equal(plain.headers['vary'], 'Accept-Encoding');
          for (const accepted of ['gzip', 'deflate, gzip;q=0.5', 'br, *', 'GZIP']) {
            const answer = await rpc.frontEnd.handle({
              method: 'GET',
              path,
              query: '',
              header: (name) => (name === 'accept-encoding' ? accepted : ''),
              body: new Uint8Array(0),
              keepBody: () => new Uint8Array(0),
              remoteAddress: '',
              signal: AbortSignal.abort(),
              isOver: true,
            });
            const headers = Object.fromEntries(answer.headers);
            assert.equal(headers['content-encoding'], 'gzip', accepted);
            assert.notEqual(headers['etag'], plain.headers['etag']);
            assert.equal(gunzipSync(answer.body).toString(), plain.text);
          }
          for (const refused of ['', 'identity', 'gzip;q=0', 'gzip; q=0.000, *', 'br']) {
            const answer = await get(path, { 'accept-encoding': refused });
            assert.equal(answer.headers['content-encoding'], undefined, refused);
          }
        });

        test(`${path} is 304 for clients that have it`, async () => {
          const { etag = '' } = (await get(path)).headers;
          for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
            const answer = await get(path, { 'if-none-match': known });
            assert.equal(answer.status, 304, known);
            assert.equal(answer.text, '');
            assert.equal(answer.headers['etag'], etag);
          }
          assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
          const zipped = await get(path, { 'if-none-match': etag, 'accept-encoding': 'gzip' });
          assert.equal(zipped.status, 200, 'the zipped form is another representation');
        });
      }
    });

    describe('probes', () => {
      test('/health is 200 while the node is well and 503 when it is not', async () => {
        assert.equal((await get('/health')).status, 200);
        rpc.healthy = false;
        const answer = await get('/health');
        rpc.healthy = true;
        assert.equal(answer.status, 503);
        assert.deepEqual(answer.json, { status: { type: 'degraded', value: 'tired' } });
      });

      test('/ready is 200 while the node is ready and 503 while it is not', async () => {
        assert.deepEqual((await get('/ready')).json, { ready: true });
        rpc.ready = false;
        assert.equal((await get('/ready')).status, 503);
        rpc.ready = true;
        assert.equal((await rpc.request({ method: 'HEAD', path: '/ready' })).status, 200);
      });
    });

    describe('/metrics', () => {
      test('counts calls by method and outcome, and their times', async () => {
        const counted = await create();
        await counted.post(CALL);
        await counted.post(CALL);
        await counted.call('subtract', {});
        await counted.call('nothing');
        await counted.call('later', { value: 1 });
        await counted.call('later', { value: 1 });
        await counted.post('{');
        const answer = await counted.request({ method: 'GET', path: '/metrics' });
        assert.match(answer.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
        const lines = answer.text.split('\n');
        for (const line of [
          'heddle_rpc_calls_total{method="TestV1.subtract",outcome="ok"} 2',
          'heddle_rpc_calls_total{method="TestV1.subtract",outcome="invalid_params"} 1',
          'heddle_rpc_calls_total{method="",outcome="method_not_found"} 1',
          'heddle_rpc_calls_total{method="",outcome="parse_error"} 1',
          // The first call is timed with a weight of eight.
          'heddle_rpc_call_duration_seconds_count{method="TestV1.subtract"} 8',
          'heddle_rpc_call_duration_seconds_count{method="TestV1.later"} 2',
          'heddle_rpc_call_duration_seconds_bucket{le="+Inf",method="TestV1.subtract"} 8',
          'heddle_http_requests_total 8',
          'heddle_rpc_calls_in_flight 0',
        ]) {
          const [name = ''] = line.split(' ');
          const labels = /\{(.*)\}/.exec(name)?.[1]?.split(',').sort().join();
          const found = lines.find(
            (other) =>
              other.endsWith(line.slice(name.length)) &&
              other.startsWith(name.split('{')[0] ?? '') &&
              /\{(.*)\}/.exec(other)?.[1]?.split(',').sort().join() === labels,
          );
          assert.ok(
            found,
            `${line} in\n${lines.filter((other) => other.startsWith('heddle_rpc')).join('\n')}`,
          );
        }
        assert.match(answer.text, /^# HELP heddle_chain_transactions_total /m);
        assert.match(answer.text, /^process_resident_memory_bytes /m);
        assert.match(answer.text, /^nodejs_eventloop_lag_p99_seconds /m);
      });

      test('is rendered once for concurrent requests, and again for later ones', async () => {
        const counted = await create();
        let rendered = 0;
        const { registry } = counted.metrics;
        const render = registry.metrics.bind(registry);
        registry.metrics = () => {
          rendered++;
          return render();
        };
        const ask = () => counted.request({ method: 'GET', path: '/metrics' });
        const answers = await Promise.all(Array.from({ length: 50 }, ask));
        assert.equal(rendered, 1);
        for (const { text } of answers) assert.equal(text, answers[0]?.text);
        assert.match((await ask()).text, /^heddle_http_requests_total 51$/m);
        assert.equal(rendered, 2);
        registry.metrics = () => Promise.reject(new Error('once'));
        await assert.rejects(ask(), { message: 'once' });
        registry.metrics = render;
        assert.equal((await ask()).status, 200);
      });

      test('has cumulative buckets, which end with the count', async () => {
        const { text } = await get('/metrics');
        const buckets = [...text.matchAll(/heddle_rpc_call_duration_seconds_bucket\{([^}]*)\} (\d+)/g)]
          .filter(([, labels]) => labels?.includes('"TestV1.health"'))
          .map(([, , count]) => Number(count));
        assert.ok(buckets.length > 5);
        assert.deepEqual(
          buckets,
          buckets.toSorted((a, b) => a - b),
        );
      });
    });

    describe('cross-origin access', () => {
      const origin = 'https://app.example';

      test('is not granted unless configured', async () => {
        const answer = await rpc.post(CALL, { origin });
        assert.ok(!Object.keys(answer.headers).some((name) => name.startsWith('access-control')));
      });

      test('is granted to configured origins, for errors too', async () => {
        const shared = await create({ corsOrigins: [origin, 'https://other.example'] });
        for (const answer of [await shared.post(CALL, { origin }), await shared.post('{', { origin })]) {
          assert.equal(answer.headers['access-control-allow-origin'], origin);
          assert.equal(answer.headers['vary'], 'Origin');
        }
        const foreign = await shared.post(CALL, { origin: 'https://evil.example' });
        assert.equal(foreign.headers['access-control-allow-origin'], undefined);
        const preflight = await shared.request({ method: 'OPTIONS', path: '/v2/rpc', headers: { origin } });
        assert.equal(preflight.status, 204);
        assert.equal(preflight.headers['access-control-allow-origin'], origin);
        assert.match(preflight.headers['access-control-allow-headers'] ?? '', /authorization/);
        assert.match(preflight.headers['access-control-allow-methods'] ?? '', /POST/);
      });

      test('is granted to pages on this machine by a development chain', async () => {
        let isDevelopment = false;
        const open = await create({ localPages: () => isDevelopment });
        const granted = async (from: string) =>
          (await open.post(CALL, { origin: from })).headers['access-control-allow-origin'];
        assert.equal(await granted('http://localhost:5173'), undefined);
        isDevelopment = true;
        for (const local of [
          ...['http://localhost:5173', 'http://localhost', 'https://localhost:8443', 'http://127.0.0.1:3000'],
          'http://[::1]:5173',
        ]) {
          assert.equal(await granted(local), local);
        }
        for (const foreign of [
          ...['https://app.example', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example'],
          ...['http://evil.example/localhost', 'http://localhost:5173.evil.example', 'null', 'file://'],
          ...['http://10.0.0.7:5173', 'http://evil@localhost:5173', 'xhttp://localhost'],
        ]) {
          assert.equal(await granted(foreign), undefined, foreign);
        }
      });

      test('may be granted to all', async () => {
        const open = await create({ corsOrigins: ['*'] });
        assert.equal((await open.post(CALL, { origin })).headers['access-control-allow-origin'], '*');
      });
    });
  });
});
