// The delays and refusals of a subscription, against a node that the test plays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebSocketLike } from '../../src/client/event-socket.js';
import { RpcCallError } from '../../src/client/rpc-call-error.js';
import { ResumingSubscription } from '../../src/client/subscription.js';
import { eventually } from '../support/eventually.js';

const ACCEPTED = '{"jsonrpc":"2.0","id":1,"result":{"subscription":"7"}}';
const DROPPED =
  '{"jsonrpc":"2.0","method":"subscription","params":{"subscription":"7","dropped":{"from_height":5,"reason":"x"}}}';

function refusal(id: string, kind: string, retryable: boolean): string {
  const data = JSON.stringify({ kind, retryable });
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"no","data":${data}}}`;
}

type Listener = (event: { readonly data: unknown }) => void;

/** A node that sends these messages to each connection after its first call. */
function playedNode(messages: readonly string[]) {
  const openedMs: number[] = [];
  class PlayedSocket implements WebSocketLike {
    readonly #listeners = new Map<string, Listener>();

    constructor() {
      openedMs.push(performance.now());
      setImmediate(() => this.#listeners.get('open')?.({ data: undefined }));
    }

    send(): void {
      setImmediate(() => {
        for (const data of messages) this.#listeners.get('message')?.({ data });
      });
    }

    close(): void {
      // The test keeps no connection.
    }

    addEventListener(type: string, listener: Listener): void {
      this.#listeners.set(type, listener);
    }
  }
  const parts = { url: 'ws://node', token: undefined, tip: () => Promise.resolve(4n) };
  const options = { webSocket: PlayedSocket };
  return { openedMs, subscription: new ResumingSubscription(parts, 'new_blocks', options, () => undefined) };
}

test('a subscription that is accepted and then dropped is retried ever more slowly', async (t) => {
  t.mock.method(Math, 'random', () => 0.99);
  const { openedMs, subscription } = playedNode([ACCEPTED, DROPPED]);
  await eventually('five connections', async () => openedMs.length >= 5);
  subscription.close();
  await subscription.ended;
  const [first = 0, , , , fifth = 0] = openedMs;
  // 200 + 400 + 800 + 1,600 ms, nearly.
  assert.ok(fifth - first > 2_500, `${fifth - first} ms`);
});

test('a node that is a few blocks behind is asked again', async () => {
  const { openedMs, subscription } = playedNode([refusal('1', 'not_found', true)]);
  subscription.started.catch(() => undefined);
  await eventually('another connection', async () => openedMs.length >= 2);
  subscription.close();
});

test('a refusal with id null is that of the subscription', async () => {
  const { subscription } = playedNode([refusal('null', 'unauthorized', false)]);
  subscription.started.catch(() => undefined);
  await assert.rejects(
    subscription.ended,
    (error) => error instanceof RpcCallError && error.kind === 'unauthorized',
  );
});
