// A call that waits for a block retains neither its request body nor a slice that keeps the body alive.
import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { devWallet, signTransaction, transfer } from '../../outside/wallet.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { metricOf } from '../../support/operations/metric-of.js';

/** Maximum number of such calls that one client may have in flight. */
const SIDE_BY_SIDE = 1;
const PER_LANE = 50;
/** Close to the body limit. The text takes twice the space if it contains a character beyond Latin-1. */
const PADDING = Buffer.alloc(4 * 1024 * 1024 - 4_096, ' ');
const ID = `"${'\u20ac'.repeat(80)}"`;

/**
 * @param waiters number of senders
 * @param waitMs how long they wait at least
 */
export function waitingPadding(attacked: AttackedNode, waiters: number, waitMs: number): void {
  function send(calls: string): ClientRequest {
    const outgoing = request(`${attacked.node.url}/v2/rpc`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(calls) + PADDING.length,
      },
    });
    outgoing.on('error', () => undefined);
    outgoing.write(PADDING);
    outgoing.end(calls);
    return outgoing;
  }

  async function until(name: string, expected: number): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const value = await metricOf(attacked.rpc, name);
      if (value === expected) return;
      assert.ok(Date.now() < deadline, `${name}: ${value}, expected ${expected}`);
      await sleep(10);
    }
  }

  /** Waits until the client's share has room again after earlier bodies are released. */
  async function untilWaiting(expected: number): Promise<void> {
    await until('heddle_rpc_waiters', expected);
    await until('heddle_rpc_buffered_bytes', 0);
  }

  test('are not kept, but their connections are', async () => {
    const { chain_id: chainId } = (await attacked.rpc.call('status')) as { readonly chain_id: number };
    const open: ClientRequest[] = [];
    const begunAt = performance.now();
    for (let sent = 0; sent < waiters; sent++) {
      // The transactions wait behind a nonce gap until the timeout.
      const { encoded } = signTransaction(devWallet(0), {
        chainId: BigInt(chainId),
        lane: Math.floor(sent / PER_LANE),
        nonce: BigInt(1 + (sent % PER_LANE)),
        action: transfer(devWallet(9).address, 1n),
      });
      const params = JSON.stringify({ encoded, wait: { type: 'included' }, timeout_ms: 60_000 });
      const call = `{"jsonrpc":"2.0","id":${ID},"method":"tx_submit","params":${params}}`;
      open.push(send(sent % 2 === 0 ? call : `[${call}]`));
      if (open.length % SIDE_BY_SIDE === 0) await untilWaiting(open.length);
    }
    await attacked.assertSound({ peakMiB: 512 });
    await sleep(Math.max(0, begunAt + waitMs - performance.now()));
    await untilWaiting(waiters);
    for (const outgoing of open) outgoing.destroy();
    await untilWaiting(0);
  });
}
