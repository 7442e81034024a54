import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { outdatedNode } from '../../src/config/outdated-node.js';
import { RpcClient } from '../outside/rpc.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';

// All checkpoints are kept, because the nodes go on creating them while the test looks.
const SEALING = ['--block-time', '20', '--idle-block-time', '20', '--checkpoints-kept', '1000'];
const PATIENCE_MS = 20_000;

interface Seen {
  readonly tip: number;
  /** Heights of the checkpoints, newest first. */
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

test('interval 0 creates no checkpoints and keeps earlier ones, from which a chain that awaits a snapshot begins', async () => {
  const directory = temporaryDirectory();
  const source = join(directory, 'source');
  try {
    const none = await withNode(source, ['--checkpoint-interval', '0'], (rpc) =>
      lookUntil(rpc, ({ tip }) => tip >= 8),
    );
    assert.deepEqual(none.listed, []);
    const some = await withNode(source, ['--checkpoint-interval', '5'], (rpc) =>
      lookUntil(rpc, ({ listed }) => listed.length > 0),
    );
    const { before, later, light, chunk } = await withNode(
      source,
      ['--checkpoint-interval', '0'],
      async (rpc) => {
        const first = await look(rpc);
        const then = await lookUntil(rpc, ({ tip }) => tip >= first.tip + 12);
        const answer = (await rpc.call('get_light_snapshot')) as { checkpoint: { height: number } };
        const params = { height: answer.checkpoint.height, index: 0 };
        const content = (await rpc.call('get_snapshot_chunk', params)) as Record<string, unknown>;
        return { before: first, later: then, light: answer, chunk: content };
      },
    );
    assert.deepEqual(later.listed, before.listed);
    for (const height of some.listed) assert.ok(before.listed.includes(height));
    await isAwaited(directory, light, chunk);
  } finally {
    removeDirectory(directory);
  }
});

/** Starts a development chain that awaits a snapshot; it reports that, and the height it will resume from. */
async function isAwaited(
  directory: string,
  light: { readonly checkpoint: { readonly height: number } },
  chunk: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = join(directory, 'light.json');
  const dataDir = join(directory, 'awaiting');
  writeFileSync(file, JSON.stringify(light));
  const node = await NodeProcess.start({ dataDir, flags: [...SEALING, '--await-snapshot', file] });
  const rpc = new RpcClient(node.url, readFileSync(join(dataDir, 'admin.token'), 'utf8').trim());
  try {
    await assert.rejects(
      rpc.call('status'),
      /this node has no state yet: waiting for a snapshot: 0 of 1 chunks/,
    );
    const { height, index, proof, entries, blobs } = chunk;
    await rpc.call('import_snapshot_chunk', { height, index, proof, entries, blobs });
  } finally {
    rpc.close();
    await node.stop();
    await node.dispose();
  }
  const lines = node.log.split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { level: string; msg: string; height?: string });
  assert.deepEqual(
    events.filter(({ level, msg }) => level !== 'info' && msg !== outdatedNode()),
    [],
  );
  const complete = events.find(({ msg }) => msg.includes('the snapshot is complete'));
  assert.equal(complete?.height, String(light.checkpoint.height));
}
