// Transactions that never pay cannot grow the pool journal without bound.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { RpcFailure } from '../outside/rpc.js';
import { devWallet, type SentTransaction, type Wallet } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { perTier } from '../support/sweep.js';
import { PoolProbe, signerWith } from '../support/worlds/pool-probe.js';

const MIB = 1_048_576;
const INPUT_BYTES = 500_000;
/** A client's allowance of unpaid bytes. */
const UNPAID = 32 * MIB;

/** Sends 34 MB, faster than the allowance refills. */
const IS_LONG = perTier(false, true);

const signed = signerWith(1_000n);
let attacked: AttackedNode;
const probe = new PoolProbe(() => attacked);

// No block is sealed during these attacks, so none triggers a rewrite of the journal.
before(async () => {
  attacked = await AttackedNode.start(['--idle-block-time', '600000']);
});
after(() => attacked.dispose());

/** A call with a large input behind a nonce gap that never closes. */
function longCall(wallet: Wallet, nonce: number, fields: { maxFee?: bigint; priorityFee?: bigint } = {}) {
  const input = new Uint8Array(INPUT_BYTES).fill(7);
  const value = { contract: new Uint8Array(20).fill(0x55), input, value: 0n };
  return signed(wallet, nonce, { gasLimit: 9_000_000n, action: { type: 'call', value }, ...fields });
}

function journalBytes(): number {
  return statSync(join(attacked.dataDir, 'mempool.journal')).size;
}

async function submitBundle(members: readonly SentTransaction[], maxHeight: number): Promise<void> {
  const transactions = members.map(({ encoded }) => encoded);
  await attacked.rpc.call('tx_submit_bundle', { transactions, max_height: String(maxHeight) });
}

test('a repeatedly extended bundle is journaled once and keeps its last height across a crash', async () => {
  const wallet = devWallet(1);
  const members = [1, 2, 3].map((nonce) => longCall(wallet, nonce));
  await submitBundle(members, 100);
  const once = journalBytes();
  assert.ok(once > 3 * INPUT_BYTES && once < 3 * INPUT_BYTES + 2_000, `${once} bytes`);
  for (const step of [1, 9]) {
    await assert.rejects(submitBundle(members, 100 + step), (error: unknown) => {
      assert.ok(error instanceof RpcFailure);
      assert.equal(error.data['reason'], 'already_known');
      assert.match(error.message, /max_height of at least 110/);
      return true;
    });
  }
  assert.equal(journalBytes(), once, 'what is refused is not journaled');
  for (let step = 1; step <= 6; step++) await submitBundle(members, 100 + 10 * step);
  assert.equal(journalBytes(), once + 6 * 53);
  await attacked.restart('kill');
  assert.equal((await probe.stats()).bundles, 1);
  await assert.rejects(submitBundle(members, 160), /in the pool already/);
  await assert.rejects(submitBundle(members, 165), /at least 170/);
});

if (IS_LONG) {
  test('replacing transactions behind a nonce gap uses up the allowance of the client, and the journal stays short', async () => {
    const wallet = devWallet(2);
    let [maxFee, most, sent] = [100n, 0, 0];
    // Signing takes time, in which the allowance refills.
    const replacements = Array.from({ length: (2 * UNPAID) / INPUT_BYTES }, () => {
      const next = longCall(wallet, 1, { maxFee, priorityFee: maxFee });
      maxFee += (maxFee + 9n) / 10n;
      return next;
    });
    let last: SentTransaction | undefined;
    for (;;) {
      const next = replacements[sent] ?? assert.fail('the client was not refused');
      try {
        await attacked.rpc.call('tx_submit', { encoded: next.encoded });
      } catch (error) {
        assert.ok(error instanceof RpcFailure);
        assert.equal(error.data['reason'], 'pool_full');
        assert.match(error.message, /left the pool lately without being included/);
        break;
      }
      last = next;
      sent++;
      most = Math.max(most, journalBytes());
    }
    assert.ok(sent * INPUT_BYTES > UNPAID, `refused after ${sent}`);
    assert.ok(most < 8 * MIB + 2 * INPUT_BYTES, `the journal had ${most} bytes`);
    assert.ok(last !== undefined);
    await attacked.restart('kill');
    assert.equal((await probe.statusOf(last)).type, 'pending', 'the last one that was acknowledged');
    assert.deepEqual([(await probe.stats()).size, (await probe.stats()).bundles], [4, 1]);
    await attacked.assertSound();
  });
}
