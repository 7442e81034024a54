import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ClientError, RpcCallError } from '../../src/client/client.js';
import type { RpcCall } from '../../src/client/rpc-caller.js';
import { NeverSentError, type Transport } from '../../src/client/transport.js';
import { keptHttpTransport } from '../../src/load/keep-alive-http-transport.js';
import { defaultBatchSize, textCaller } from '../../src/load/text-caller.js';
import { FakeNode } from '../support/nodes/fake-node.js';

describe('a caller of text', () => {
  const HEALTH = { status: { type: 'ok' as const }, uptime_ms: 5n, event_loop_lag_ms: 0 };
  const HEALTH_TEXT = '{"status":{"type":"ok","value":null},"uptime_ms":5,"event_loop_lag_ms":0}';
  const QUICK = { retries: 1, baseDelayMs: 1, maxDelayMs: 1 };
  const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"health","params":{}}';

  let node: FakeNode;
  let transport: Transport;
  beforeEach(async () => {
    node = await FakeNode.start({ health: () => HEALTH });
    transport = keptHttpTransport(node.url, { token: 'abc' });
  });
  afterEach(async () => {
    await transport.close?.();
    await node.stop();
  });

  const codeOf = (error: unknown): string => (error instanceof ClientError ? error.code : String(error));

  describe('kept-alive connections', () => {
    test('carry consecutive messages, with the token', async () => {
      for (let sent = 0; sent < 3; sent++) {
        const { text, label } = await transport.request(MESSAGE, { timeoutMs: 10_000 });
        assert.equal(text, `{"jsonrpc":"2.0","id":1,"result":${HEALTH_TEXT}}`);
        assert.equal(label, 'HTTP 200');
      }
      assert.deepEqual(
        node.requests.map(({ headers }) => [headers.authorization, headers.connection]),
        Array(3).fill(['Bearer abc', 'keep-alive']),
      );
    });

    test('report a timeout and a broken connection', async () => {
      node.interfere = () => ({ kind: 'hang' });
      await assert.rejects(
        transport.request(MESSAGE, { timeoutMs: 20 }),
        (error) => codeOf(error) === 'timeout',
      );
      for (const kind of ['reset', 'lose answer'] as const) {
        node.interfere = () => ({ kind });
        const broken = (error: unknown) =>
          codeOf(error) === 'unreachable' && !(error instanceof NeverSentError);
        await assert.rejects(transport.request(MESSAGE, { timeoutMs: 10_000 }), broken);
      }
    });

    test('end with the signal, before and during a wait', async () => {
      const reason = new Error('enough');
      const early = AbortSignal.abort(reason);
      await assert.rejects(transport.request(MESSAGE, { timeoutMs: 10_000, signal: early }), reason);
      node.interfere = () => ({ kind: 'hang' });
      const late = new AbortController();
      const waiting = transport.request(MESSAGE, { timeoutMs: 10_000, signal: late.signal });
      setTimeout(() => late.abort(reason), 20);
      await assert.rejects(waiting, reason);
    });

    test('fail once the answer exceeds the limit', async () => {
      node.interfere = () => ({ kind: 'endless' });
      const bounded = keptHttpTransport(node.url, { maxResponseBytes: 100_000 });
      const tooLong = (error: unknown) =>
        codeOf(error) === 'bad_answer' && /longer than 100000/.test(`${error}`);
      await assert.rejects(bounded.request(MESSAGE, { timeoutMs: 10_000 }), tooLong);
      await bounded.close?.();
    });

    test('recognize a message that cannot have arrived', async () => {
      const gone = await FakeNode.start();
      const { url } = gone;
      await gone.stop();
      const lost = keptHttpTransport(url);
      await assert.rejects(lost.request(MESSAGE, { timeoutMs: 10_000 }), NeverSentError);
      assert.throws(() => keptHttpTransport('ftp://somewhere'), { code: 'bad_url' });
    });
  });

  describe('calls that keep results as text', () => {
    const call = (more: Partial<RpcCall> = {}): RpcCall => ({
      method: 'health',
      params: '{}',
      timeoutMs: 10_000,
      repeatable: true,
      unbatched: false,
      ...more,
    });
    const many = (count: number, more?: Partial<RpcCall>) => {
      const caller = textCaller(transport, { retry: QUICK, concurrency: 8, batch: 8 });
      return Promise.allSettled(Array.from({ length: count }, () => caller.call(call(more))));
    };
    const lengths = () => node.requests.map(({ body }) => (Array.isArray(body) ? body.length : 1));

    test('are sent in batches, with results returned as written', async () => {
      const outcomes = await many(20);
      assert.ok(outcomes.every((each) => each.status === 'fulfilled' && each.value.text === HEALTH_TEXT));
      assert.deepEqual(lengths(), [8, 8, 4]);
    });

    test('are sent again in smaller batches when a batch is refused for its size', async () => {
      const error = {
        code: -32_005,
        message: 'too much',
        data: { kind: 'limit_exceeded', retryable: false },
      };
      node.interfere = ({ body }) =>
        Array.isArray(body) && body.length > 2
          ? { kind: 'answer', status: 400, body: JSON.stringify({ jsonrpc: '2.0', id: null, error }) }
          : undefined;
      const outcomes = await many(8);
      assert.ok(outcomes.every(({ status }) => status === 'fulfilled'));
      assert.deepEqual(lengths(), [8, 4, 4, 2, 2, 2, 2]);
    });

    test('fail when they are too large even alone', async () => {
      const error = {
        code: -32_005,
        message: 'too much',
        data: { kind: 'limit_exceeded', retryable: false },
      };
      node.interfere = ({ body }) => ({
        kind: 'answer',
        status: 400,
        body: JSON.stringify(
          [body].flat().map((one) => ({ jsonrpc: '2.0', id: (one as { readonly id: number }).id, error })),
        ),
      });
      const outcomes = await many(3);
      assert.ok(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof RpcCallError));
    });

    test('are sent one by one when their batch times out', async () => {
      node.interfere = ({ body }) => (Array.isArray(body) ? { kind: 'hang' } : undefined);
      const outcomes = await many(3, { timeoutMs: 3_000 });
      assert.ok(outcomes.every(({ status }) => status === 'fulfilled'));
      assert.deepEqual(lengths(), [3, 1, 1, 1]);
    });

    test('are sent in batches of a quarter of those in flight, at most sixteen', () => {
      assert.deepEqual([1, 3, 8, 64, 1_024].map(defaultBatchSize), [1, 1, 2, 16, 16]);
    });
  });
});
