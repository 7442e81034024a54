// Calls of any length and order, answered, timed out or abandoned, terminate no worker except their own.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../../outside/bytes.js';
import { RpcFailure } from '../../outside/rpc.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import type { AfterRestart } from '../../support/nodes/attacks-on.js';
import { metricOf } from '../../support/operations/metric-of.js';

const AT = `0x${'c0'.repeat(20)}`;
/** A contract that returns nothing. */
const QUIET = assemble({ memory: [1, 1], functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0' }] });
/** Runs until it is stopped. */
const ENDLESS = assemble({
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'i32.const 1; if; loop; br 0; end; end; i32.const 0' }],
});
/** Input lengths in bytes: zero, around a worker lane's capacity, and the maximum that fits a body. */
const LENGTHS = [0, 400_000, 0, 0, 327_000, 327_680, 0, 1, 2_000_000, 0];

/** @param afterRestart absent: the attack is not repeated */
export function callLengths(attacked: AttackedNode, afterRestart?: AfterRestart): void {
  function params(code: Uint8Array, inputBytes: number): object {
    const overrides = [{ address: AT, code: `0x${hex(code)}` }];
    return { contract: AT, input: `0x${'00'.repeat(inputBytes)}`, overrides };
  }

  async function status(code: Uint8Array, inputBytes: number): Promise<string> {
    try {
      const { status } = (await attacked.rpc.call('view_call', params(code, inputBytes))) as {
        readonly status: { readonly type: string };
      };
      return status.type;
    } catch (error) {
      if (error instanceof RpcFailure) return String(error.data.kind);
      throw error;
    }
  }

  /** A request whose sender disconnects after some milliseconds. */
  function leave(code: Uint8Array, inputBytes: number, afterMs: number): Promise<void> {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'view_call',
      params: params(code, inputBytes),
    });
    return new Promise((resolve) => {
      const outgoing = request(`${attacked.node.url}/v2/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      outgoing.on('error', () => undefined);
      outgoing.end(body);
      setTimeout(() => {
        outgoing.destroy();
        resolve();
      }, afterMs);
    });
  }

  async function attack(): Promise<void> {
    for (const length of LENGTHS) assert.equal(await status(QUIET, length), 'success');
    assert.deepEqual(
      new Set(await Promise.all([...LENGTHS, ...LENGTHS].map((length) => status(QUIET, length)))),
      new Set(['success']),
    );
    // The node times out an endless call on either path to a worker, with other calls queued behind it.
    for (const length of [400_000, 0]) {
      const [late, ...others] = await Promise.all([
        status(ENDLESS, length),
        ...LENGTHS.map((each) => status(QUIET, each)),
      ]);
      assert.equal(late, 'timeout');
      for (const other of others) assert.ok(other === 'success' || other === 'overloaded', other);
    }
    // The senders disconnect before, during or after execution by a worker.
    await Promise.all([0, 5, 50, 200].flatMap((ms) => [leave(ENDLESS, 400_000, ms), leave(QUIET, 0, ms)]));
    // Senders of notifications do not wait for a response.
    const notification = { jsonrpc: '2.0', method: 'view_call', params: params(QUIET, 0) };
    assert.equal((await attacked.rpc.post(JSON.stringify(notification))).status, 204);
    assert.equal((await attacked.rpc.post(JSON.stringify([notification, notification]))).status, 204);
    for (let waited = 0; (await metricOf(attacked.rpc, 'heddle_rpc_calls_in_flight')) !== 0; waited++) {
      assert.ok(waited < 100, 'calls are still in flight, or fewer than none');
      await sleep(100);
    }
    assert.equal(await metricOf(attacked.rpc, 'heddle_rpc_buffered_bytes'), 0);
    assert.equal(await status(QUIET, 0), 'success');
    await attacked.assertSound({ peakMiB: 640 });
  }

  test('do no harm', attack);
  afterRestart?.(() => {
    test('do no harm', attack);
  });
}
