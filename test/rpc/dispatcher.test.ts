// JSON-RPC 2.0 through the whole front end, without a socket.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FakeRpc, type FakeRpcOptions } from '../support/http/fake-rpc.js';

describe('the dispatcher', () => {
  const opened: FakeRpc[] = [];

  async function create(options?: FakeRpcOptions): Promise<FakeRpc> {
    const rpc = await FakeRpc.create(options);
    opened.push(rpc);
    return rpc;
  }

  after(async () => {
    for (const rpc of opened) await rpc.dispose();
  });

  interface ErrorObject {
    readonly code: number;
    readonly message: string;
    readonly data: Readonly<Record<string, unknown>>;
  }

  function errorOf(json: unknown): ErrorObject {
    const { error } = json as { readonly error?: ErrorObject };
    return error ?? assert.fail(`no error in ${JSON.stringify(json)}`);
  }

  describe('JSON-RPC', () => {
    let rpc: FakeRpc;

    before(async () => {
      rpc = await create({ twoInterfaces: true });
    });

    test('a call with named parameters is answered with its result', async () => {
      const text =
        '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}';
      const answer = await rpc.post(text);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.equal(answer.text, '{"jsonrpc":"2.0","id":3,"result":19}');
    });

    test('a synchronous handler is answered without a promise', () => {
      const answer = rpc.handle({
        method: 'POST',
        path: '/v2/rpc',
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(
          '{"jsonrpc":"2.0","id":1,"method":"subtract","params":{"minuend":1,"subtrahend":1}}',
        ),
      });
      assert.ok(!(answer instanceof Promise));
    });

    test('positional parameters are refused with the names to use', async () => {
      const answer = await rpc.post('{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}');
      const { code, message, data } = errorOf(answer.json);
      assert.equal(answer.status, 200);
      assert.equal(code, -32602);
      assert.match(message, /minuend, subtrahend/);
      assert.equal(data['path'], 'params');
    });

    test('a wrong parameter is reported with its path, the expected type and the value', async () => {
      const answer = await rpc.call('subtract', { minuend: 'x', subtrahend: 1 });
      const { code, data } = errorOf(answer.json);
      assert.equal(code, -32602);
      assert.equal(data['kind'], 'invalid_params');
      assert.equal(data['path'], 'params.minuend');
      assert.ok(String(data['got']).includes('x'));
    });

    test('a notification is run and not answered', async () => {
      rpc.ran.length = 0;
      const answer = await rpc.post(
        '{"jsonrpc":"2.0","method":"subtract","params":{"minuend":1,"subtrahend":1}}',
      );
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
      assert.deepEqual(rpc.ran, ['subtract']);
    });

    test('a notification is not answered even if it fails', async () => {
      for (const text of [
        '{"jsonrpc": "2.0", "method": "foobar"}',
        '{"jsonrpc": "2.0", "method": "subtract", "params": {}}',
        '{"jsonrpc": "2.0", "method": "secret"}',
        '{"jsonrpc": "2.0", "method": "fail", "params": {"how": "thrown undefined"}}',
      ]) {
        const answer = await rpc.post(text);
        assert.equal(answer.status, 204, text);
        assert.equal(answer.text, '');
      }
    });

    test('notifications that wait are released when their calls end, alone and in batches', async () => {
      const held = '{"jsonrpc":"2.0","method":"held"}';
      const soon = '{"jsonrpc":"2.0","method":"soon"}';
      for (const body of [held, `[${held},${held}]`, soon, `[${soon},${held},${soon}]`]) {
        const answer = await rpc.post(body);
        assert.equal(answer.status, 204);
      }
      rpc.release();
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(rpc.metrics.rpc.callsInFlight.all, 0);
      assert.equal(rpc.frontEnd.budget.used, 0);
    });

    test('an unknown method is reported with a similar name if there is one', async () => {
      const far = errorOf((await rpc.call('foobar')).json);
      assert.equal(far.code, -32601);
      assert.equal(far.data['suggestion'], undefined);
      const near = errorOf((await rpc.call('substract')).json);
      assert.equal(near.data['suggestion'], 'subtract');
      assert.match(near.message, /did you mean subtract/);
    });

    test('methods of Object.prototype do not exist', async () => {
      for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', '']) {
        assert.equal(errorOf((await rpc.call(name)).json).code, -32601);
      }
    });

    test('a plain name shared by two interfaces is ambiguous, the qualified names are not', async () => {
      const answer = await rpc.call('echo', { value: 1 });
      const { code, data } = errorOf(answer.json);
      assert.equal(answer.status, 200);
      assert.equal(code, -32006);
      assert.deepEqual(data['candidates'], ['TestV1.echo', 'OtherV1.echo']);
      assert.equal(
        (await rpc.call('TestV1.echo', { value: [1] })).text,
        '{"jsonrpc":"2.0","id":1,"result":[1]}',
      );
      assert.equal(
        (await rpc.call('OtherV1.echo')).text,
        '{"jsonrpc":"2.0","id":1,"result":"the other echo"}',
      );
      assert.equal((await rpc.call('lonely')).status, 200);
    });

    test('a body that is not JSON or not a request gets 400 and a null id', async () => {
      for (const [body, code] of [
        ['{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', -32700],
        [Buffer.from([0x7b, 0xff, 0x7d]), -32700],
        [Buffer.from('{"jsonrpc":"2.0","id":"\xc3","method":"status"}', 'latin1'), -32700],
        ['{"jsonrpc": "2.0", "method": 1, "params": "bar"}', -32600],
        ['[]', -32600],
        ['1', -32600],
      ] as const) {
        const answer = await rpc.post(body);
        assert.equal(answer.status, 400);
        assert.equal(errorOf(answer.json).code, code);
        assert.equal((answer.json as { id: unknown }).id, null);
      }
    });

    test('a U+FFFD in the body itself is not a parse error', async () => {
      const answer = await rpc.call('TestV1.echo', { value: 'a\ufffdb' });
      assert.deepEqual((answer.json as { result: unknown }).result, 'a\ufffdb');
    });

    test('an extremely nested body is refused cleanly', async () => {
      const deep = '['.repeat(1_000_000);
      assert.equal((await rpc.post(deep)).status, 400);
      const answer = await rpc.post(
        `{"jsonrpc":"2.0","id":9,"method":"TestV1.echo","params":{"value":${deep}${']'.repeat(1_000_000)}}}`,
      );
      assert.equal(errorOf(answer.json).data['kind'], 'limit_exceeded');
      assert.equal((answer.json as { id: unknown }).id, 9);
    });

    test('a deferred answer keeps its id', async () => {
      assert.equal(
        (await rpc.post('{"jsonrpc":"2.0","id":1.0,"method":"later","params":{"value":{"a":1}}}')).text,
        '{"jsonrpc":"2.0","id":1.0,"result":{"a":1}}',
      );
    });
  });

  describe('a batch', () => {
    test('is answered in one array, in the order of its calls, as the specification shows', async () => {
      const rpc = await create();
      const answer = await rpc.post(`[
      {"jsonrpc": "2.0", "method": "later", "params": {"value": "first"}, "id": "1"},
      {"jsonrpc": "2.0", "method": "echo", "params": {"value": 7}},
      {"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      1
    ]`);
      assert.equal(answer.status, 200);
      const answers = answer.json as readonly { id: unknown; result?: unknown; error?: ErrorObject }[];
      assert.deepEqual(
        answers.map(({ id, result, error }) => [id, result ?? error?.code]),
        [
          ['1', 'first'],
          ['2', 19],
          [null, -32600],
          ['5', -32601],
          [null, -32600],
        ],
      );
    });

    test('of notifications only is answered with nothing', async () => {
      const rpc = await create();
      const one = '{"jsonrpc":"2.0","method":"later","params":{"value":1}}';
      const answer = await rpc.post(`[${one},${one}]`);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
    });

    test('runs its calls concurrently', async () => {
      const rpc = await create();
      const call = '{"jsonrpc":"2.0","id":1,"method":"held"}';
      const answer = rpc.post(`[${call},${call},${call}]`);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(rpc.signals.length, 3);
      rpc.release();
      assert.equal(((await answer).json as unknown[]).length, 3);
    });

    test('that costs too much is refused before any call runs', async () => {
      const rpc = await create({ limits: { maxBatchCost: 1_000 } });
      const expensive = '{"jsonrpc":"2.0","id":1,"method":"expensive"}';
      const notified = '{"jsonrpc":"2.0","method":"expensive"}';
      assert.equal((await rpc.post(`[${expensive},${notified}]`)).status, 200);
      assert.deepEqual(rpc.ran, ['expensive', 'expensive']);
      const { data } = errorOf((await rpc.post(`[${expensive},${notified},${expensive}]`)).json);
      assert.equal(data['kind'], 'limit_exceeded');
      assert.equal(data['limit'], 1_000);
      assert.equal(data['given'], 1_500);
      assert.deepEqual(rpc.ran, ['expensive', 'expensive']);
    });

    test('with answers too long in total drops those past the limit, with bounded memory', async () => {
      const rpc = await create({ limits: { maxBatchAnswerBytes: 25_000 } });
      const call = '{"jsonrpc":"2.0","id":1,"method":"repeat","params":{"text":"x","times":10000}}';
      const answer = await rpc.post(`[${Array(6).fill(call).join(',')}]`);
      const answers = answer.json as readonly { result?: string; error?: ErrorObject }[];
      assert.deepEqual(
        answers.map(({ result, error }) => result?.length ?? error?.data['kind']),
        [10_000, 10_000, ...Array<string>(4).fill('limit_exceeded')],
      );
      assert.equal(rpc.ran.length, 3, 'calls past the limit do not start');
    });

    test('is HTTP 200 whatever its calls return', async () => {
      const rpc = await create();
      const answer = await rpc.post('[{"jsonrpc":"2.0","id":1,"method":"secret"},7]');
      assert.equal(answer.status, 200);
      assert.deepEqual(
        (answer.json as readonly { error: ErrorObject }[]).map(({ error }) => error.code),
        [-32001, -32600],
      );
    });
  });

  describe('under load', () => {
    test('calls beyond the limit are shed at once, synchronous calls are still served', async () => {
      const rpc = await create({ limits: { maxCallsInFlight: 2 } });
      const waiting = [rpc.call('held'), rpc.call('held')];
      const shed = await rpc.call('held');
      assert.equal(shed.status, 503);
      assert.equal(shed.headers['retry-after'], '1');
      const { code, data } = errorOf(shed.json);
      assert.equal(code, -32015);
      assert.equal(data['retryable'], true);
      assert.equal(data['retry_after_ms'], 1_000);
      assert.equal((await rpc.call('subtract', { minuend: 1, subtrahend: 1 })).status, 200);
      rpc.release();
      for (const answer of waiting) assert.equal((await answer).status, 200);
      const again = rpc.call('held');
      rpc.release();
      assert.equal((await again).status, 200);
      assert.equal(rpc.metrics.rpc.callsInFlight.all, 0);
    });

    test('waiting calls have a limit of bytes, and larger ones are shed first', async () => {
      const rpc = await create({ limits: { maxBufferedBytes: 20_000 } });
      const waiting = [rpc.call('held')];
      const text = 'x'.repeat(4_000);
      waiting.push(rpc.call('soon', { text }), rpc.call('soon', { text }), rpc.call('soon', { text }));
      const codes = (await Promise.all(waiting.slice(1))).map(({ json }) => 'error' in (json as object));
      // The first call shows whether a method waits.
      assert.deepEqual(codes, [false, false, true]);
      assert.equal(rpc.frontEnd.budget.refused, 1);
      assert.equal((await rpc.call('soon', { text: 'short' })).status, 200);
      rpc.release();
      await Promise.all(waiting);
      assert.equal(rpc.frontEnd.budget.used, 0);
    });

    test('waiting results of a batch count towards the limit of bytes', async () => {
      const rpc = await create({ limits: { maxBufferedBytes: 40_000 } });
      const first = rpc.call('held');
      await Promise.resolve();
      const text = JSON.stringify({ text: 'y'.repeat(60), times: 100 });
      const call = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"repeat","params":${text}}`;
      const held = '{"jsonrpc":"2.0","id":9,"method":"held"}';
      const answer = rpc.post(`[${call(1)},${call(2)},${held}]`);
      assert.ok(rpc.frontEnd.budget.used > 6_000);
      rpc.release();
      await first;
      const codes = ((await answer).json as { error?: ErrorObject }[]).map(({ error }) => error?.code);
      assert.deepEqual(codes, [undefined, -32015, undefined]);
      assert.equal(rpc.frontEnd.budget.used, 0);
    });
  });
});
