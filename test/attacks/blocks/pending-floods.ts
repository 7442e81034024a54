// A flood of transactions beside subscribers to pending transactions, some of whom read slowly and some not at all.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../outside/rpc.js';
import { nodeStatus, submitAll, Traffic } from '../../outside/traffic.js';
import { devWallet, type SentTransaction, transfer } from '../../outside/wallet.js';
import { SocketWire } from '../../support/http/socket-wire.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

const SENDERS = 7;
const FIRST_LANE = 20;
const PER_LANE = 100;
/** The nonces of a lane may arrive at most this far apart. */
const BATCH = 50;
/** Subscriptions of a connection that does not read: their events fill the buffers of the kernel in time. */
const UNREAD = 40;
const DEADLINE_MS = 120_000;
/** Without a message for this long, a connection has got everything. */
const QUIET_MS = 3_000;

interface Message {
  readonly error?: object;
  readonly params?: {
    readonly subscription: string;
    readonly result?: { readonly tx_hash: string };
    readonly dropped?: { readonly reason: string };
  };
}

/** A connection with subscriptions to pending transactions, and all that it has read. */
class Reader {
  readonly wire: SocketWire;
  /** Hashes by subscription. */
  readonly got = new Map<string, string[]>();
  readonly dropped = new Set<string>();

  constructor(wire: SocketWire) {
    this.wire = wire;
  }

  async subscribe(count: number): Promise<void> {
    for (let id = 0; id < count; id++) {
      this.wire.send({ jsonrpc: '2.0', id, method: 'subscribe', params: { topic: 'pending_txs' } });
    }
    for (let id = 0; id < count; id++) {
      const answer = (await this.wire.json(DEADLINE_MS)) as { readonly result?: { subscription: string } };
      assert.ok(answer.result !== undefined, JSON.stringify(answer));
      this.got.set(answer.result.subscription, []);
    }
  }

  /** Reads until the flood is over and nothing has come for a while, or the connection has ended. */
  async readAll(isOver: () => boolean): Promise<void> {
    for (;;) {
      let message: Message;
      try {
        message = (await this.wire.json(QUIET_MS)) as Message;
      } catch {
        if (this.wire.isClosed || isOver()) return;
        continue;
      }
      const { params } = message;
      assert.ok(params !== undefined, JSON.stringify(message));
      assert.ok(!this.dropped.has(params.subscription), 'nothing follows the end of a subscription');
      if (params.result !== undefined) this.got.get(params.subscription)?.push(params.result.tx_hash);
      if (params.dropped !== undefined) {
        assert.ok(params.dropped.reason !== '');
        this.dropped.add(params.subscription);
      }
    }
  }
}

/** @param lanes number of lanes of each sender */
export function pendingFloods(attacked: AttackedNode, lanes: number): void {
  const wires: SocketWire[] = [];
  after(() => {
    for (const wire of wires) wire.close();
  });

  async function open(localAddress: string, subscriptions: number): Promise<Reader> {
    const wire = await SocketWire.open(Number(new URL(attacked.node.url).port), { localAddress });
    assert.equal(wire.status, 101);
    wires.push(wire);
    const reader = new Reader(wire);
    await reader.subscribe(subscriptions);
    return reader;
  }

  async function flood(): Promise<SentTransaction[]> {
    const { chain_id: chainId } = await nodeStatus(attacked.rpc);
    const traffic = new Traffic(chainId, 1);
    const accepted: SentTransaction[] = [];
    const action = transfer(new Uint8Array(20).fill(0x5a), 1n);
    await Promise.all(
      Array.from({ length: SENDERS }, async (_, sender) => {
        const rpc = new RpcClient(attacked.node.url);
        const wallet = devWallet(sender);
        for (let lane = 0; lane < lanes; lane++) {
          const options = { lane: FIRST_LANE + lane, gasLimit: 100_000n, maxFee: 1_000n, action };
          for (let at = 0; at < PER_LANE; at += BATCH) {
            const batch = Array.from({ length: BATCH }, () => traffic.next(wallet, options));
            accepted.push(...(await submitAll(rpc, batch)).accepted);
          }
        }
        rpc.close();
      }),
    );
    return accepted;
  }

  test('reaches subscribers in order and without gaps, or ends their subscriptions with a reason', async () => {
    const honest = await open('127.0.4.1', 1);
    const slow = await open('127.0.4.2', 1);
    const idle = await open('127.0.4.3', UNREAD);
    idle.wire.socket.pause();
    let isOver = false;
    const reading = honest.readAll(() => isOver);
    const dawdling = (async () => {
      while (!isOver) {
        slow.wire.socket.pause();
        await sleep(200);
        slow.wire.socket.resume();
        await sleep(5);
      }
    })();
    const { tip } = await nodeStatus(attacked.rpc);
    const accepted = await flood();
    assert.ok(accepted.length > 0.9 * SENDERS * lanes * PER_LANE, `${accepted.length} were accepted`);
    const { tip: later } = await nodeStatus(attacked.rpc);
    assert.ok(later.height >= tip.height + 3n, 'blocks are sealed during the flood');
    isOver = true;
    await dawdling;
    await Promise.all([reading, slow.readAll(() => true)]);
    idle.wire.socket.resume();
    await idle.readAll(() => true);

    const hashes = new Set(accepted.map(({ hash }) => hash));
    const orders = [honest, slow, idle].flatMap(({ got }) => [...got.values()]);
    const [longest = []] = orders.toSorted((a, b) => b.length - a.length);
    assert.equal(new Set(longest).size, longest.length, 'each once');
    for (const hash of longest) assert.ok(hashes.has(hash), 'only transactions that entered the pool');
    for (const order of orders) assert.deepEqual(order, longest.slice(0, order.length), 'without gaps');
    for (const { wire, got, dropped } of [honest, slow, idle]) {
      for (const [id, order] of got) {
        if (!dropped.has(id) && !wire.isClosed) assert.equal(order.length, accepted.length);
      }
    }
    assert.ok(!honest.wire.isClosed, 'the honest subscriber keeps its connection');
    assert.ok(idle.dropped.size > 0 || idle.wire.isClosed, 'clients that do not read are told or cut off');
    await attacked.assertSound({ peakMiB: 900, withinMs: DEADLINE_MS });
  });
}
