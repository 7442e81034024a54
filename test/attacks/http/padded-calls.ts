// A client's long calls in flight never keep calls of other clients from being accepted.
import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../../outside/bytes.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { metricOf } from '../../support/operations/metric-of.js';

const KIB = 1_024;
const AT = `0x${'c0'.repeat(20)}`;
/** Runs until its gas is used up. */
const ENDLESS = assemble({
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'loop; br 0; end; i32.const 0' }],
});

/** @param budgetMiB the node's --max-buffered-bytes, of which each round of the attack sends three halves */
export function paddedCalls(attacked: AttackedNode, budgetMiB: number): void {
  const budget = budgetMiB * 1_024 * KIB;

  function flood(call: string, bytes: number): ClientRequest {
    const outgoing = request(`${attacked.node.url}/v2/rpc`, {
      method: 'POST',
      localAddress: '127.0.0.2',
      headers: { 'content-type': 'application/json' },
    });
    outgoing.on('error', () => undefined);
    outgoing.on('response', (answer) => answer.resume());
    outgoing.end(call.padEnd(bytes));
    return outgoing;
  }

  test('leave room for calls of other clients', async () => {
    // The node learns from a method's first call whether the method waits.
    await attacked.rpc.call('list_blocks');
    const overrides = [{ address: AT, code: `0x${hex(ENDLESS)}` }];
    const params = { contract: AT, input: '0x', overrides };
    await attacked.rpc.call('view_call', { ...params, gas_limit: 1_000_000 });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'view_call', params });
    const open: ClientRequest[] = [];
    let taken = 0;
    for (let round = 0; taken <= budget / 8; round++) {
      assert.ok(round < 10, `no more than ${taken} bytes are waiting`);
      for (let bytes = 1_024 * KIB; bytes >= 16 * KIB; bytes /= 2) {
        for (let i = 0; i < (3 * budgetMiB) / 4; i++) open.push(flood(call, bytes));
        await sleep(100);
      }
      taken = await metricOf(attacked.rpc, 'heddle_rpc_buffered_bytes');
    }
    const { status, body } = await attacked.rpc.post(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'list_blocks', params: {} }).padEnd(512 * KIB),
    );
    assert.equal(status, 200, body.toString().slice(0, 500));
    for (const outgoing of open) outgoing.destroy();
    await attacked.assertSound({ peakMiB: 512 });
  });
}
