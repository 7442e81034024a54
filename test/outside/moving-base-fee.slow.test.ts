// A chain with small blocks, so that the base fee moves and transactions wait for it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { ledger } from '../../src/ledger/codecs.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { hex } from './bytes.js';
import { ChainAuditor } from './chain-auditor.js';
import { RpcClient } from './rpc.js';
import { GetBlockSummariesResult } from './rpc-shapes.js';
import { drained, newWallets, nodeStatus, submitEvery, Traffic } from './traffic.js';
import { signTransaction, transfer } from './wallet.js';

const CHAIN_ID = 77n;
const BALANCE = 10n ** 20n;
/** The smallest block gas limit that a genesis allows: about thirty transfers of 30,000 gas. */
const BLOCK_GAS = 1_000_000;
const FLAGS = ['--block-time', '30', '--idle-block-time', '30'];

test('small blocks move the base fee by the formula, and transactions that cannot pay it wait', async () => {
  const directory = temporaryDirectory();
  const genesisFile = join(directory, 'genesis.json');
  const wallets = newWallets(12, 'moving base fee');
  const dev = ledger.Genesis.toJson(devGenesis(await loadCrypto('auto')));
  writeFileSync(
    genesisFile,
    JSON.stringify({
      chain_id: Number(CHAIN_ID),
      timestamp_ms: 1_700_000_000_000,
      gas_limit: BLOCK_GAS,
      base_fee: '1000',
      extra: '0x6865',
      validator_set: JSON.parse(dev).validator_set,
      accounts: wallets.map((wallet) => ({
        address: `0x${hex(wallet.address)}`,
        balance: BALANCE.toString(),
      })),
    }),
  );
  const node = await NodeProcess.start({
    dataDir: join(directory, 'data'),
    flags: [...FLAGS, '--genesis', genesisFile, '--no-certificates'],
  });
  const rpc = new RpcClient(node.url);
  try {
    const auditor = new ChainAuditor({
      allocation: wallets.map((wallet) => [wallet.address, BALANCE] as const),
      proofs: 'some',
    });
    assert.equal((await nodeStatus(rpc)).chain_id, CHAIN_ID);
    const traffic = new Traffic(CHAIN_ID, 8);
    // Exact gas limits fill a block; a lane's first transfer needs more and runs out of gas.
    const sent = wallets.flatMap((wallet, i) =>
      Array.from({ length: 60 }, () => {
        const to = wallets[(i + 1) % wallets.length] ?? wallet;
        const action = transfer(to.address, 5n);
        return traffic.next(wallet, { gasLimit: 26_000n, maxFee: 10n ** 12n, priorityFee: 3n, action });
      }),
    );
    await submitEvery(rpc, sent);
    await drained(rpc);
    await auditor.advance(rpc);
    for (const { hash } of sent) assert.ok(auditor.transactions.has(hash), `${hash} is not on the chain`);
    const outOfGas = [...auditor.transactions.values()].filter(
      (entry) => entry.receipt.status.type === 'out_of_gas',
    );
    assert.equal(outOfGas.length, wallets.length);
    for (const { receipt } of outOfGas) assert.equal(receipt.gas_used, 26_000n);

    const tip = auditor.height - 1;
    const { blocks } = GetBlockSummariesResult.fromJson(
      await rpc.call('get_block_summaries', { from_height: 0, to_height: tip }),
      'get_block_summaries',
    );
    const fees = blocks.map((block) => block.base_fee);
    const moves = (sign: (a: bigint, b: bigint) => boolean): boolean =>
      fees.some((fee, i) => i > 0 && sign(fee, fees[i - 1] ?? fee));
    assert.ok(
      moves((now, before) => now > before),
      'the base fee never rose',
    );
    assert.ok(
      moves((now, before) => now < before),
      'the base fee never fell',
    );
    assert.ok(
      blocks.some((block) => block.gas_used * 2n > block.gas_limit),
      'no block was over its target',
    );

    // Empty blocks lower the base fee to 7, where an eighth rounds to zero; a transaction offering 7 waits for that.
    const [poor] = wallets;
    assert.ok(poor !== undefined);
    const nonce = traffic.nonce(poor, 0);
    const patient = signTransaction(poor, {
      chainId: CHAIN_ID,
      nonce,
      maxFee: 7n,
      action: transfer(poor.address, 1n),
    });
    await submitEvery(rpc, [patient]);
    await drained(rpc);
    await auditor.advance(rpc);
    const included = auditor.transactions.get(patient.hash);
    assert.ok(included !== undefined, 'the patient transaction was never included');
    const at = Number(included.height);
    const [block] = GetBlockSummariesResult.fromJson(
      await rpc.call('get_block_summaries', { from_height: at, to_height: at }),
      'get_block_summaries',
    ).blocks;
    assert.ok(
      block !== undefined && block.base_fee <= 7n,
      'the patient transaction came before its base fee',
    );
  } finally {
    rpc.close();
    await node.dispose();
    removeDirectory(directory);
  }
});
