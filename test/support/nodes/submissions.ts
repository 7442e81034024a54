import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ChainAuditor } from '../../outside/chain-auditor.js';
import { RpcClient } from '../../outside/rpc.js';
import {
  devAllocation,
  devWallets,
  drained,
  nodeStatus,
  submitEvery,
  Traffic,
} from '../../outside/traffic.js';
import { transfer } from '../../outside/wallet.js';
import { NodeProcess } from './node-process.js';
import { readYourWrites } from './read-your-writes.js';

const COUNT = 30;

/** Thirty transactions of one account that are sent at once in any order, on a fresh node. */
async function assertAllSealed(url: string): Promise<void> {
  const rpc = new RpcClient(url);
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
  }
}

/** Submissions to nodes that seal in different ways. */
export function testSubmissions(
  modes: readonly (readonly [name: string, flags: readonly string[]])[],
  load: { readonly rounds: number; readonly senders: number } | undefined,
): void {
  for (const [name, flags] of modes) {
    describe(`a node that seals ${name}`, () => {
      let node: NodeProcess;
      before(async () => {
        node = await NodeProcess.start({ flags });
      });
      after(() => node?.dispose());

      test('thirty transactions sent at once from one account in any order are all sealed', () =>
        assertAllSealed(node.url));

      if (load === undefined) return;
      test('state of a receipt seen on one connection is readable on another', async () => {
        const { rounds } = load;
        const report = await readYourWrites({ url: node.url, ...load, freshEvery: 8 });
        assert.deepEqual(report.stale, []);
        assert.equal(report.rounds, rounds);
        assert.ok(report.fresh >= rounds / 8);
      });
    });
  }
}
