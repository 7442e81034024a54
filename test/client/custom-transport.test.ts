import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ClientError,
  connect,
  connectReadOnly,
  NeverSentError,
  RpcCallError,
  type Transport,
  type TransportAnswer,
  type TransportRequestOptions,
} from '../../src/client/client.js';

const QUICK = { retries: 3, baseDelayMs: 1, maxDelayMs: 2 };

interface Call {
  readonly id: number;
  readonly method: string;
}

type Answer = (
  message: string,
  options: TransportRequestOptions,
) => TransportAnswer | Promise<TransportAnswer>;

/** A transport without a connection; `answer` acts as the node. */
class MemoryTransport implements Transport {
  readonly endpoint = 'memory';
  readonly messages: string[] = [];
  closed = 0;
  readonly #answer: Answer;

  constructor(answer: Answer = healthy) {
    this.#answer = answer;
  }

  async request(message: string, options: TransportRequestOptions): Promise<TransportAnswer> {
    this.messages.push(message);
    return this.#answer(message, options);
  }

  close(): void {
    this.closed++;
  }
}

/** Answers every call with the health of a node whose uptime is the call's id. */
function healthy(message: string): TransportAnswer {
  const answerOf = ({ id }: Call) => ({
    jsonrpc: '2.0',
    id,
    result: { status: { type: 'ok', value: null }, uptime_ms: id, event_loop_lag_ms: 0 },
  });
  const calls = JSON.parse(message) as Call | Call[];
  return { text: JSON.stringify(Array.isArray(calls) ? calls.map(answerOf) : answerOf(calls)) };
}

function idsOf(message: string): number[] {
  const calls = JSON.parse(message) as Call | Call[];
  return [calls].flat().map(({ id }) => id);
}

/** Answers every call like a node that does not know the transaction. */
function withoutReceipt(message: string): TransportAnswer {
  const answerOf = ({ id, method }: Call) => ({
    jsonrpc: '2.0',
    id,
    result: method === 'tx_receipt' ? {} : { status: { type: 'not_found', value: null } },
  });
  const calls = JSON.parse(message) as Call | Call[];
  return { text: JSON.stringify(Array.isArray(calls) ? calls.map(answerOf) : answerOf(calls)) };
}

function failingFirst(failure: unknown): Answer {
  let first = true;
  return (message) => {
    if (!first) return healthy(message);
    first = false;
    throw failure;
  };
}

