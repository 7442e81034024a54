// A caller that waits for a block takes no other call's place, and its wait ends with its connection.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../outside/rpc.js';
import { devWallet, signTransaction, transfer } from '../../outside/wallet.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';
import { metricOf } from '../../support/operations/metric-of.js';

/** Batches that each client sends; a quarter of them may wait. */
const BATCHES = 6;
/** The first lane of the transactions. No other attack uses it: a transaction with nonce 0 there would fill the gap. */
const FIRST_LANE = 100;

/**
 * @param perClient the node's --max-waiters-per-client
 * @param afterRestart absent: the attack is not repeated
 */
export function waitingSubmitters(
  attacked: AttackedNode,
  perClient: number,
  afterRestart?: AfterRestart,
): void {
  const aBatch = (2 * perClient) / 3;
  let lane = 0;

  /** Bodies of batches whose transactions are all behind a nonce gap: they wait until the timeout. */
  function batches(chainId: bigint): string[] {
    const wallet = devWallet(lane % 8);
    const bodies: string[] = [];
    let calls: object[] = [];
    for (let sent = 0; sent < BATCHES * aBatch; sent++) {
      if (sent % 50 === 0) lane++;
      const { encoded } = signTransaction(devWallet((lane + (wallet.address[0] ?? 0)) % 8), {
        chainId,
        lane: FIRST_LANE + Math.floor(lane / 8),
        nonce: BigInt(1 + (sent % 50)),
        action: transfer(devWallet(9).address, 1n),
      });
      const params = { encoded, wait: { type: 'included' }, timeout_ms: 60_000 };
      calls.push({ jsonrpc: '2.0', id: sent, method: 'tx_submit', params });
      if (calls.length < aBatch) continue;
      bodies.push(JSON.stringify(calls));
      calls = [];
    }
    return bodies;
  }

  /** Sends a body without waiting; destroy the returned request to end it. */
  function send(body: string): ReturnType<typeof request> {
    const outgoing = request(`${attacked.node.url}/v2/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    outgoing.on('error', () => undefined);
    outgoing.end(body);
    return outgoing;
  }

  async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!(await reached())) {
      assert.ok(Date.now() < deadline, what);
      await sleep(20);
    }
  }

  const waiters = () => metricOf(attacked.rpc, 'heddle_rpc_waiters');

  async function attack(): Promise<void> {
    const { chain_id: chainId } = (await attacked.rpc.call('status')) as { readonly chain_id: number };
    const bodies = batches(BigInt(chainId));
    // Signing takes long enough for idle connections to be closed, which is noticed in a separate event loop tick.
    await sleep(50);
    const open = bodies.map(send);
    await until('the senders wait', async () => (await waiters()) >= perClient);
    await until(
      'all but the waiting are answered',
      async () => (await metricOf(attacked.rpc, 'heddle_rpc_calls_in_flight')) <= 1,
    );
    assert.equal(await waiters(), perClient);
    // Other callers are answered meanwhile, by workers too, and can wait for a block.
    const methods = ['list_blocks', 'list_txs', 'get_logs', 'txpool_stats', 'list_pending_txs'];
    for (const method of methods) await attacked.rpc.call(method);
    await attacked.assertSound({ peakMiB: 700 });
    for (const outgoing of open) outgoing.destroy();
    await until('nobody waits once the connections are gone', async () => (await waiters()) === 0);
    const other = new RpcClient(attacked.node.url);
    await other.call('list_blocks');
    other.close();
    assert.equal(await metricOf(attacked.rpc, 'heddle_rpc_calls_in_flight'), 0);
    assert.equal(await metricOf(attacked.rpc, 'heddle_rpc_buffered_bytes'), 0);
  }

  test('do not keep other calls from being answered', attack);
  afterRestart?.(() => {
    test('do not keep other calls from being answered', attack);
  });
}
