// Prepaid and rate-limited callers on a real node with several front threads.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RpcClient } from '../outside/rpc.js';
import { eventually } from '../support/eventually.js';
import { LoopbackConnection } from '../support/floods/loopback-connection.js';
import { heddleOk } from '../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { issueToken } from '../support/tokens/issue-token.js';
import { CONNECTIONS, show, spendAll, ZERO } from '../support/tokens/spent-tokens.js';

describe('a prepaid token on three front threads', () => {
  const dataDir = temporaryDirectory();
  let node: NodeProcess;
  before(async () => {
    node = await NodeProcess.start({ dataDir, flags: ['--front-threads', '3'] });
  });
  after(async () => {
    await node.stop();
    removeDirectory(dataDir);
  });

  test('buys exactly its units from 64 connections', async () => {
    const { id, token } = await issueToken(dataDir, '--units', '5001');
    assert.equal(await spendAll(node.url, token), 2_500);
    assert.equal((await show(dataDir, id)).left, 1);
  });

  test('is charged by calls in batches and by notifications', async () => {
    const { id, token } = await issueToken(dataDir, '--units', '100');
    const rpc = new RpcClient(node.url, token);
    const call = { jsonrpc: '2.0', method: 'account', params: { address: ZERO } };
    const { body } = await rpc.post(
      JSON.stringify(Array.from({ length: 60 }, (_, at) => ({ ...call, id: at }))),
    );
    const answers = JSON.parse(body.toString()) as readonly { error?: { code: number; data: object } }[];
    // While the node fetches units, later calls may overtake the first ones.
    const refusals = answers.flatMap(({ error }) => (error === undefined ? [] : [error.data]));
    const refusal = { kind: 'payment_required', retryable: false, price: 2, left: 0 };
    assert.deepEqual(
      refusals,
      Array.from({ length: 10 }, () => refusal),
    );
    await heddleOk(['token', 'top-up', id, '--units', '10', '--data-dir', dataDir]);
    // A refused notification is answered like any other.
    await eventually('a notification is charged', async () => {
      assert.equal((await rpc.post(JSON.stringify(call))).status, 204);
      return (await show(dataDir, id)).left < 10;
    });
    rpc.close();
  });

  test('is refused on every thread within a second of its revocation', async () => {
    const { id, token } = await issueToken(dataDir, '--units', '1000000');
    const clients = Array.from({ length: CONNECTIONS }, () => new RpcClient(node.url, token));
    const statuses = (): Promise<number[]> =>
      Promise.all(
        clients.map(async (rpc) => (await rpc.post('{"jsonrpc":"2.0","id":1,"method":"health"}')).status),
      );
    assert.deepEqual(new Set(await statuses()), new Set([200]));
    await heddleOk(['token', 'revoke', id, '--data-dir', dataDir]);
    assert.deepEqual(new Set(await statuses()), new Set([401]));
    for (const rpc of clients) rpc.close();
    assert.equal((await show(dataDir, id)).state, 'revoked');
  });
});

describe('callers without a token on a metered node', () => {
  let node: NodeProcess;
  before(async () => {
    node = await NodeProcess.start({
      flags: [
        ...['--paid-access', 'metered', '--paid-rate', '1', '--rate-burst', '60'],
        ...['--public-rate', '1', '--front-threads', '2', '--trusted-proxies', '127.0.0.9'],
      ],
    });
  });
  after(() => node.dispose());

  const trace = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'chain_traceCall',
    params: { contract: ZERO },
  });

  const statusFrom = async (address: string): Promise<number> => {
    const connection = new LoopbackConnection(node.url, address);
    try {
      return (await connection.post(trace)).status;
    } finally {
      connection.close();
    }
  };

  test('are limited by address, with the headers that say when to come back', async () => {
    // A trace costs 50 of the 60 units.
    assert.equal(await statusFrom('127.0.0.2'), 200);
    assert.equal(await statusFrom('127.0.0.2'), 429);
    assert.equal(await statusFrom('127.0.0.3'), 200);
    const rpc = new RpcClient(node.url);
    const first = await rpc.post(trace);
    assert.equal(first.headers['ratelimit-limit'], '60');
    assert.equal(first.headers['ratelimit-remaining'], '10');
    assert.equal(first.headers['ratelimit'], '"paid";r=10;t=50');
    const refused = await rpc.post(trace);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['retry-after']) > 10);
    const { error } = JSON.parse(refused.body.toString()) as {
      error: { code: number; data: { kind: string; retry_after_ms: number } };
    };
    assert.equal(error.code, -32004);
    assert.ok(error.data.retry_after_ms > 10_000);
    rpc.close();
  });

  test('have a limit of their own for public methods', async () => {
    const blocks = { jsonrpc: '2.0', method: 'get_blocks', params: { from_height: 0, to_height: 0 } };
    const connection = new LoopbackConnection(node.url, '127.0.0.4');
    const { body } = await connection.post(JSON.stringify([1, 2, 3, 4].map((id) => ({ ...blocks, id }))));
    connection.close();
    const answers = JSON.parse(body.toString()) as readonly { error?: { data: { kind: string } } }[];
    assert.deepEqual(
      answers.map(({ error }) => error?.data.kind ?? 'served'),
      ['served', 'served', 'served', 'rate_limited'],
    );
  });

  test('are named by X-Forwarded-For behind a trusted proxy only', async () => {
    const from = async (address: string, forwardedFor: string | string[]): Promise<number> => {
      const connection = new LoopbackConnection(node.url, address);
      try {
        return (await connection.post(trace, { headers: { 'x-forwarded-for': forwardedFor } })).status;
      } finally {
        connection.close();
      }
    };
    assert.equal(await from('127.0.0.9', '192.0.2.1'), 200);
    assert.equal(await from('127.0.0.9', '192.0.2.1'), 429);
    assert.equal(await from('127.0.0.9', '192.0.2.2'), 200);
    assert.equal(
      await from('127.0.0.9', '203.0.113.9, 192.0.2.2'),
      429,
      'the proxy has seen the last address',
    );
    assert.equal(await from('127.0.0.9', ['203.0.113.10', '192.0.2.2']), 429, 'the proxy adds a line');
    assert.equal(await from('127.0.0.9', ['', '192.0.2.2']), 429, 'the first line may be empty');
    assert.equal(await from('127.0.0.8', '192.0.2.3'), 200);
    assert.equal(await from('127.0.0.8', '192.0.2.4'), 429, 'others cannot choose an address');
  });
});
