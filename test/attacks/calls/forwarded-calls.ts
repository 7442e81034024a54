// Batches of calls that only the main thread can answer: long responses, copies, and clients that disconnect.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../../outside/bytes.js';
import { nodeStatus, submitEvery } from '../../outside/traffic.js';
import { devWallet, signTransaction, transfer } from '../../outside/wallet.js';
import { LoopbackConnection } from '../../support/floods/loopback-connection.js';
import { type AttackedNode, withTimeout } from '../../support/nodes/attacked-node.js';
import { metricOf } from '../../support/operations/metric-of.js';

const LANES = 16;
const NONCES = 25;
const SENDER = devWallet(8);
const ADDRESS = `0x${hex(SENDER.address)}`;
const ATTACKER = '127.0.0.2';
const CONNECTIONS = 20;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly data: { readonly kind: string; readonly subject?: string } };
}

function batch(count: number, method: string, params: unknown): string {
  const calls = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params }));
  return JSON.stringify(calls);
}

/** @param limit the node's --max-batch-answer-bytes */
export function forwardedCalls(attacked: AttackedNode, limit: number): void {
  before(async () => {
    const { chain_id: chainId } = await nodeStatus(attacked.rpc);
    const pending = Array.from({ length: LANES * NONCES }, (_, sent) =>
      signTransaction(SENDER, {
        chainId,
        lane: sent % LANES,
        nonce: BigInt(1 + Math.floor(sent / LANES)),
        action: transfer(devWallet(9).address, 1n),
      }),
    );
    for (let at = 0; at < pending.length; at += 100)
      await submitEvery(attacked.rpc, pending.slice(at, at + 100));
  });

  test('a batch is answered up to its response limit and builds nothing beyond it', async () => {
    const connection = new LoopbackConnection(attacked.node.url, ATTACKER);
    const { body } = await connection.post(batch(200, 'list_pending_txs', { limit: 400 }));
    connection.close();
    const answers = JSON.parse(body.toString()) as readonly Answer[];
    const good = answers.filter(({ result }) => result !== undefined);
    assert.ok(good.length > 0 && good.length < 40, `${good.length} of 200 were answered`);
    assert.ok(body.length < 2 * limit, `${body.length} bytes`);
    for (const { error } of answers.filter(({ result }) => result === undefined)) {
      assert.deepEqual([error?.data.kind, error?.data.subject], ['limit_exceeded', 'batch_answer_bytes']);
    }
    assert.deepEqual(
      answers.map(({ id }) => id),
      answers.map((_, id) => id),
    );
  });

  test('no calls stay in flight after their clients disconnect', async () => {
    const body = batch(200, 'list_pending_txs', { limit: 400 });
    let hungUp = 0;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const connection = new LoopbackConnection(attacked.node.url, ATTACKER);
        const answer = connection.post(body, { signal: AbortSignal.timeout(30) });
        // Some are refused at once because too many calls wait, and a quick answer exceeds the limit of a batch.
        await answer.then(
          ({ body: refusal }) => assert.match(refusal.toString(), /"kind":"(overloaded|limit_exceeded)"/),
          () => hungUp++,
        );
        connection.close();
      }),
    );
    assert.ok(hungUp > 0);
    // Bodies with calls not yet started are dropped by the next sweep, 0.1 s later.
    for (const metric of ['heddle_rpc_calls_in_flight', 'heddle_rpc_buffered_bytes'] as const) {
      await withTimeout(
        15_000,
        `${metric} is 0`,
        (async () => {
          while ((await metricOf(attacked.rpc, metric)) > 0) await sleep(20);
        })(),
      );
    }
  });

  test('copies of an account with many lanes are answered and leave time for others', async () => {
    const alone = await attacked.rpc.call('account', { address: ADDRESS });
    const addresses = [...Array<string>(600).fill(ADDRESS), `0x${'77'.repeat(20)}`];
    const { height, accounts } = (await attacked.rpc.call('accounts', { addresses })) as {
      readonly height: number;
      readonly accounts: readonly { readonly exists: boolean; readonly lanes: readonly unknown[] }[];
    };
    assert.ok(height > 0);
    assert.equal(accounts.length, 601);
    for (const account of accounts.slice(0, 600)) assert.deepEqual(account, alone);
    assert.equal(accounts[0]?.lanes.length, LANES);
    assert.equal(accounts[600]?.exists, false);
    const body = batch(80, 'accounts', { addresses });
    const connections = Array.from({ length: 4 }, () => new LoopbackConnection(attacked.node.url, ATTACKER));
    const flood = connections.map((connection) => connection.post(body));
    await attacked.sealed(2);
    await attacked.assertSound({ peakMiB: 900 });
    await Promise.all(flood);
    for (const connection of connections) connection.close();
  });
}
