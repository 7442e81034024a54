// Same transactions in, same block hashes out: with and without native parts, and for any number of workers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ChainAuditor } from '../outside/chain-auditor.js';
import { RpcClient } from '../outside/rpc.js';
import {
  devAllocation,
  devWallets,
  newWallets,
  nodeStatus,
  submitEvery,
  Traffic,
} from '../outside/traffic.js';
import { type SentTransaction, transfer } from '../outside/wallet.js';
import { withInProcessNode } from '../support/in-process-node.js';
import { NATIVE } from '../support/native-modes.js';

const BLOCKS = 8;
const PER_BLOCK = 60;
const FIRST_TIME_MS = 1_800_000_000_000;
/** Chain ID of the development chain. */
const CHAIN_ID = 9545n;

/** The transactions of each block, in order. */
function script(): readonly (readonly SentTransaction[])[] {
  const traffic = new Traffic(CHAIN_ID, 99);
  const rich = devWallets();
  const wallets = [...rich, ...newWallets(4, 'determinism')];
  const [payer] = rich;
  assert.ok(payer !== undefined);
  const funding = wallets
    .slice(rich.length)
    .map((wallet) => traffic.next(payer, { action: transfer(wallet.address, 10n ** 15n) }));
  const rest = Array.from({ length: BLOCKS }, () =>
    traffic.random.shuffle(
      Array.from({ length: PER_BLOCK }, (_, i) => {
        const wallet = wallets[(i * 7) % wallets.length];
        assert.ok(wallet !== undefined);
        return traffic.mixed(wallet, wallets, 3);
      }),
    ),
  );
  return [funding, ...rest];
}

/** Runs the script on a fresh node and returns the hash of every block. */
function run(native: string, workers: number): Promise<readonly (string | undefined)[]> {
  return withInProcessNode({ native, workers }, async (node) => {
    const rpc = new RpcClient(node.url);
    try {
      assert.equal((await nodeStatus(rpc)).chain_id, CHAIN_ID);
      const auditor = new ChainAuditor({ allocation: await devAllocation(rpc), proofs: 'some' });
      for (const [i, transactions] of script().entries()) {
        await submitEvery(rpc, transactions);
        await node.sealNow(FIRST_TIME_MS + i * 1000);
      }
      await auditor.advance(rpc);
      assert.equal(auditor.transactions.size, 4 + BLOCKS * PER_BLOCK, 'not everything was included');
      return Array.from({ length: auditor.height }, (_, height) => auditor.blockHash(height));
    } finally {
      rpc.close();
    }
  });
}

test('native parts and the number of workers make no difference to any block hash', async () => {
  const expected = await run(NATIVE, 1);
  assert.equal(expected.length, BLOCKS + 2);
  assert.equal(new Set(expected).size, expected.length);
  for (const [native, workers] of [
    [NATIVE, 2],
    [NATIVE, 4],
    ['off', 1],
    ['off', 2],
    ['off', 4],
  ] as const) {
    assert.deepEqual(await run(native, workers), expected, `--native ${native} with ${workers} workers`);
  }
});

test('the transaction script of the determinism test is itself deterministic', () => {
  const hashes = (): string[] => script().flatMap((block) => block.map(({ hash }) => hash));
  assert.deepEqual(hashes(), hashes());
});
