// Acknowledged transactions survive a restart, and an eviction for lack of balance removes no others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drained, newWallets, submitAll, submitEvery } from '../outside/traffic.js';
import { devWallet, type SentTransaction, transfer, type Wallet } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { perTier } from '../support/sweep.js';
import { NOBODY, PoolProbe, signerWith } from '../support/worlds/pool-probe.js';

/** In the slow tier, the node restarts in every test in every way. */
const HOW = perTier<readonly ('stop' | 'kill')[]>(['kill'], ['stop', 'kill']);
const BLOCK_MS = '1200';
/** Transactions of a lane. */
const LENGTH = perTier(40, 149);
const signed = signerWith(1_000n);

// Blocks are far enough apart for related transactions to wait together.
let attacked: AttackedNode;
const probe = new PoolProbe(() => attacked);
before(async () => {
  attacked = await AttackedNode.start(['--block-time', BLOCK_MS, '--idle-block-time', BLOCK_MS]);
});
after(() => attacked.dispose());

let funding = 0;

/** A new account with the given balance. */
async function funded(seed: string, amount: bigint): Promise<Wallet> {
  const [wallet] = newWallets(1, seed);
  assert.ok(wallet !== undefined);
  await submitEvery(attacked.rpc, [
    signed(devWallet(0), funding++, { lane: 60, action: transfer(wallet.address, amount) }),
  ]);
  await drained(attacked.rpc);
  return wallet;
}

/** Waits until a block has just been sealed, so that the next is far off. */
async function afterBlock(): Promise<void> {
  await attacked.sealed(1);
}

for (const how of HOW) {
  test(`long lanes whose heads were replaced come back whole after ${how}`, async () => {
    const wallet = devWallet(how === 'stop' ? 2 : 3);
    // A block may include part of a lane before the restart, which is fine.
    const lanes = [40, 41].map((lane) =>
      Array.from({ length: LENGTH }, (_, index) => signed(wallet, index, { lane, maxFee: 100n })),
    );
    await afterBlock();
    for (const lane of lanes) await submitEvery(attacked.rpc, lane);
    const replaced = [0, 0, LENGTH >> 1, LENGTH - 1].map((nonce, round) =>
      signed(wallet, nonce, { lane: 40 + (round % 2), maxFee: 200n, priorityFee: 2n }),
    );
    const { accepted } = await submitAll(attacked.rpc, replaced);
    await attacked.restart(how);
    // A block in progress may have included the replaced transaction, which must then be on the chain.
    for (const sent of lanes.flat()) {
      const place = ({ signed: { transaction } }: SentTransaction) =>
        `${transaction.lane}/${transaction.nonce}`;
      const rivals = [sent, ...accepted.filter((other) => place(other) === place(sent))];
      const kept = await probe.whichIs(rivals, ['pending', 'included']);
      assert.ok(kept !== undefined, `none for ${place(sent)} after the restart`);
      await probe.becomes(kept, 'included');
    }
    await attacked.assertSound();
  });
}

test('a head that a bundle leaves unaffordable is evicted alone; the rest of its lane waits for a new head', async () => {
  const wallet = await funded('insufficient', 1_000_000_000n);
  // The bundle pays most, so it runs first; it leaves too little for the head's gas but enough for the transaction
  // behind.
  const spender = signed(wallet, 0, {
    lane: 1,
    gasLimit: 40_000n,
    maxFee: 10_000n,
    priorityFee: 9_000n,
    action: transfer(NOBODY, 550_000_000n),
  });
  const head = signed(wallet, 0, { gasLimit: 100_000n, maxFee: 6_000n, priorityFee: 5_000n });
  const behind = [1, 2, 3].map((nonce) => signed(wallet, nonce, { maxFee: 1_000n, priorityFee: 100n }));
  await afterBlock();
  await probe.submitBundle([spender]);
  await submitEvery(attacked.rpc, [head, ...behind]);
  await probe.becomes(spender, 'included');
  assert.match(String(await probe.becomes(head, 'rejected')), /^insufficient_balance: /);
  for (const sent of behind) assert.equal((await probe.statusOf(sent)).type, 'pending');
  if (HOW.length > 1) await attacked.restart('kill');
  for (const sent of behind) assert.equal((await probe.statusOf(sent)).type, 'pending');
  const another = signed(wallet, 0, { maxFee: 1_001n, priorityFee: 100n });
  await submitEvery(attacked.rpc, [another]);
  for (const sent of [another, ...behind]) await probe.becomes(sent, 'included');
  await attacked.assertSound();
});

test('bundles that wait for balance survive a restart and are included once funded', async () => {
  const wallet = await funded('waits for balance', 1_000_000_000n);
  const balance = (await probe.account(wallet)).balance;
  const spend = (nonce: number) => ({
    gasLimit: 40_000n,
    action: transfer(NOBODY, nonce === 0 ? (balance * 3n) / 5n : balance / 2n),
  });
  const member = signed(wallet, 1, spend(1));
  await probe.submitBundle([member]);
  const first = signed(wallet, 0, spend(0));
  await submitEvery(attacked.rpc, [first]);
  await probe.becomes(first, 'included');
  for (const how of HOW) {
    await attacked.restart(how);
    const { type } = await probe.statusOf(member);
    assert.equal(type, 'pending', how);
    assert.deepEqual([(await probe.stats()).bundles, (await probe.stats()).ready], [1, 0]);
  }
  await submitEvery(attacked.rpc, [
    signed(devWallet(0), funding++, { lane: 60, action: transfer(wallet.address, 1_000_000_000n) }),
  ]);
  await probe.becomes(member, 'included');
  await attacked.assertSound();
});
