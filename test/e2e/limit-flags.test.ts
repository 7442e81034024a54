import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hex } from '../outside/bytes.js';
import { type HttpAnswer, RpcClient } from '../outside/rpc.js';
import { devWallet } from '../outside/wallet.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { NodeProcess } from '../support/nodes/node-process.js';

const FLAGS = {
  'max-body-bytes': 300_000,
  'max-backlog-bytes': 70_000,
  'request-timeout': 20_000,
  'max-batch': 41,
  'max-batch-answer-bytes': 65_536,
  'max-calls': 1,
  'max-call-ms': 1_500,
  'max-call-gas': 1_000_000_000_000,
} as const;

/** Documented default limits by manifest name, except those of the flags above. */
const DEFAULTS = {
  answer_bytes: 16 * 1024 * 1024,
  batch_cost: 2_000,
  buffered_bytes: 256 * 1024 * 1024,
  accounts: 1_000,
  page_size: 500,
  logs: 10_000,
  range_heights: 1_000,
  range_bytes: 16 * 1024 * 1024,
  pipeline_steps: 64,
  bundle_transactions: 64,
  trace_bytes: 16 * 1024 * 1024,
  transaction_bytes: 512 * 1024,
  code_bytes: 256 * 1024,
  outcome_bytes: 1024 * 1024,
  slot_value_bytes: 16 * 1024,
  idl_bytes: 64 * 1024,
  call_depth: 64,
  nonce_gap: 64,
  waiters: 10_000,
  waiters_per_client: 1_000,
  pending_lanes: 16,
  pool_transactions: 100_000,
  pool_bytes: 256 * 1024 * 1024,
} as const;

/** Runs until it is stopped. */
const ENDLESS = assemble({
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'i32.const 1; if; loop; br 0; end; end; i32.const 0' }],
});

interface Failed {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

function errorOf(answer: HttpAnswer): Failed['error'] {
  return (JSON.parse(answer.body.toString()) as Failed).error;
}

describe('the flags that bound the front end', () => {
  let node: NodeProcess;
  let rpc: RpcClient;

  before(async () => {
    const flags = Object.entries(FLAGS).flatMap(([name, value]) => [`--${name}`, String(value)]);
    node = await NodeProcess.start({ flags });
    rpc = new RpcClient(node.url);
  });

  after(async () => {
    rpc.close();
    await node.dispose();
  });

  test('reach the manifest, which lists the limits of the chain beside them', async () => {
    const manifest = JSON.parse((await rpc.http({ path: '/v2/rpc/manifest' })).body.toString());
    const { limits } = manifest as { readonly limits: Readonly<Record<string, number>> };
    const listed = (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, limits[name]]));
    assert.deepEqual(listed(Object.keys(DEFAULTS)), { ...DEFAULTS });
    const configured = {
      body_bytes: FLAGS['max-body-bytes'],
      backlog_bytes: FLAGS['max-backlog-bytes'],
      request_ms: FLAGS['request-timeout'],
      batch_calls: FLAGS['max-batch'],
      batch_answer_bytes: FLAGS['max-batch-answer-bytes'],
      calls: FLAGS['max-calls'],
      call_ms: FLAGS['max-call-ms'],
      call_gas: FLAGS['max-call-gas'],
    };
    assert.deepEqual(listed(Object.keys(configured)), configured);
  });

  test('bound the calls and the cost of a batch', async () => {
    const batch = (method: string, count: number): Promise<HttpAnswer> =>
      rpc.post(JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method }))));
    const long = errorOf(await batch('health', 42));
    assert.deepEqual([long.code, long.data['limit'], long.data['given']], [-32005, 41, 42]);
    assert.match(long.message, /calls in a batch: at most 41, got 42/);
    const expensive = errorOf(await batch('chain_traceCall', 41));
    assert.deepEqual(
      [expensive.code, expensive.data['subject'], expensive.data['limit'], expensive.data['given']],
      [-32005, 'batch_cost', 2_000, 2_050],
    );
    const right = JSON.parse((await batch('list_blocks', 20)).body.toString()) as readonly unknown[];
    assert.equal(right.length, 20);
  });

  test('are named in refusals as in the manifest, with the requested value', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'health' });
    const limit = FLAGS['max-body-bytes'];
    const long = await rpc.post(body + ' '.repeat(limit + 1 - body.length));
    assert.equal(long.status, 413);
    const { data } = errorOf(long);
    assert.deepEqual([data['subject'], data['limit'], data['given']], ['body_bytes', limit, limit + 1]);

    const refusal = async (method: string, params: object) =>
      errorOf(await rpc.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
    const page = await refusal('list_blocks', { limit: 100_000 });
    assert.deepEqual([page.code, page.data['subject'], page.data['given']], [-32005, 'page_size', 100_000]);
    assert.match(page.message, /params\.limit: at most/);
    const logs = await refusal('get_logs', { limit: 1_000_000 });
    assert.deepEqual([logs.code, logs.data['subject'], logs.data['given']], [-32005, 'logs', 1_000_000]);
  });

  test('bound the response of a batch', async () => {
    // 50 addresses are few enough for an immediate answer; the node accepts only one waiting call.
    const addresses = Array.from({ length: 50 }, () => `0x${hex(devWallet(0).address)}`);
    const calls = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'accounts',
      params: { addresses },
    }));
    const answer = JSON.parse(
      (await rpc.post(JSON.stringify(calls))).body.toString(),
    ) as readonly Partial<Failed>[];
    assert.equal(answer.length, 20);
    assert.equal(answer[0]?.error, undefined);
    const refused = answer.filter(({ error }) => error !== undefined);
    assert.ok(refused.length > 0, 'some of it was too much');
    for (const { error } of refused) {
      assert.deepEqual([error?.code, error?.data['limit']], [-32005, FLAGS['max-batch-answer-bytes']]);
    }
  });

  test('bound the calls in flight: one more is refused at once as overloaded', async () => {
    const address = `0x${'c0'.repeat(20)}`;
    const code = `0x${hex(ENDLESS)}`;
    const params = { contract: address, input: '0x', overrides: [{ address, code }] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'view_call', params });
    const status = () => rpc.post('{"jsonrpc":"2.0","id":1,"method":"status"}');
    // Two open connections, so that both calls are on their way before this process can stall.
    await Promise.all([status(), status()]);
    const both = [rpc.post(body), rpc.post(body)];
    // The one that is refused is answered first.
    const refused = await Promise.race(both);
    assert.equal(refused.status, 503, refused.body.toString());
    assert.ok(Number(refused.headers['retry-after']) > 0);
    const error = errorOf(refused);
    assert.deepEqual([error.code, error.data['kind'], error.data['retryable']], [-32015, 'overloaded', true]);
    assert.equal((await status()).status, 200, 'what waits for nothing is still answered');
    for (const answer of await Promise.all(both)) {
      if (answer === refused) continue;
      assert.equal(answer.status, 200);
      assert.equal(errorOf(answer).data['kind'], 'timeout');
    }
  });
});
