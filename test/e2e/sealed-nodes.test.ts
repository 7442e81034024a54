// Sealed transactions on a node that is killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devAccount } from '../../src/client/client.js';
import { directClient, until } from '../support/followed-chain.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/node-process.js';

const alice = devAccount(0);
const action = { type: 'transfer', value: { to: devAccount(1).address, amount: 3n } } as const;

test('a node still knows after a kill what envelopes it has pending, included and refused', async (t) => {
  const dataDir = temporaryDirectory();
  t.after(() => removeDirectory(dataDir));
  const first = await NodeProcess.start({
    dataDir,
    flags: ['--block-time', '50', '--idle-block-time', '50'],
  });
  t.after(() => first.dispose());
  const client = directClient(first);
  const inBlocks = async (count: bigint) => (await client.status()).finalized_height + count;
  // Nonce gaps keep these two in the pool, and the first gap never closes.
  const gapped = { signer: alice, nonce: 1n };
  const late = await client.seal(action, { ...gapped, lane: 2, opensAt: await inBlocks(60n) });
  const waiting = await client.seal(action, { ...gapped, lane: 1, opensAt: await inBlocks(210n) });
  assert.equal((await client.tx_by_hash({ tx_hash: late.hash })).status.type, 'pending');
  const opensAt = await inBlocks(200n);
  const included = await client.seal(action, { signer: alice, wait: 'included', opensAt });
  await until(
    () => client.tx_by_hash({ tx_hash: late.hash }),
    ({ status }) => status.type === 'rejected',
  );
  // The reason is written with the next block.
  const { finalized_height: refused } = await client.status();
  await until(
    () => client.status(),
    ({ finalized_height: now }) => now >= refused + 2n,
  );
  await first.kill();

  const flags = ['--block-time', '20', '--idle-block-time', '20'];
  const second = await NodeProcess.start({ dataDir, flags });
  t.after(() => second.dispose());
  const again = directClient(second);
  const { status } = await again.tx_by_hash({ tx_hash: late.hash });
  assert.ok(status.type === 'rejected', status.type);
  assert.match(status.value, /^expired: it left the pool before the node was restarted/);
  assert.equal((await again.txpool_stats()).sealed.size, 1);
  assert.equal((await again.tx_by_hash({ tx_hash: waiting.hash })).status.type, 'pending');
  await again.sender(alice, { lane: 1 }).send(action, { nonce: 0n });
  for (const { hash, opensAt: above } of [included, waiting]) {
    const receipt = await again.waitForReceipt(hash, { above });
    assert.deepEqual([receipt.status.type, receipt.height], ['success', above + 1n]);
  }
});
