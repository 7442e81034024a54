// Watches of a node that answers garbage, repeats and skips events, or breaks off. The test plays the node.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Client, connect, RpcCallError } from '../../src/client/client.js';
import type { WebSocketConstructor, WebSocketLike } from '../../src/client/event-socket.js';
import type {
  BlockSummary,
  GetLogsArgs,
  GetLogsResult,
  Log,
  Status,
} from '../../src/generated/node-rpc-v1.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { eventually } from '../support/eventually.js';
import { FakeNode, FakeRpcError } from '../support/nodes/fake-node.js';

const HASH = new Uint8Array(32);
const CONTRACT = new Uint8Array(20).fill(7);

function status(height: bigint): Status {
  return {
    version: '1',
    chain_id: 1n,
    now_ms: 0n,
    uptime_ms: 0n,
    block_time_ms: 1,
    tip: { height, hash: HASH, state_root: HASH, timestamp_ms: 0n, epoch: 0n, view: 0n },
    finalized_height: height,
    latest_checkpoint: { height: 0n, state_root: HASH },
    txpool_size: 0,
    epoch: 0n,
    validator_set: { epoch: 0n, quorum: 0, group_public_key: new Uint8Array(48), validators: [] },
    syncing: false,
  };
}

function block(height: bigint): BlockSummary {
  return {
    height,
    hash: HASH,
    parent_hash: HASH,
    timestamp_ms: 0n,
    proposer: 0,
    epoch: 0n,
    view: 0n,
    tx_count: 0,
    gas_used: 0n,
    gas_limit: 1n,
    base_fee: 1n,
    state_root: HASH,
    finalized: true,
  };
}

function log(height: bigint, logIndex = 0, contract = CONTRACT): Log {
  return {
    contract,
    topics: [],
    data: new Uint8Array(0),
    height,
    block_hash: HASH,
    tx_hash: HASH,
    tx_index: 0,
    log_index: logIndex,
  };
}

