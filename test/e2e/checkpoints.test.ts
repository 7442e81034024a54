import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../outside/rpc.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/node-process.js';

const SEALING = ['--block-time', '20', '--idle-block-time', '20'];
const PATIENCE_MS = 20_000;

interface Seen {
  readonly tip: number;
  /** Heights, newest first. */
  readonly listed: readonly number[];
}

async function look(rpc: RpcClient): Promise<Seen> {
  const { checkpoints } = (await rpc.call('get_checkpoint_list')) as { checkpoints: { height: number }[] };
  const { tip } = (await rpc.call('status')) as { tip: { height: number } };
  return { tip: tip.height, listed: checkpoints.map(({ height }) => height) };
}

async function lookUntil(rpc: RpcClient, isReached: (seen: Seen) => boolean): Promise<Seen> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look(rpc);
    if (isReached(seen)) return seen;
    assert.ok(Date.now() < end, `still ${JSON.stringify(seen)}`);
    await sleep(20);
  }
}

async function withNode<T>(
  dataDir: string,
  flags: readonly string[],
  use: (rpc: RpcClient) => Promise<T>,
): Promise<T> {
  const node = await NodeProcess.start({ dataDir, flags: [...SEALING, ...flags] });
  const rpc = new RpcClient(node.url);
  try {
    return await use(rpc);
  } finally {
    rpc.close();
    await node.stop();
    await node.dispose();
  }
}

test('interval 0 cuts no checkpoint, and those of before stay', async () => {
  const directory = temporaryDirectory();
  try {
    const none = await withNode(directory, ['--checkpoint-interval', '0'], (rpc) =>
      lookUntil(rpc, ({ tip }) => tip >= 8),
    );
    assert.deepEqual(none.listed, []);
    const some = await withNode(directory, ['--checkpoint-interval', '5'], (rpc) =>
      lookUntil(rpc, ({ listed }) => listed.length > 0),
    );
    const before = await withNode(directory, ['--checkpoint-interval', '0'], look);
    const later = await withNode(directory, ['--checkpoint-interval', '0'], (rpc) =>
      lookUntil(rpc, ({ tip }) => tip >= before.tip + 12),
    );
    assert.deepEqual(later.listed, before.listed);
    for (const height of some.listed) assert.ok(before.listed.includes(height));
  } finally {
    removeDirectory(directory);
  }
});
