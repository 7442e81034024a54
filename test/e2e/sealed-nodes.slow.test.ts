// Sealed transactions on a node that is killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devAccount } from '../../src/client/client.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { directClient, grow } from '../support/worlds/followed-chain.js';

const alice = devAccount(0);
const action = { type: 'transfer', value: { to: devAccount(1).address, amount: 3n } } as const;

test('a node still knows after a kill which envelopes are pending, included and refused', async (t) => {
  const dataDir = temporaryDirectory();
  t.after(() => removeDirectory(dataDir));
  // Without envelopes that wait to be opened, nothing but the test's own transactions moves the chain.
  const idle = ['--idle-block-time', '60000'];
  const first = await NodeProcess.start({ dataDir, flags: ['--block-time', '100', ...idle] });
  t.after(() => first.dispose());
  const client = directClient(first);
  const { finalized_height: height } = await client.status();
  // Nonce gaps keep these two in the pool, and the second gap never closes.
  const gapped = { signer: alice, nonce: 1n };
  const waiting = await client.seal(action, { ...gapped, lane: 1, opensAt: height + 81n });
  const late = await client.seal(action, { ...gapped, lane: 2, opensAt: height + 20n });
  assert.equal((await client.tx_by_hash({ tx_hash: late.hash })).status.type, 'pending');
  // The reason is written with the block after the one that makes it late.
  await grow(first, late.opensAt + 2n);
  assert.equal((await client.tx_by_hash({ tx_hash: late.hash })).status.type, 'rejected');
  const opensAt = waiting.opensAt - 1n;
  const included = await client.seal(action, { signer: alice, wait: 'included', opensAt });
  await first.kill();

  const second = await NodeProcess.start({ dataDir, flags: ['--block-time', '100', ...idle] });
  t.after(() => second.dispose());
  const again = directClient(second);
  const { status } = await again.tx_by_hash({ tx_hash: late.hash });
  assert.ok(status.type === 'rejected', status.type);
  assert.match(status.value, /^expired: it left the pool before the node was restarted/);
  assert.equal((await again.txpool_stats()).sealed.size, 1);
  assert.equal((await again.tx_by_hash({ tx_hash: waiting.hash })).status.type, 'pending');
  await again.sender(alice, { lane: 1 }).send(action, { nonce: 0n });
  await grow(second, waiting.opensAt + 1n);
  for (const { hash, opensAt: above } of [included, waiting]) {
    const receipt = await again.waitForReceipt(hash, { above });
    assert.deepEqual([receipt.status.type, receipt.height], ['success', above + 1n]);
  }
});