describe('a watch of a node that lies', () => {
  let node: FakeNode;
  let client: Client;
  let tip = 0n;
  beforeEach(async () => {
    tip = 5n;
    node = await FakeNode.start({ status: () => status(tip) });
    client = connect(node.url, { retry: { retries: 0 } });
  });
  afterEach(async () => {
    await client.close();
    await node.stop();
  });

  const polling = { webSocket: false, pollMs: 1, fromHeight: 1n } as const;

  /** Plays `get_logs`, answer by answer; the last one is repeated. */
  function answerLogs(...answers: readonly ((args: GetLogsArgs) => GetLogsResult)[]): void {
    let calls = 0;
    node.handlers.get_logs = (args) =>
      (answers[Math.min(calls++, answers.length - 1)] ?? assert.fail())(args);
  }

  describe('a polling watch of logs', () => {
    test('skips repeated and older logs', async () => {
      const seen: string[] = [];
      answerLogs(
        () => ({ logs: [log(1n), log(1n), log(2n), log(1n)], next_cursor: 'a' }),
        () => ({ logs: [log(1n), log(2n), log(2n, 1), log(5n)] }),
        () => ({ logs: [] }),
      );
      const watch = client.watchLogs({ contract: CONTRACT }, polling, ({ height, log_index }) => {
        seen.push(`${height}/${log_index}`);
      });
      await eventually('four logs', async () => seen.length >= 4);
      tip = 6n;
      await eventually('the next range', async () =>
        node.requests.some(({ body }) => JSON.stringify(body).includes('"from_height":6')),
      );
      watch.close();
      await watch.ended;
      assert.deepEqual(seen, ['1/0', '2/0', '2/1', '5/0']);
    });

    const fatal: [what: string, answer: (args: GetLogsArgs) => GetLogsResult, message: RegExp][] = [
      ['another contract', () => ({ logs: [log(1n, 0, new Uint8Array(20))] }), /filter does not accept/],
      ['a height beyond the range', () => ({ logs: [log(9n)] }), /asked for logs of blocks 1 to 5/],
      ['a height before the range', () => ({ logs: [log(0n)] }), /asked for logs of blocks 1 to 5/],
      [
        'more logs than asked for',
        () => ({ logs: Array.from({ length: 3 }, (_, i) => log(1n, i)) }),
        /at most 2 logs, the node sent 3/,
      ],
      ['the same page forever', () => ({ logs: [], next_cursor: 'a' }), /the same page/],
    ];
    for (const [what, answer, message] of fatal) {
      test(`ends with bad_answer if the node sends ${what}`, async () => {
        answerLogs(answer);
        const watch = client.watchLogs({ contract: CONTRACT }, { ...polling, maxBuffered: 2 });
        await assert.rejects(watch.ended, { name: 'ClientError', code: 'bad_answer', message });
        await assert.rejects(async () => {
          for await (const _ of watch);
        }, message);
      });
    }

    test('ends with bad_answer if the node sends garbage', async () => {
      for (const body of ['<html>', '{}', '{"jsonrpc":"2.0","id":1,"result":{"logs":5}}', '[]']) {
        node.interfere = ({ body: asked }) =>
          JSON.stringify(asked).includes('get_logs')
            ? {
                kind: 'answer',
                status: 200,
                body: body.replace('"id":1', `"id":${(asked as { id: number }).id}`),
              }
            : undefined;
        const watch = client.watchLogs({}, polling);
        await assert.rejects(watch.ended, { name: 'ClientError', code: 'bad_answer' });
      }
    });

    test('goes on after temporary failures, and ends after others', async () => {
      const seen: bigint[] = [];
      const retries: unknown[] = [];
      let calls = 0;
      node.handlers.get_logs = () => {
        calls++;
        if (calls === 1) throw new FakeRpcError(-32000, 'overloaded', { retryable: true });
        if (calls === 3) throw new FakeRpcError(-32000, 'unauthorized');
        return { logs: [log(3n)] };
      };
      node.interfere = (_request, index) => (index === 3 ? { kind: 'reset' } : undefined);
      const onRetry = (error: unknown): void => {
        retries.push(error);
      };
      const watch = client.watchLogs({}, { ...polling, onRetry }, ({ height }) => {
        seen.push(height);
        tip = 6n;
      });
      await assert.rejects(
        watch.ended,
        (error) => error instanceof RpcCallError && error.kind === 'unauthorized',
      );
      assert.deepEqual(seen, [3n]);
      assert.equal(retries.length, 2);
    });

    test('asks for no more logs than fit, and not at all while none fit', async () => {
      const limits: (number | undefined)[] = [];
      node.handlers.get_logs = ({ limit, cursor }) => {
        limits.push(limit);
        const page = Number(cursor ?? '0');
        const logs = Array.from({ length: limit ?? 0 }, (_, i) => log(1n, page * 10 + i));
        return { logs, next_cursor: `${page + 1}` };
      };
      const watch = client.watchLogs({}, { ...polling, maxBuffered: 4 });
      await watch.started;
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(limits, [4]);
      let taken = 0;
      for await (const { log_index } of watch) {
        assert.equal(log_index, taken < 4 ? taken : log_index);
        if (++taken === 20) break;
      }
      assert.ok(
        limits.every((limit) => limit !== undefined && limit <= 4),
        `${limits}`,
      );
    });
  });

  describe('a polling watch of blocks', () => {
    test('never reports a gap, a repeat or a block beyond the range', async () => {
      const seen: bigint[] = [];
      const retries: unknown[] = [];
      const answers: (() => BlockSummary[])[] = [
        () => [block(1n), block(3n)],
        () => [],
        () => [block(2n), block(2n), block(1n), block(3n)],
        () => [block(4n), block(5n)],
      ];
      let calls = 0;
      node.handlers.get_block_summaries = () => ({ blocks: (answers[calls++] ?? (() => []))() });
      const onRetry = (error: unknown): void => {
        retries.push(error);
      };
      const watch = client.watchBlocks({ ...polling, onRetry }, ({ height }) => {
        seen.push(height);
      });
      await eventually('five blocks', async () => seen.length >= 5);
      watch.close();
      await watch.ended;
      assert.deepEqual(seen, [1n, 2n, 3n, 4n, 5n]);
      assert.equal(retries.length, 1);
      node.handlers.get_block_summaries = () => ({ blocks: [block(6n)] });
      await assert.rejects(client.watchBlocks({ ...polling, fromHeight: 5n }).ended, { code: 'bad_answer' });
    });
  });

  type Listener = (event: { readonly data: unknown }) => void;

  const ACCEPTED = '{"jsonrpc":"2.0","id":1,"result":{"subscription":"7"}}';

  function eventOf(json: string): string {
    return `{"jsonrpc":"2.0","method":"subscription","params":{"subscription":"7","result":${json}}}`;
  }

  /** WebSockets that get these messages after the first call and then close, one list per connection or by its call. */
  function playedSockets(
    connections: readonly (readonly string[])[] | ((call: string) => readonly string[]),
  ): {
    readonly webSocket: WebSocketConstructor;
    readonly asked: string[];
  } {
    const asked: string[] = [];
    class PlayedSocket implements WebSocketLike {
      readonly #listeners = new Map<string, Listener>();
      #isClosed = false;
      constructor() {
        setImmediate(() => this.#listeners.get('open')?.({ data: undefined }));
      }
      send(text: string): void {
        const index = asked.push(text) - 1;
        const messages = typeof connections === 'function' ? connections(text) : (connections[index] ?? []);
        setImmediate(() => {
          for (const data of messages) this.#listeners.get('message')?.({ data });
          this.#listeners.get('close')?.({ data: undefined });
        });
      }
      close(): void {
        if (this.#isClosed) return;
        this.#isClosed = true;
        setImmediate(() => this.#listeners.get('close')?.({ data: undefined }));
      }
      addEventListener(type: string, listener: Listener): void {
        this.#listeners.set(type, listener);
      }
    }
    return { webSocket: PlayedSocket, asked };
  }

  const blockEvent = (height: bigint): string => eventOf(rpcTypes.BlockSummary.toJson(block(height)));
  const logEvent = (each: Log): string => eventOf(rpcTypes.Log.toJson(each));

  describe('a watch over a WebSocket', () => {
    const garbage: [what: string, message: string][] = [
      ['no JSON', '<html>'],
      ['null', 'null'],
      ['a list', '[]'],
      ['a wrong subscription', '{"jsonrpc":"2.0","id":1,"result":null}'],
      ['a result without an id', '{"jsonrpc":"2.0","id":1,"result":{"subscription":7}}'],
    ];
    for (const [what, message] of garbage) {
      test(`ends with bad_answer if the node sends ${what}`, async () => {
        const { webSocket } = playedSockets([[message]]);
        const watch = client.watchBlocks({ webSocket, pollMs: 1 });
        await assert.rejects(watch.ended, { name: 'ClientError', code: 'bad_answer' });
      });
    }

    for (const [what, event] of [
      ['a number', '5'],
      ['an object of another type', '{"height":1}'],
      ['a negative height', rpcTypes.BlockSummary.toJson(block(6n)).replace('"height":6', '"height":-6')],
    ] as const) {
      test(`ends with bad_answer if an event is ${what}`, async () => {
        const { webSocket } = playedSockets([[ACCEPTED, eventOf(event)]]);
        const watch = client.watchBlocks({ webSocket, pollMs: 1 });
        await assert.rejects(watch.ended, { name: 'ClientError', code: 'bad_answer' });
      });
    }

    test('ends with bad_answer if a position or the height of a drop is not a height', async () => {
      const dropped =
        '{"jsonrpc":"2.0","method":"subscription","params":{"subscription":"7","dropped":{"from_height":"x"}}}';
      const { webSocket } = playedSockets([[ACCEPTED, dropped]]);
      await assert.rejects(client.watchBlocks({ webSocket, pollMs: 1 }).ended, { code: 'bad_answer' });
    });

    test('ignores events of other subscriptions, and repeats; a skipped block makes it ask again', async () => {
      const seen: bigint[] = [];
      const other = blockEvent(6n).replace('"subscription":"7"', '"subscription":"8"');
      const { webSocket, asked } = playedSockets([
        [other, ACCEPTED, blockEvent(6n), blockEvent(6n), blockEvent(8n)],
        [ACCEPTED, blockEvent(6n), blockEvent(7n), blockEvent(8n)],
      ]);
      const watch = client.watchBlocks({ webSocket, pollMs: 1 }, ({ height }) => {
        seen.push(height);
      });
      await eventually('three blocks', async () => seen.length >= 3);
      watch.close();
      await watch.ended;
      assert.deepEqual(seen, [6n, 7n, 8n]);
      assert.match(asked[0] ?? '', /"from_height":6\b/);
      assert.match(asked[1] ?? '', /"from_height":7\b/);
    });

    test('ends with bad_answer if a log does not match the filter', async () => {
      const { webSocket } = playedSockets([[ACCEPTED, logEvent(log(6n, 0, new Uint8Array(20)))]]);
      const watch = client.watchLogs({ contract: CONTRACT }, { webSocket, pollMs: 1 });
      await assert.rejects(watch.ended, { name: 'ClientError', code: 'bad_answer' });
    });

    test('polls after three WebSockets in a row failed', async (t) => {
      t.mock.method(Math, 'random', () => 0);
      const { webSocket, asked } = playedSockets([]);
      const seen: bigint[] = [];
      node.handlers.get_block_summaries = ({ from_height, to_height }) => {
        const blocks: BlockSummary[] = [];
        for (let height = from_height; height <= to_height; height += 1n) blocks.push(block(height));
        return { blocks };
      };
      const watch = client.watchBlocks({ webSocket, pollMs: 1 }, ({ height }) => {
        seen.push(height);
      });
      await eventually('three attempts', async () => asked.length >= 3);
      tip = 7n;
      await eventually('two blocks', async () => seen.length >= 2);
      watch.close();
      await watch.ended;
      assert.deepEqual(seen, [6n, 7n]);
      assert.equal(asked.length, 3);
    });

    test('a node that floods a full buffer is cut off, and asked by calls for the rest', async () => {
      const flood = Array.from({ length: 50 }, (_, i) => logEvent(log(6n, i)));
      const { webSocket, asked } = playedSockets([[ACCEPTED, ...flood]]);
      node.handlers.get_logs = ({ from_height, limit = 0 }) => {
        assert.equal(from_height, 6n);
        assert.ok(limit <= 5);
        return { logs: Array.from({ length: limit }, (_, i) => log(6n, i)), next_cursor: `${Math.random()}` };
      };
      const watch = client.watchLogs({}, { webSocket, pollMs: 1, maxBuffered: 5 });
      await eventually('a subscription', async () => asked.length > 0);
      tip = 6n;
      const seen: number[] = [];
      for await (const { log_index } of watch) {
        seen.push(log_index);
        if (seen.length === 5) break;
      }
      assert.deepEqual(seen, [0, 1, 2, 3, 4]);
      assert.equal(asked.length, 1);
    });

    test('falls back to calls if it is refused as too far behind', async () => {
      const refusal =
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"no","data":{"kind":"limit_exceeded","retryable":false}}}';
      const { webSocket, asked } = playedSockets((call) =>
        call.includes('"from_height":6') ? [refusal] : [ACCEPTED, blockEvent(8n)],
      );
      const seen: bigint[] = [];
      node.handlers.get_block_summaries = () => ({ blocks: [block(6n), block(7n)] });
      const watch = client.watchBlocks({ webSocket, pollMs: 1 }, ({ height }) => {
        seen.push(height);
      });
      await eventually('a refusal', async () => asked.length > 0);
      tip = 7n;
      await eventually('three blocks', async () => seen.length >= 3);
      watch.close();
      await watch.ended;
      assert.deepEqual(seen, [6n, 7n, 8n]);
    });

    test('ends with the reason after a permanent refusal', async () => {
      const refusal =
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no","data":{"kind":"unauthorized","retryable":false}}}';
      const { webSocket } = playedSockets([[refusal]]);
      const watch = client.watchBlocks({ webSocket, pollMs: 1 });
      await assert.rejects(
        watch.ended,
        (error) => error instanceof RpcCallError && error.kind === 'unauthorized',
      );
      await assert.rejects(async () => {
        for await (const _ of watch);
      }, RpcCallError);
    });
  });
});
