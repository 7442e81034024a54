import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ClientError, type ConnectOptions, connect, RpcCallError } from '../../src/client/client.js';
import { httpTransport } from '../../src/client/http-transport.js';
import { decodeAnswers } from '../../src/client/json-rpc.js';
import { LimitedTransport } from '../../src/client/limited-transport.js';
import { type RpcCall, RpcCaller } from '../../src/client/rpc-caller.js';
import { FakeNode, FakeRpcError } from '../support/nodes/fake-node.js';

const HEALTH = { status: { type: 'ok' }, uptime_ms: 5n, event_loop_lag_ms: 0 } as const;
const QUICK = { retries: 3, baseDelayMs: 1, maxDelayMs: 2 };

describe('the transport', () => {
  let node: FakeNode;
  beforeEach(async () => {
    node = await FakeNode.start({ health: () => HEALTH });
  });
  afterEach(() => node.stop());

  function client(options: ConnectOptions = {}) {
    return connect(node.url, { retry: QUICK, ...options });
  }

  /** Number of calls in each request. */
  function batchLengths(): number[] {
    return node.requests.map(({ body }) => (Array.isArray(body) ? body.length : 1));
  }

  async function failure(work: Promise<unknown>): Promise<ClientError | RpcCallError> {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof ClientError || error instanceof RpcCallError, String(error));
      return error;
    }
    return assert.fail('expected a failure');
  }

  describe('a call', () => {
    it('is JSON-RPC 2.0 by POST, with a typed result', async () => {
      assert.deepEqual(await client().health(), { ...HEALTH });
      const [request] = node.requests;
      assert.deepEqual(request?.body, { jsonrpc: '2.0', id: 1, method: 'health', params: {} });
      assert.equal(request?.headers['content-type'], 'application/json');
      assert.equal(request?.headers.authorization, undefined);
    });

    it('carries the bearer token', async () => {
      await client({ token: 'abc' }).health();
      assert.equal(node.requests[0]?.headers.authorization, 'Bearer abc');
    });

    it('goes to the endpoint under the base URL, with or without slash or path', () => {
      for (const url of ['http://h:1/x', 'http://h:1/x/', 'http://h:1/x/v2/rpc']) {
        assert.equal(connect(url).endpoint, 'http://h:1/x/v2/rpc');
      }
      assert.throws(() => connect('localhost:9545'), { code: 'bad_url' });
      assert.throws(() => connect('ftp://h'), { code: 'bad_url' });
    });

    it('rejects with code, kind, message and data if the node refuses it', async () => {
      node.handlers.health = () => {
        throw new FakeRpcError(-32005, 'limit_exceeded', { limit: 5, given: 6 });
      };
      const error = await failure(client().health());
      assert.ok(error instanceof RpcCallError);
      assert.equal(error.code, -32005);
      assert.equal(error.kind, 'limit_exceeded');
      assert.equal(error.method, 'health');
      assert.equal(error.message, 'fake limit_exceeded');
      assert.equal(error.data['given'], 6);
      assert.equal(node.requests.length, 1);
    });

    it('answered with an HTTP error and a JSON-RPC error object rejects with that', async () => {
      const body =
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no","data":{"kind":"unauthorized"}}}';
      node.interfere = () => ({ kind: 'answer', status: 401, body });
      const error = await failure(client().health());
      assert.ok(error instanceof RpcCallError);
      assert.equal(error.kind, 'unauthorized');
    });

    it('describes an answer of another kind', async () => {
      node.interfere = () => ({ kind: 'answer', status: 404, body: '<html>nothing here</html>' });
      const error = await failure(client().health());
      assert.equal(error.code, 'bad_answer');
      assert.match(error.message, /HTTP 404 with "<html>nothing here/);
      assert.equal(node.requests.length, 1);
    });

    it('names the member of a result with the wrong type', async () => {
      node.interfere = () => ({
        kind: 'answer',
        status: 200,
        body: '{"jsonrpc":"2.0","id":1,"result":{"uptime_ms":"x"}}',
      });
      const error = await failure(client().health());
      assert.equal(error.code, 'bad_answer');
      assert.match(error.message, /^health: result\./);
    });

    it('ignores unknown members', async () => {
      const result = '{"status":{"type":"ok","value":null},"uptime_ms":5,"event_loop_lag_ms":0,"new":[1]}';
      node.interfere = () => ({
        kind: 'answer',
        status: 200,
        body: `{"jsonrpc":"2.0","id":1,"result":${result}}`,
      });
      assert.equal((await client().health()).uptime_ms, 5n);
    });

    it('refuses an argument of the wrong length locally, naming the member', async () => {
      const error = await failure(client().account({ address: new Uint8Array(19) }));
      assert.equal(error.code, 'bad_argument');
      assert.match(error.message, /account: .*address/);
      assert.equal(node.requests.length, 0);
    });

    it('fails once the answer exceeds the limit', async () => {
      node.interfere = () => ({ kind: 'endless' });
      const error = await failure(client({ maxResponseBytes: 100_000 }).health());
      assert.equal(error.code, 'bad_answer');
      assert.match(error.message, /the answer from .* is longer than 100000 bytes/);
      assert.equal(node.requests.length, 1);
      node.interfere = () => undefined;
      assert.equal((await client({ maxResponseBytes: 1_000 }).health()).uptime_ms, 5n);
    });

    it('follows no redirect', async () => {
      const other = await FakeNode.start({ health: () => HEALTH });
      try {
        const headers = { location: `${other.url}/v2/rpc` };
        node.interfere = () => ({ kind: 'answer', status: 307, body: '', headers });
        const error = await failure(client({ retry: { retries: 0 } }).health());
        assert.equal(error.code, 'unreachable');
        assert.match(error.message, /redirect/);
        assert.equal(other.requests.length, 0);
      } finally {
        await other.stop();
      }
    });

    it('ends by its own timeout, and is not retried', async () => {
      node.interfere = () => ({ kind: 'hang' });
      const error = await failure(client({ timeoutMs: 40 }).health());
      assert.equal(error.code, 'timeout');
      assert.ok(node.requests.length <= 1);
    });

    it("ends by the caller's signal, with its reason", async () => {
      const reason = new Error('enough');
      const controller = new AbortController();
      node.interfere = () => {
        controller.abort(reason);
        return { kind: 'hang' };
      };
      await assert.rejects(client().call('health', {}, { signal: controller.signal }), reason);
      await assert.rejects(client().call('health', {}, { signal: controller.signal }), reason);
      assert.equal(node.requests.length, 1);
    });

    it('waits its turn when too many are in flight', async () => {
      node.handlers.health = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return HEALTH;
      };
      const limited = client({ maxConcurrent: 3 });
      await Promise.all(Array.from({ length: 20 }, () => limited.health()));
      assert.equal(node.requests.length, 20);
      assert.equal(node.mostInFlight, 3);
    });
  });

  describe('retries', () => {
    it('follow an error marked retryable', async () => {
      let left = 2;
      node.handlers.health = () => {
        if (left-- > 0) throw new FakeRpcError(-32015, 'overloaded', { retryable: true });
        return HEALTH;
      };
      assert.equal((await client().health()).uptime_ms, 5n);
      assert.equal(node.requests.length, 3);
    });

    it('end after the configured number of attempts, with the last error', async () => {
      node.handlers.health = () => {
        throw new FakeRpcError(-32015, 'overloaded', { retryable: true });
      };
      assert.equal((await failure(client().health())).code, -32015);
      assert.equal(node.requests.length, 4);
    });

    it('wait as long as the node asks', async () => {
      let first = true;
      node.handlers.health = () => {
        if (!first) return HEALTH;
        first = false;
        throw new FakeRpcError(-32004, 'rate_limited', { retryable: true, retry_after_ms: 60 });
      };
      const before = performance.now();
      await client().health();
      assert.ok(performance.now() - before >= 59);
    });

    it('follow a connection that breaks before the answer', async () => {
      node.interfere = (_request, index) =>
        index < 2 ? { kind: index === 0 ? 'reset' : 'lose answer' } : undefined;
      assert.equal((await client().health()).uptime_ms, 5n);
      assert.equal(node.requests.length, 3);
    });

    it('follow a proxy error without a node behind it', async () => {
      node.interfere = (_request, index) =>
        index === 0 ? { kind: 'answer', status: 502, body: '<html>bad gateway' } : undefined;
      assert.equal((await client().health()).uptime_ms, 5n);
    });

    it('end with the name of an unreachable node', async () => {
      const gone = await FakeNode.start();
      const { url } = gone;
      await gone.stop();
      const error = await failure(connect(url, { retry: QUICK }).health());
      assert.equal(error.code, 'unreachable');
      assert.match(error.message, /no node answers at http:\/\/127\.0\.0\.1:\d+\/v2\/rpc \(ECONNREFUSED\)/);
    });

    it('end with a hint at --cors-origin in a page of another origin', async () => {
      const failed = () => Promise.reject(new TypeError('Failed to fetch'));
      const transport = httpTransport('http://127.0.0.1:9545', { fetch: failed });
      const message = async (origin: string) => {
        Object.defineProperty(globalThis, 'location', { value: { origin }, configurable: true });
        try {
          return await transport
            .request('{}', { timeoutMs: 1_000 })
            .then(String, (error: Error) => error.message);
        } finally {
          Reflect.deleteProperty(globalThis, 'location');
        }
      };
      assert.match(
        await message('https://app.example'),
        /\(Failed to fetch\); if it runs, it has to allow pages of https:\/\/app\.example \(CORS\): heddle start --cors-origin /,
      );
      assert.match(await message('http://127.0.0.1:9545'), /\(Failed to fetch\)$/);
    });

    it('never repeat a call that may have been executed and is not idempotent', async () => {
      const caller = (fetchWith: typeof fetch) =>
        new RpcCaller({
          transport: new LimitedTransport(httpTransport(node.url, { fetch: fetchWith }), 1),
          retry: QUICK,
          batch: false,
          maxBatch: 1,
          decode: decodeAnswers,
          random: () => 0,
        });
      const once: RpcCall = {
        method: 'm',
        params: '{}',
        timeoutMs: 1_000,
        repeatable: false,
        unbatched: false,
      };
      node.interfere = () => ({ kind: 'lose answer' });
      assert.equal((await failure(caller(fetch).call(once))).code, 'unreachable');
      assert.equal(node.requests.length, 1);

      let tries = 0;
      const refused = new TypeError('fetch failed', {
        cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
      });
      const refusing = caller(() => {
        tries++;
        return Promise.reject(refused);
      });
      await failure(refusing.call(once));
      assert.equal(tries, 4, 'a refused connection cannot have carried the call');
    });
  });

  describe('batches', () => {
    it('carry the calls of one tick, each with its own answer or error', async () => {
      node.handlers.account = () => {
        throw new FakeRpcError(-32011, 'not_found');
      };
      const batching = client({ batch: true });
      const [first, second, third] = await Promise.allSettled([
        batching.health(),
        batching.account({ address: new Uint8Array(20) }),
        batching.health(),
      ]);
      assert.equal(first.status, 'fulfilled');
      assert.equal(second.status, 'rejected');
      assert.equal(third.status, 'fulfilled');
      assert.equal(node.requests.length, 1);
      assert.deepEqual(batchLengths(), [3]);
    });

    it('are not used for a single call', async () => {
      await client({ batch: true }).health();
      assert.equal(Array.isArray(node.requests[0]?.body), false);
    });

    it('are split at their maximum length', async () => {
      const batching = client({ batch: true, maxBatch: 4 });
      await Promise.all(Array.from({ length: 10 }, () => batching.health()));
      assert.deepEqual(batchLengths(), [4, 4, 2]);
    });

    it('find their answers by id, whatever the order', async () => {
      node.interfere = ({ body }) => {
        const answers = (body as { id: number }[]).map(({ id }) => ({
          jsonrpc: '2.0',
          id,
          result: { ...HEALTH, uptime_ms: id },
        }));
        return { kind: 'answer', status: 200, body: JSON.stringify(answers.reverse()) };
      };
      const batching = client({ batch: true });
      const results = await Promise.all([batching.health(), batching.health(), batching.health()]);
      assert.deepEqual(
        results.map(({ uptime_ms }) => uptime_ms),
        [1n, 2n, 3n],
      );
    });

    it('retry only the calls that failed', async () => {
      let calls = 0;
      node.handlers.health = () => {
        if (++calls === 2) throw new FakeRpcError(-32015, 'overloaded', { retryable: true });
        return HEALTH;
      };
      const batching = client({ batch: true });
      await Promise.all([batching.health(), batching.health(), batching.health()]);
      assert.equal(calls, 4);
      assert.equal(node.requests.length, 2);
    });

    it('fail only the call that the answer omits', async () => {
      node.interfere = ({ body }) => {
        const [first] = body as { id: number }[];
        const answer = { jsonrpc: '2.0', id: first?.id, result: { ...HEALTH, uptime_ms: 5 } };
        return { kind: 'answer', status: 200, body: JSON.stringify([answer]) };
      };
      const batching = client({ batch: true });
      const [first, second] = await Promise.allSettled([batching.health(), batching.health()]);
      assert.equal(first.status, 'fulfilled');
      assert.ok(second.status === 'rejected' && second.reason instanceof ClientError);
    });

    it('survive an aborted call', async () => {
      const batching = client({ batch: true });
      const controller = new AbortController();
      const aborted = batching.call('health', {}, { signal: controller.signal });
      const other = batching.health();
      controller.abort(new Error('enough'));
      await assert.rejects(aborted, /enough/);
      assert.equal((await other).uptime_ms, 5n);
    });
  });
});
