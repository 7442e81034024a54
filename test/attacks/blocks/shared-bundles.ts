// Thousands of bundles that share a transaction do not hold up blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drained, newWallets, submitEvery } from '../../outside/traffic.js';
import { devWallet, transfer } from '../../outside/wallet.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { PoolProbe, signerWith } from '../../support/worlds/pool-probe.js';

const BATCH = 100;

const signed = signerWith(1_000n);
/** @param bundles number of bundles, a multiple of a hundred */
export function sharedBundles(attacked: AttackedNode, bundles: number): void {
  const probe = new PoolProbe(() => attacked);

  test('blocks continue while bundles that share a transaction wait and when one block evicts them all', async () => {
    const victim = devWallet(1);
    const [payer] = newWallets(1, 'payer');
    assert.ok(payer !== undefined);
    await submitEvery(attacked.rpc, [
      signed(devWallet(0), 0, { action: transfer(payer.address, 10n ** 12n) }),
    ]);
    await drained(attacked.rpc);
    const shared = signed(victim, 1);
    const first = signed(victim, 0);
    // The other member waits behind a nonce gap, so no bundle is ready.
    const others = Array.from({ length: bundles }, (_, index) =>
      signed(payer, 1 + (index % 60), { gasLimit: BigInt(30_000 + index) }),
    );
    for (let at = 0; at < bundles; at += BATCH) {
      const calls = others.slice(at, at + BATCH).map((other) => ({
        method: 'tx_submit_bundle',
        params: { transactions: [shared.encoded, other.encoded] },
      }));
      await attacked.rpc.batchResults(calls);
    }
    assert.equal((await probe.stats()).bundles, bundles);
    await attacked.sealed(5, 5_000);
    await submitEvery(attacked.rpc, [first, shared]);
    await probe.becomes(shared, 'included', 5_000);
    assert.equal((await probe.stats()).bundles, 0);
    const [example] = others;
    assert.ok(example !== undefined);
    assert.match(
      String((await probe.statusOf(example)).value),
      /^nonce_too_low: transaction 0 of the bundle: nonce 1 of lane 0 is used already/,
    );
    await attacked.assertSound();
  });
}
