// Unpayable transactions and members of other senders' bundles keep no transaction out of the pool.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RpcFailure } from '../outside/rpc.js';
import { devWallets, drained, newWallets, submitAll, submitEvery } from '../outside/traffic.js';
import { devWallet, transfer, type Wallet } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { perTier } from '../support/sweep.js';
import { PoolProbe, signerWith } from '../support/worlds/pool-probe.js';

const POOL = 400;
const RESTARTS = perTier(false, true);
/** A call to an address without a contract; it always fails. */
const FAILING = {
  type: 'call' as const,
  value: { contract: new Uint8Array(20).fill(0x55), input: Uint8Array.of(1, 2, 3, 4), value: 0n },
};

const signed = signerWith(10_000_000n);
let attacked: AttackedNode;
const probe = new PoolProbe(() => attacked);
before(async () => {
  attacked = await AttackedNode.start([
    '--block-time',
    '100',
    '--idle-block-time',
    '200',
    '--pool-size',
    String(POOL),
    '--gapped-ttl',
    '6000',
    '--bundle-blocks',
    '40',
  ]);
});
after(() => attacked.dispose());

async function nextNonce(wallet: Wallet, lane = 0): Promise<bigint> {
  const { lanes } = await probe.account(wallet);
  return lanes.find((one) => one.lane === lane)?.next_nonce ?? 0n;
}

async function funded(count: number, seed: string, amount: bigint): Promise<readonly Wallet[]> {
  const wallets = newWallets(count, seed);
  const nonce = await nextNonce(devWallet(0));
  await submitEvery(
    attacked.rpc,
    wallets.map(({ address }, index) =>
      signed(devWallet(0), nonce + BigInt(index), { action: transfer(address, amount) }),
    ),
  );
  await drained(attacked.rpc);
  return wallets;
}

test('a flood behind nonce gaps at the highest price keeps no ready transaction out and is evicted', async () => {
  const expensive = { maxFee: 1_000_000_000n, priorityFee: 1_000_000_000n };
  const flood = devWallets()
    .slice(1, 6)
    .flatMap((wallet) =>
      Array.from({ length: 16 * 8 }, (_, index) =>
        signed(wallet, 1 + (index % 8), { ...expensive, lane: 20 + Math.floor(index / 8) }),
      ),
    );
  const { accepted, refused } = await submitAll(attacked.rpc, flood.slice(0, 200));
  assert.ok(refused.every(({ failure }) => failure.data['reason'] === 'pool_full'));
  await submitAll(attacked.rpc, flood.slice(200, 400));
  await submitAll(attacked.rpc, flood.slice(400));
  const { gapped, min_fee: minFee } = await probe.stats();
  assert.equal(gapped, POOL / 4, 'a quarter of the pool');
  assert.equal(minFee, 1n, 'anything ready gets in');
  // A late client gets a place too: the clients with the most transactions make room.
  const late = signed(devWallet(7), 1, { lane: 9 });
  await submitEvery(attacked.rpc, [late]);
  assert.equal((await probe.statusOf(late)).type, 'pending');
  // Honest transactions at the lowest tip fill the whole pool.
  const [honest] = await funded(1, 'honest', 10n ** 12n);
  assert.ok(honest !== undefined);
  for (let nonce = 0; nonce < POOL; nonce += 100) {
    await submitEvery(
      attacked.rpc,
      Array.from({ length: 100 }, (_, index) =>
        signed(honest, nonce + index, { maxFee: 1_000n, gasLimit: 40_000n }),
      ),
    );
  }
  const [first] = accepted;
  assert.ok(first !== undefined);
  const why = await probe.becomes(first, 'rejected', 12_000);
  assert.match(String(why), /^(evicted|expired): .*gap/);
  const rest = await probe.becomes(late, 'rejected', 12_000);
  assert.match(String(rest), /^(evicted|expired): .*gap/);
  await drained(attacked.rpc);
  await attacked.assertSound();
  if (RESTARTS) {
    await attacked.restart();
    await attacked.assertSound();
  }
});

test('bundles that never succeed do not delay members sent alone', async () => {
  const victim = devWallet(4);
  const mallory = devWallet(5);
  const nonce = await nextNonce(victim);
  const own = await nextNonce(mallory);
  const publicly = Array.from({ length: 5 }, (_, index) => signed(victim, nonce + BigInt(index)));
  const around = (index: number) => [
    ...publicly.slice(0, 1 + (index % 5)),
    signed(mallory, own, {
      action: FAILING,
      gasLimit: 50_000n + BigInt(index),
      maxFee: 900_000_000n,
      priorityFee: 900_000_000n,
    }),
  ];
  // The bundles are sent first, then the members, then more bundles while the members wait.
  for (let index = 0; index < 10; index++) await probe.submitBundle(around(index));
  const { refused } = await submitAll(attacked.rpc, publicly);
  assert.ok(refused.every(({ failure }) => failure.data['reason'] === 'already_known'));
  for (let index = 10; index < 30; index++) {
    await probe.submitBundle(around(index)).catch((error: unknown) => {
      assert.ok(error instanceof RpcFailure);
      assert.equal(error.data['reason'], 'nonce_too_low');
    });
  }
  for (const sent of publicly) await probe.becomes(sent, 'included', 5_000);
  await drained(attacked.rpc);
  await attacked.assertSound();
});

test('a bundle without a last height expires with a reason; a waiting one may be resubmitted', async () => {
  const wallet = devWallet(6);
  const nonce = await nextNonce(wallet);
  const waiting = [signed(wallet, nonce + 1n), signed(wallet, nonce + 2n)];
  await probe.submitBundle(waiting);
  assert.equal((await probe.stats()).bundles, 1);
  const [first, second] = waiting;
  assert.ok(first !== undefined && second !== undefined);
  // A member sent alone takes its own place behind the gap.
  await submitEvery(attacked.rpc, [first]);
  assert.match(String(await probe.becomes(second, 'rejected', 20_000)), /^expired: its bundle/);
  assert.equal((await probe.stats()).bundles, 0);
});
