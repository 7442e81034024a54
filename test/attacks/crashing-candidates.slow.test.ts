// Calls that crash the process: each is evicted after three crashes, and all other pending transactions are included.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RpcFailure } from '../outside/rpc.js';
import { TxByHashResult } from '../outside/rpc-shapes.js';
import { nodeStatus, submitAll } from '../outside/traffic.js';
import { devWallet, type SentTransaction, signTransaction, transfer } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { perTier } from '../support/sweep.js';

const FAULTY = pathToFileURL(fileURLToPath(new URL('../support/nodes/faulty-host.js', import.meta.url))).href;
/** Without the bundle, the node ends three times instead of six; the slow tier restarts it once more at the end. */
const WITH_BUNDLE = perTier(false, true);
const PLACE = new Uint8Array(20).fill(0x78);

describe('a node crashed by calls', () => {
  let attacked: AttackedNode;
  let chainId: bigint;

  before(async () => {
    attacked = await AttackedNode.start(['--block-time', '300'], { NODE_OPTIONS: `--import=${FAULTY}` });
    ({ chain_id: chainId } = await nodeStatus(attacked.rpc));
  });
  after(() => attacked.dispose());

  function call(from: number, lane: number, nonce: bigint, text: string, priorityFee = 1n): SentTransaction {
    return signTransaction(devWallet(from), {
      chainId,
      lane,
      nonce,
      gasLimit: 60_000n,
      priorityFee,
      action: { type: 'call', value: { contract: PLACE, input: Buffer.from(text), value: 0n } },
    });
  }

  async function statusOf({ hash }: SentTransaction) {
    const found = await attacked.rpc.call('tx_by_hash', { tx_hash: hash });
    return TxByHashResult.fromJson(found, 'tx_by_hash').status;
  }

  /** The reason for rejecting a submission, or undefined if accepted. */
  async function refusal(method: string, params: unknown): Promise<string | undefined> {
    try {
      await attacked.rpc.call(method, params);
      return undefined;
    } catch (error) {
      if (error instanceof RpcFailure) return error.message;
      throw error;
    }
  }

  /** Repeats an action until it returns true, restarting the node whenever it ends. */
  async function persist(step: () => Promise<boolean>, mostStarts: number): Promise<number> {
    const deadline = Date.now() + 120_000;
    for (let starts = 0; ; ) {
      assert.ok(Date.now() < deadline, `not done after ${starts} starts`);
      try {
        if (await step()) return starts;
        await sleep(100);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        assert.ok(++starts <= mostStarts, `the node ended ${starts} times`);
        await attacked.restart('kill').catch(() => undefined);
      }
    }
  }

  test('evicts what crashes the node after three crashes each and includes all others', async () => {
    const others = [1, 2, 3].flatMap((from) => [
      call(from, 0, 0n, 'harmless'),
      call(from, 0, 1n, 'harmless'),
    ]);
    const plain = signTransaction(devWallet(4), { chainId, nonce: 0n, action: transfer(PLACE, 1n) });
    const paying = signTransaction(devWallet(5), { chainId, nonce: 0n, action: transfer(PLACE, 1n) });
    const crashing = call(7, 0, 0n, 'fault:crash', 1_000n);
    const transactions = [paying, call(6, 0, 0n, 'fault:crash')].map(({ encoded }) => encoded);
    const { accepted } = await submitAll(attacked.rpc, [...others, plain]);
    assert.equal(accepted.length, others.length + 1);
    // The node may end before acknowledging a submission, so both are sent until finally refused.
    const starts = await persist(async () => {
      const alone = await refusal('tx_submit', { encoded: crashing.encoded });
      const bundled = WITH_BUNDLE ? await refusal('tx_submit_bundle', { transactions }) : alone;
      return [alone, bundled].every((why) => why?.includes('ended three times') === true);
    }, 12);
    assert.ok(starts >= 3, `${starts} starts`);
    await persist(async () => {
      const statuses = await Promise.all([...others, plain].map(statusOf));
      return statuses.every(({ type }) => type !== 'pending');
    }, 0);
    for (const sent of [...others, plain]) assert.equal((await statusOf(sent)).type, 'included', sent.hash);
    assert.match(
      String((await statusOf(crashing)).value),
      /^execution_fault: .*ended three times .* sent again after/,
    );
    assert.ok(existsSync(join(attacked.dataDir, 'execution.faults')));
    await attacked.assertSound();
    if (WITH_BUNDLE) await attacked.restart();
    await attacked.assertSound();
    await assert.rejects(attacked.rpc.call('tx_submit', { encoded: crashing.encoded }), /ended three times/);
  });
});
