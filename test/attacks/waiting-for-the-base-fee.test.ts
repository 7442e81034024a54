// A transaction that only waits for a lower base fee is eventually included, even if the node seals no idle blocks.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { hex } from '../outside/bytes.js';
import { ValidatorSet } from '../outside/ledger-shapes.js';
import { TxpoolStats } from '../outside/rpc-shapes.js';
import { drained, nodeStatus, submitEvery, Traffic } from '../outside/traffic.js';
import { devWallet, transfer, type Wallet } from '../outside/wallet.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { perTier } from '../support/sweep.js';

/** Each test starts a chain of its own. */
const WITH_ALL = perTier(false, true);
const WALLETS: readonly Wallet[] = [0, 1, 2, 9].map(devWallet);

/** A node on a chain whose base fee begins at 1,000. */
async function startAt1000(t: TestContext, flags: readonly string[]): Promise<AttackedNode> {
  const directory = temporaryDirectory();
  t.after(() => removeDirectory(directory));
  const genesis = join(directory, 'genesis.json');
  const { validator_set: validatorSet } = devGenesis(await loadCrypto('auto'));
  writeFileSync(
    genesis,
    JSON.stringify({
      chain_id: 77,
      timestamp_ms: 1_700_000_000_000,
      gas_limit: 500_000_000,
      base_fee: '1000',
      extra: '0x',
      validator_set: ValidatorSet.toJson({ ...validatorSet, validators: [...validatorSet.validators] }),
      accounts: WALLETS.map(({ address }) => ({
        address: `0x${hex(address)}`,
        balance: '1000000000000000000000',
      })),
    }),
  );
  const attacked = await AttackedNode.start([
    '--block-time',
    '50',
    '--no-certificates',
    '--genesis',
    genesis,
    ...flags,
  ]);
  t.after(() => attacked.dispose());
  return attacked;
}

const action = transfer(new Uint8Array(20).fill(7), 1n);

test('with --idle-block-time 0 empty blocks are sealed at the default idle pace', async (t) => {
  const attacked = await startAt1000(t, ['--idle-block-time', '0']);
  const traffic = new Traffic(77n, 1);
  // Base fee of the first block: 875; of the second: 766 if it follows an empty block.
  const waiting = traffic.next(WALLETS[0] ?? devWallet(0), { maxFee: 800n, action });
  await submitEvery(attacked.rpc, [waiting]);
  await drained(attacked.rpc, 20_000);
  assert.equal((await nodeStatus(attacked.rpc)).tip.height, 2n);
  await sleep(1_000);
  assert.equal((await nodeStatus(attacked.rpc)).tip.height, 2n, 'nothing waits, nothing is sealed');
});

if (WITH_ALL) {
  test('a bundle that waits for the base fee counts as work', async (t) => {
    const attacked = await startAt1000(t, ['--idle-block-time', '0']);
    const traffic = new Traffic(77n, 1);
    const members = WALLETS.slice(0, 2).map((wallet, i) =>
      traffic.next(wallet, { maxFee: i === 0 ? 10_000n : 800n, action }),
    );
    await attacked.rpc.call('tx_submit_bundle', { transactions: members.map(({ encoded }) => encoded) });
    await drained(attacked.rpc, 20_000);
  });

  test('the configured idle pace takes precedence, whatever else is ready', async (t) => {
    const attacked = await startAt1000(t, ['--idle-block-time', '100']);
    const traffic = new Traffic(77n, 1);
    await submitEvery(attacked.rpc, [
      traffic.next(WALLETS[0] ?? devWallet(0), { maxFee: 100n, action }),
      traffic.next(WALLETS[1] ?? devWallet(1), { maxFee: 7n, action }),
      traffic.next(WALLETS[2] ?? devWallet(2), { maxFee: 5_000n, action }),
    ]);
    await drained(attacked.rpc, 20_000);
    await attacked.assertSound();
  });
}

test('no empty block is sealed for a fee that empty blocks cannot reach', async (t) => {
  const attacked = await startAt1000(t, ['--idle-block-time', '0']);
  const traffic = new Traffic(77n, 1);
  await submitEvery(attacked.rpc, [
    traffic.next(WALLETS[0] ?? devWallet(0), { maxFee: 6n, action }),
    traffic.next(WALLETS[1] ?? devWallet(1), { maxFee: 1n, action }),
  ]);
  await sleep(6_500);
  assert.equal((await nodeStatus(attacked.rpc)).tip.height, 0n);
  const { size } = TxpoolStats.fromJson(await attacked.rpc.call('txpool_stats'), 'txpool_stats');
  assert.equal(size, 2);
  await attacked.assertSound();
});
