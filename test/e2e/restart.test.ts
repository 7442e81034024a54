import assert from 'node:assert/strict';
import test from 'node:test';
import { ChainAuditor } from '../outside/chain-auditor.js';
import { RpcClient } from '../outside/rpc.js';
import { TxByHashResult } from '../outside/rpc-shapes.js';
import {
  devAllocation,
  devWallets,
  drained,
  nodeStatus,
  submitAll,
  submitEvery,
  Traffic,
} from '../outside/traffic.js';
import { signTransaction, transfer } from '../outside/wallet.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/node-process.js';

const STOP_LIMIT_MS = 2_000;
/** Number of transactions, of the load's 10,000, accepted before the signal. */
const ACCEPTED_BEFORE = 1_000;

for (const native of NATIVE_MODES) {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} under load ends the node cleanly and loses nothing, --native ${native}`, async (t) => {
      const dataDir = temporaryDirectory();
      const flags = ['--block-time', '100', '--native', native];
      let node = await NodeProcess.start({ dataDir, flags });
      let rpc = new RpcClient(node.url);
      try {
        const { chain_id: chainId } = await nodeStatus(rpc);
        const auditor = new ChainAuditor({ allocation: await devAllocation(rpc), proofs: 'some' });
        const traffic = new Traffic(chainId, 5);
        const accepted: string[] = [];
        const loading = Promise.all(
          devWallets()
            .slice(0, 5)
            .map(async (wallet) => {
              const own = new RpcClient(node.url);
              try {
                for (let i = 0; i < 100; i++) {
                  const batch = Array.from({ length: 20 }, () =>
                    traffic.next(wallet, { action: transfer(wallet.address, 1n) }),
                  );
                  const result = await submitAll(own, batch);
                  accepted.push(...result.accepted.map((entry) => entry.hash));
                }
              } catch (error) {
                // The node shut down as requested.
                assert.ok(error instanceof Error);
              } finally {
                own.close();
              }
            }),
        );
        // The signal has to arrive during the load, on slow and fast machines alike.
        let loaded = false;
        void loading.then(() => {
          loaded = true;
        });
        while (!loaded && accepted.length < ACCEPTED_BEFORE)
          await new Promise((resolve) => setTimeout(resolve, 5));
        assert.ok(!loaded, `the load ended before the signal, with ${accepted.length} accepted`);
        const ended = await node.stop(signal);
        await loading;
        t.diagnostic(`stopped in ${ended.ms.toFixed(0)} ms with ${accepted.length} transactions accepted`);
        assert.equal(ended.signal, signal, node.log.slice(-2000));
        assert.ok(ended.ms < STOP_LIMIT_MS, `took ${ended.ms} ms`);
        rpc.close();

        node = await NodeProcess.start({ dataDir, flags });
        t.diagnostic(`started again in ${node.startMs.toFixed(0)} ms`);
        rpc = new RpcClient(node.url);
        await drained(rpc);
        await auditor.advance(rpc);
        for (const hash of accepted)
          assert.ok(auditor.transactions.has(hash), `${hash} was accepted and is lost`);
      } finally {
        rpc.close();
        await node.kill();
        removeDirectory(dataDir);
      }
    });
  }
}

test('a transaction behind a nonce gap is held across a restart until the gap closes', async () => {
  const dataDir = temporaryDirectory();
  let node = await NodeProcess.start({ dataDir });
  let rpc = new RpcClient(node.url);
  try {
    const { chain_id: chainId } = await nodeStatus(rpc);
    const [wallet] = devWallets();
    assert.ok(wallet !== undefined);
    const [first, second] = [0n, 1n].map((nonce) =>
      signTransaction(wallet, { chainId, nonce, lane: 7, action: transfer(wallet.address, 1n) }),
    );
    assert.ok(first !== undefined && second !== undefined);
    await submitEvery(rpc, [second]);
    rpc.close();
    await node.stop();
    node = await NodeProcess.start({ dataDir });
    rpc = new RpcClient(node.url);
    const state = async (hash: string): Promise<unknown> =>
      TxByHashResult.fromJson(await rpc.call('tx_by_hash', { tx_hash: hash }), 'tx_by_hash').status.type;
    assert.equal(await state(second.hash), 'pending');
    await submitEvery(rpc, [first]);
    await drained(rpc);
    assert.equal(await state(first.hash), 'included');
    assert.equal(await state(second.hash), 'included');
  } finally {
    rpc.close();
    await node.kill();
    removeDirectory(dataDir);
  }
});
