// Sealed transactions through a follower, over a restart, and on a node without the chain's key.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { devAccount } from '../../src/client/client.js';
import { caughtUp, directClient, startFollower, startSource, until } from '../support/followed-chain.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/node-process.js';

const alice = devAccount(0);
const to = devAccount(1).address;
const action = { type: 'transfer', value: { to, amount: 3n } } as const;

describe('a follower', () => {
  test('forwards envelopes and reports their outcome', async () => {
    const source = await startSource();
    const follower = await startFollower([source.url], { flags: ['--sync-from', 'genesis'] });
    try {
      await caughtUp(follower, source);
      const [origin, client] = [directClient(source), directClient(follower)];
      const sent = await client.seal(action, { signer: alice });
      assert.ok(['pending', 'included'].includes(sent.status.type), sent.status.type);
      const receipt = await client.waitForReceipt(sent.hash, { above: sent.opensAt });
      assert.equal(receipt.status.type, 'success');
      assert.deepEqual((await origin.tx_receipt({ tx_hash: sent.hash })).receipt, receipt);
      const { status } = await client.tx_by_hash({ tx_hash: sent.hash });
      assert.ok(status.type === 'included' && status.value.height < sent.opensAt);
      // The follower refuses invalid envelopes itself where it can, and forwards the source's refusals.
      await assert.rejects(client.seal(action, { signer: alice, opensAt: 1n }), { reason: 'expired' });
      const maxFee = 2n ** 100n;
      await assert.rejects(client.seal(action, { signer: alice, maxFee }), {
        reason: 'insufficient_balance',
      });
      await source.stop();
      await assert.rejects(client.seal(action, { signer: alice, opensAt: sent.opensAt + 100n }), {
        kind: 'not_ready',
      });
    } finally {
      await follower.dispose();
      await source.dispose();
    }
  });
});

describe('a node', () => {
  test('still knows pending and included envelopes after a kill', async () => {
    const dataDir = temporaryDirectory();
    const flags = ['--block-time', '100'];
    const first = await NodeProcess.start({ dataDir, flags });
    try {
      const client = directClient(first);
      const included = await client.seal(action, { signer: alice, wait: 'included', opensAt: 80n });
      // The nonce gap keeps the envelope in the pool.
      const waiting = await client.seal(action, { signer: alice, lane: 1, nonce: 1n, opensAt: 90n });
      await first.kill();
      const second = await NodeProcess.start({ dataDir, flags });
      try {
        const again = directClient(second);
        assert.equal((await again.txpool_stats()).sealed.size, 1);
        assert.equal((await again.tx_by_hash({ tx_hash: waiting.hash })).status.type, 'pending');
        await again.sender(alice, { lane: 1 }).send(action, { nonce: 0n });
        for (const { hash, opensAt } of [included, waiting]) {
          const receipt = await again.waitForReceipt(hash, { above: opensAt });
          assert.deepEqual([receipt.status.type, receipt.height], ['success', opensAt + 1n]);
        }
      } finally {
        await second.dispose();
      }
    } finally {
      await first.dispose();
      removeDirectory(dataDir);
    }
  });

  test('reports after a kill why an envelope was not included', async () => {
    const dataDir = temporaryDirectory();
    const flags = ['--block-time', '50', '--idle-block-time', '50'];
    const first = await NodeProcess.start({ dataDir, flags });
    try {
      const client = directClient(first);
      const { finalized_height: height } = await client.status();
      // The nonce gap never closes.
      const { hash } = await client.seal(action, { signer: alice, nonce: 1n, opensAt: height + 60n });
      const statusOf = (each: typeof client) => each.tx_by_hash({ tx_hash: hash });
      assert.equal((await statusOf(client)).status.type, 'pending');
      await until(
        () => statusOf(client),
        ({ status }) => status.type === 'rejected',
      );
      // The reason is written with the next block.
      await until(
        () => client.status(),
        ({ finalized_height: now }) => now >= height + 62n,
      );
      await first.kill();
      const second = await NodeProcess.start({ dataDir, flags });
      try {
        const { status } = await statusOf(directClient(second));
        assert.ok(status.type === 'rejected', status.type);
        assert.match(status.value, /^expired: it left the pool before the node was restarted/);
      } finally {
        await second.dispose();
      }
    } finally {
      await first.dispose();
      removeDirectory(dataDir);
    }
  });

  test('without a key refuses envelopes, which it could never open', async () => {
    const node = await NodeProcess.start({ flags: ['--no-certificates'] });
    try {
      await assert.rejects(directClient(node).seal(action, { signer: alice, maxFee: 100n }), {
        kind: 'not_ready',
        message: /sealed transactions could not be opened/,
      });
      await until(
        () => directClient(node).status(),
        ({ txpool_size: size }) => size === 0,
      );
    } finally {
      await node.dispose();
    }
  });
});