describe('a custom transport', () => {
  it('carries a client’s calls and returns their answers', async () => {
    const transport = new MemoryTransport();
    for (const client of [connect(transport), connectReadOnly(transport)]) {
      assert.equal(client.endpoint, 'memory');
      assert.equal((await client.health()).uptime_ms, 1n);
    }
    assert.deepEqual(JSON.parse(transport.messages[0] ?? ''), {
      jsonrpc: '2.0',
      id: 1,
      method: 'health',
      params: {},
    });
  });

  it('gets the calls of one tick as one message if the client batches', async () => {
    const transport = new MemoryTransport();
    const client = connect(transport, { batch: true });
    const answers = await Promise.all([client.health(), client.health(), client.health()]);
    assert.deepEqual(
      answers.map(({ uptime_ms }) => uptime_ms),
      [1n, 2n, 3n],
    );
    assert.equal(transport.messages.length, 1);
  });

  it('is retried after a transient failure', async () => {
    for (const failure of [new ClientError('unreachable', 'gone'), new NeverSentError('not there')]) {
      const transport = new MemoryTransport(failingFirst(failure));
      await connect(transport, { retry: QUICK }).health();
      assert.equal(transport.messages.length, 2);
    }
  });

  it('is not retried after another failure, which the caller gets unchanged', async () => {
    for (const failure of [new ClientError('timeout', 'late'), new Error('a fault of the transport')]) {
      const transport = new MemoryTransport(failingFirst(failure));
      await assert.rejects(connect(transport, { retry: QUICK }).health(), failure);
      assert.equal(transport.messages.length, 1);
    }
  });

  it('need not understand the node’s errors', async () => {
    const error = { code: -32011, message: 'no such thing', data: { kind: 'not_found' } };
    const transport = new MemoryTransport(() => ({ text: JSON.stringify({ jsonrpc: '2.0', id: 1, error }) }));
    await assert.rejects(connect(transport).health(), (thrown) => {
      assert.ok(thrown instanceof RpcCallError);
      assert.equal(thrown.kind, 'not_found');
      return true;
    });
  });

  it('may return an invalid answer, which is reported with its label', async () => {
    const text = 'no JSON-RPC';
    for (const [answer, message] of [
      [{ text }, /^expected a JSON-RPC answer, got "no JSON-RPC"$/],
      [{ text, label: 'frame 7' }, /^expected a JSON-RPC answer, got frame 7 with "no JSON-RPC"$/],
      [{ text, label: 'frame 8', mayBeProxy: true }, /^memory: frame 8, no node behind it answers$/],
    ] as const) {
      const client = connect(new MemoryTransport(() => answer), { retry: { retries: 0 } });
      await assert.rejects(client.health(), { name: 'ClientError', message });
    }
  });

  it('receives the timeout and the signal of a call', async () => {
    const given: TransportRequestOptions[] = [];
    const transport = new MemoryTransport((message, options) => {
      given.push(options);
      return healthy(message);
    });
    const { signal } = new AbortController();
    await connect(transport, { timeoutMs: 1_234 }).call('health', {}, { signal });
    assert.deepEqual(given, [{ timeoutMs: 1_234, signal }]);
  });

  it('gets at most the client’s configured number of concurrent requests', async () => {
    let inFlight = 0;
    let most = 0;
    const transport = new MemoryTransport(async (message) => {
      most = Math.max(most, ++inFlight);
      await sleep(2);
      inFlight--;
      return healthy(message);
    });
    const client = connect(transport, { maxConcurrent: 2 });
    await Promise.all(Array.from({ length: 7 }, () => client.health()));
    assert.equal(most, 2);
  });

  it('gets one request at a time and no id twice, even while a receipt is watched', async () => {
    const ids: number[] = [];
    let inFlight = 0;
    let most = 0;
    const transport = new MemoryTransport(async (message) => {
      most = Math.max(most, ++inFlight);
      ids.push(...idsOf(message));
      await sleep(2);
      inFlight--;
      return message.includes('"health"') ? healthy(message) : withoutReceipt(message);
    });
    const client = connect(transport, { maxConcurrent: 1 });
    const [watched] = await Promise.allSettled([
      client.waitForReceipt(new Uint8Array(32), { timeoutMs: 150 }),
      ...Array.from({ length: 5 }, () => client.health()),
    ]);
    assert.equal(watched.status, 'rejected');
    assert.ok(ids.length > 6, 'calls of both callers arrived');
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(most, 1);
  });

  it('is closed with its client, and only once', async () => {
    const transport = new MemoryTransport();
    const client = connect(transport);
    await Promise.all([client.close(), client.close()]);
    await client.close();
    assert.equal(transport.closed, 1);
    await connect('http://127.0.0.1:1').close();
  });

  it('fails to close with the same error at every attempt', async () => {
    const transport = new MemoryTransport();
    transport.close = () => {
      transport.closed++;
      throw new Error('stuck');
    };
    const client = connect(transport);
    await assert.rejects(client.close(), /stuck/);
    await assert.rejects(client.close(), /stuck/);
    assert.equal(transport.closed, 1);
  });

  it('gets no request from anyone after it is closed', async () => {
    const closed = { name: 'ClientError', code: 'closed', message: 'memory: the client is closed' };
    for (const batch of [false, true]) {
      const transport = new MemoryTransport();
      const client = connect(transport, { batch, retry: QUICK });
      const asked = batch ? client.health() : undefined;
      await Promise.all([client.close(), asked && assert.rejects(asked, closed)]);
      await assert.rejects(client.health(), closed);
      await assert.rejects(client.waitForReceipt(new Uint8Array(32)), closed);
      assert.equal(transport.messages.length, 0);
    }
  });

  it('ends waits for receipts and retries when it is closed', async () => {
    const transport = new MemoryTransport((message) => {
      void client.close();
      return withoutReceipt(message);
    });
    const client = connect(transport);
    await assert.rejects(client.waitForReceipt(new Uint8Array(32)), { code: 'closed' });
    assert.equal(transport.messages.length, 1);

    let failures = 0;
    const failing = connect(
      new MemoryTransport(() => {
        failures++;
        throw new NeverSentError('not there');
      }),
      { retry: QUICK },
    );
    await assert.rejects(failing.call('health', {}, { onRetry: () => void failing.close() }), {
      code: 'closed',
    });
    assert.equal(failures, 1);
  });
});
