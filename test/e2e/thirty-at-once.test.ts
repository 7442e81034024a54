import assert from 'node:assert/strict';
import test from 'node:test';
import { ChainAuditor } from '../outside/chain-auditor.js';
import { RpcClient } from '../outside/rpc.js';
import { devAllocation, devWallets, drained, nodeStatus, submitEvery, Traffic } from '../outside/traffic.js';
import { transfer } from '../outside/wallet.js';
import { NodeProcess } from '../support/node-process.js';

const MODES: readonly (readonly [name: string, flags: readonly string[]])[] = [
  ['on the default timer', []],
  ['on a fast timer', ['--block-time', '20']],
  ['instantly', ['--seal', 'instant']],
  ['on a timer that never seals empty blocks', ['--idle-block-time', '0']],
  ['instantly, without the native parts', ['--seal', 'instant', '--idle-block-time', '0', '--native', 'off']],
];
const COUNT = 30;

for (const [name, flags] of MODES) {
  test(`thirty transactions sent at once from one account in any order are all sealed ${name}`, async () => {
    const node = await NodeProcess.start({ flags });
    const rpc = new RpcClient(node.url);
    try {
      const { chain_id: chainId } = await nodeStatus(rpc);
      const auditor = new ChainAuditor({ allocation: await devAllocation(rpc), proofs: 'some' });
      const traffic = new Traffic(chainId, 30);
      const all: string[] = [];
      for (const [lane, wallet] of devWallets().slice(0, 3).entries()) {
        const sent = Array.from({ length: COUNT }, () =>
          traffic.next(wallet, { lane, action: transfer(wallet.address, 1n) }),
        );
        // The first lane gets the worst order, the other two a random one.
        const order = lane === 0 ? sent.toReversed() : traffic.random.shuffle(sent);
        await Promise.all(order.map((entry) => submitEvery(rpc, [entry])));
        all.push(...sent.map((entry) => entry.hash));
      }
      await drained(rpc);
      await auditor.advance(rpc);
      for (const hash of all) assert.ok(auditor.transactions.has(hash), `${hash} was never sealed`);
    } finally {
      rpc.close();
      await node.dispose();
    }
  });
}
