// Hundreds of different log filters and far replays, from many addresses, beside an honest subscriber.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RpcAnswer } from '../../support/http/socket-wire.js';
import { SocketWire } from '../../support/http/socket-wire.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { metricOf } from '../../support/operations/metric-of.js';

const ATTACKERS = 8;
const CONNECTIONS_EACH = 3;
/** The node's --max-log-lookups. */
export const LOOKUPS = 400;
/** The node's --max-replays: enough that eight greedy clients leave places free for a ninth. */
export const REPLAYS = 60;
/** The replays begin this far below the tip, beyond the distance that needs no place. */
const HEIGHTS = 1_100;
const HONEST_BLOCKS = 40;
const DEADLINE_MS = 240_000;

interface Block {
  readonly params?: { readonly result?: { readonly height: number }; readonly dropped?: object };
}

const contract = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

export function costlySubscriptions(attacked: AttackedNode): void {
  const wires: SocketWire[] = [];
  before(() => attacked.mineTo(HEIGHTS));
  after(() => {
    for (const wire of wires) wire.close();
  });

  async function open(localAddress: string): Promise<SocketWire> {
    const { port } = new URL(attacked.node.url);
    const wire = await SocketWire.open(Number(port), { localAddress });
    assert.equal(wire.status, 101);
    wires.push(wire);
    return wire;
  }

  /** Sends calls of `subscribe` and returns the answers, among which events may come. */
  async function subscribe(wire: SocketWire, requests: readonly object[]): Promise<RpcAnswer[]> {
    for (const [id, params] of requests.entries()) {
      wire.send({ jsonrpc: '2.0', id, method: 'subscribe', params });
    }
    const answers: RpcAnswer[] = [];
    while (answers.length < requests.length) {
      const message = (await wire.json(DEADLINE_MS)) as RpcAnswer;
      if (message.id !== undefined) answers.push(message);
    }
    return answers;
  }

  test('stay within the limits, and honest subscribers get every block', async () => {
    const kinds = new Map<string, number>();
    for (let attacker = 0; attacker < ATTACKERS; attacker++) {
      for (let connection = 0; connection < CONNECTIONS_EACH; connection++) {
        const wire = await open(`127.0.2.${1 + attacker}`);
        const first = 1_000_000 * attacker + 1_000 * connection;
        const filters = Array.from({ length: 60 }, (_, i) => ({
          topic: 'logs',
          filter: { contract: contract(first + i) },
          ...(i % 10 === 0 ? { from_height: 0 } : {}),
        }));
        for (const { error } of await subscribe(wire, filters)) {
          const kind = error?.data.kind ?? 'ok';
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
        void wire.end(DEADLINE_MS).catch(() => undefined);
      }
    }
    assert.ok((kinds.get('overloaded') ?? 0) > 0, JSON.stringify([...kinds]));
    assert.ok((kinds.get('ok') ?? 0) <= LOOKUPS, JSON.stringify([...kinds]));
    assert.ok((await metricOf(attacked.rpc, 'heddle_websocket_log_lookups')) <= LOOKUPS);
    assert.ok((await metricOf(attacked.rpc, 'heddle_websocket_replays')) <= REPLAYS);

    const honest = await open('127.0.3.1');
    const answers = await subscribe(honest, [{ topic: 'new_blocks', from_height: 1 }]);
    assert.equal(answers[0]?.error, undefined, JSON.stringify(answers[0]?.error));
    const other = await open('127.0.3.2');
    const [filtered] = await subscribe(other, [{ topic: 'logs', filter: { contract: contract(7) } }]);
    assert.equal(filtered?.error, undefined, JSON.stringify(filtered?.error));
    let next: number | undefined;
    for (let blocks = 0; blocks < HONEST_BLOCKS; ) {
      const { params } = (await honest.json(DEADLINE_MS)) as Block;
      if (params === undefined) continue;
      assert.equal(params.dropped, undefined);
      const height = params.result?.height ?? 0;
      if (next !== undefined) assert.equal(height, next);
      next = height + 1;
      blocks++;
    }
    await attacked.assertSound({ withinMs: DEADLINE_MS });
  });

  test('cost nothing once they hang up', async () => {
    for (const wire of wires.splice(0)) wire.close();
    const deadline = Date.now() + DEADLINE_MS;
    for (const left of ['heddle_websocket_log_lookups', 'heddle_websocket_replays']) {
      while ((await metricOf(attacked.rpc, left)) > 0) {
        assert.ok(Date.now() < deadline, `${left} is ${await metricOf(attacked.rpc, left)}`);
        await attacked.sealed(1);
      }
    }
  });
}
