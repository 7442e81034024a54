// Spans of requests, calls, workers and blocks reach an OTLP receiver, and a receiver that fails disturbs nothing.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { RpcClient } from '../outside/rpc.js';
import { devWallet, signTransaction, transfer } from '../outside/wallet.js';
import { eventually } from '../support/eventually.js';
import { SocketWire } from '../support/http/socket-wire.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/operations/otlp-receiver.js';
import { perTier } from '../support/sweep.js';

const IS_LONG = perTier(false, true);

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const STATUS = '{"jsonrpc":"2.0","id":1,"method":"status","params":{}}';

describe('a node with --otlp-endpoint', async () => {
  const receiver = await OtlpReceiver.start();
  const node = await NodeProcess.start({ flags: ['--otlp-endpoint', receiver.url] });
  after(async () => {
    await node.dispose();
    receiver.stop();
  });
  const rpc = new RpcClient(node.url);
  const received = async (isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> => {
    await eventually('a span arrives', async () => receiver.spans.some(isWanted));
    return receiver.spans.find(isWanted) ?? assert.fail('no span');
  };

  test('continues the trace of its caller, from the request to the call', async () => {
    await rpc.post(STATUS, { traceparent: `00-${TRACE}-${SPAN}-01` });
    const request = await received(({ parentSpanId }) => parentSpanId === SPAN);
    assert.equal(request.traceId, TRACE);
    assert.equal(request.name, 'POST /v2/rpc');
    assert.equal(request.attributes['http.response.status_code'], 200);
    assert.match(String(request.attributes['heddle.request_id']), /^[0-9a-f]{16}$/);
    assert.equal(request.resource['service.name'], 'heddle');
    assert.match(String(request.resource['thread.name']), /^front-\d+$/);
    const call = await received(({ parentSpanId }) => parentSpanId === request.spanId);
    assert.equal(call.traceId, TRACE);
    assert.equal(call.name, 'NodeRpcV1.status');
    assert.ok(BigInt(call.startTimeUnixNano) <= BigInt(call.endTimeUnixNano));
  });

  test('traces each message of a WebSocket, with its request id', async () => {
    const wire = await SocketWire.open(Number(new URL(node.url).port));
    wire.send({ jsonrpc: '2.0', id: 1, method: 'health' });
    assert.equal(((await wire.json()) as { readonly id: unknown }).id, 1);
    wire.send([{ jsonrpc: '2.0', id: 2, method: 'unsubscribe', params: { subscription: 'x' } }]);
    await wire.json();
    wire.close();
    const health = await received(({ name }) => name === 'NodeRpcV1.health');
    const refused = await received(({ name }) => name === 'NodeRpcV1.unsubscribe');
    assert.equal(refused.attributes['error.type'], 'not_found');
    assert.notEqual(health.traceId, refused.traceId);
    for (const call of [health, refused]) {
      const message = await received(({ spanId }) => spanId === call.parentSpanId);
      assert.equal(message.name, 'message /v2/ws');
      assert.equal(message.attributes['network.protocol.name'], 'websocket');
      assert.match(String(message.attributes['heddle.request_id']), /^[0-9a-f]{16}$/);
    }
  });

  test('leaves out what its caller does not trace', async () => {
    await rpc.post(STATUS, { traceparent: `00-${'c'.repeat(32)}-${SPAN}-00` });
    await rpc.post(STATUS, { traceparent: `00-${'d'.repeat(32)}-${SPAN}-01` });
    await received(({ traceId }) => traceId === 'd'.repeat(32));
    assert.ok(receiver.spans.every(({ traceId }) => traceId !== 'c'.repeat(32)));
  });

  test('begins a trace for a caller without one, and marks errors by their kind', async () => {
    await rpc.post(STATUS.replace('"params":{}', '"params":{"x":1}'));
    const call = await received(({ attributes }) => attributes['error.type'] === 'invalid_params');
    assert.equal(call.status?.code, 2);
    assert.match(call.traceId, /^[0-9a-f]{32}$/);
  });

  test('shows the time in a worker', async () => {
    const { encoded } = signTransaction(devWallet(0), {
      chainId: 9545n,
      nonce: 0n,
      action: transfer(devWallet(1).address, 1n),
    });
    await rpc.call('tx_simulate_access', { encoded });
    const call = await received(({ name }) => name === 'NodeRpcV1.tx_simulate_access');
    const work = await received(
      ({ name, parentSpanId }) => name === 'worker' && parentSpanId === call.spanId,
    );
    assert.equal(work.traceId, call.traceId);
    assert.ok(Number(work.attributes['heddle.waited_ms']) >= 0);
  });

  test('shows blocks and their commits', async () => {
    const block = await received(({ name }) => name === 'block');
    assert.equal(block.resource['thread.name'], 'main');
    const commit = await received(
      ({ name, parentSpanId }) => name === 'commit' && parentSpanId === block.spanId,
    );
    assert.ok(BigInt(commit.startTimeUnixNano) >= BigInt(block.startTimeUnixNano));
  });

  test('names no path that it does not serve, and no method that does not exist', async () => {
    await rpc.http({ path: '/a-strange-path' });
    await rpc.post('{"jsonrpc":"2.0","id":1,"method":"a_strange_method"}');
    await received(({ attributes }) => attributes['http.response.status_code'] === 404);
    assert.ok(!receiver.text.includes('strange'));
  });

  test('exports the last spans when it stops', async () => {
    // A stopping node gives its receiver half a second, and the receiver's process may stand still for longer.
    for (const traceId of ['e', 'f', '9'].map((digit) => digit.repeat(32))) {
      const stopping = await NodeProcess.start({ flags: ['--otlp-endpoint', receiver.url] });
      const caller = new RpcClient(stopping.url);
      await caller.post(STATUS, { traceparent: `00-${traceId}-${SPAN}-01` });
      caller.close();
      await stopping.stop();
      await stopping.dispose();
      if (receiver.spans.some((span) => span.traceId === traceId)) return;
    }
    assert.fail('no node exported its last span');
  });
});

if (IS_LONG) {
  test('with --otlp-percent 1, no choice of trace ids makes the node record more', async () => {
    const receiver = await OtlpReceiver.start();
    const node = await NodeProcess.start({ flags: ['--otlp-endpoint', receiver.url, '--otlp-percent', '1'] });
    try {
      const rpc = new RpcClient(node.url);
      // A sampler by trace id always takes the smallest one.
      const smallest = `${'0'.repeat(31)}1`;
      for (let i = 0; i < 300; i++) await rpc.post(STATUS, { traceparent: `00-${smallest}-${SPAN}-01` });
      await node.stop();
      const recorded = receiver.spans.filter(({ name }) => name === 'POST /v2/rpc').length;
      // Three are expected; the probability of more than 20 is below 1e-10.
      assert.ok(recorded <= 20, `${recorded} of 300 requests were recorded`);
    } finally {
      await node.dispose();
      receiver.stop();
    }
  });

  describe('a receiver that never answers', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { readonly port: number };
    const sockets = new Set<{ destroy(): void }>();
    silent.on('connection', (socket) => sockets.add(socket));
    const node = await NodeProcess.start({ flags: ['--otlp-endpoint', `http://127.0.0.1:${port}`] });
    after(async () => {
      await node.dispose();
      for (const socket of sockets) socket.destroy();
      silent.close();
    });

    test('does not keep the node from answering or stopping', async () => {
      const rpc = new RpcClient(node.url);
      for (let i = 0; i < 50; i++) assert.equal((await rpc.post(STATUS)).status, 200);
      const { signal, code } = await node.stop();
      assert.notEqual(signal, 'SIGKILL');
      assert.ok(code === 0 || signal === 'SIGTERM', `${code} ${signal}`);
    });
  });
}

test('a receiver that is not there is reported in the log, and nothing else happens', async () => {
  const node = await NodeProcess.start({ flags: ['--otlp-endpoint', 'http://127.0.0.1:1'] });
  try {
    const rpc = new RpcClient(node.url);
    await eventually('the failure is logged', async () => {
      assert.equal((await rpc.post(STATUS)).status, 200);
      return node.log.includes('spans could not be exported');
    });
  } finally {
    await node.dispose();
  }
});
