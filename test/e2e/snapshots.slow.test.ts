// A snapshot whose import is killed; see snapshots.test.ts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RpcClient } from '../outside/rpc.js';
import { NodeProcess, runHeddle } from '../support/nodes/node-process.js';
import { randomSource } from '../support/random-source.js';
import { SnapshotSource } from '../support/worlds/snapshot-source.js';

const MAIN = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));

/** Starts a command and kills it after a delay. @returns whether it had already ended by itself */
function runAndKill(args: readonly string[], afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

test('an archive is imported with kills at random moments, and ends with the right root', async (t) => {
  const source = await SnapshotSource.start();
  t.after(() => source.dispose());
  const archive = source.path('snapshot.tar.gz');
  await source.export(archive);
  const dataDir = source.path('imported');
  const args = ['snapshot', 'import', '--data-dir', dataDir, '--trust', source.groupKey, archive];
  const random = randomSource(4);
  let ended = false;
  for (let kill = 0; kill < 6 && !ended; kill++) ended = await runAndKill(args, 150 + random.below(900));
  if (!ended) {
    const last = await runHeddle(args, { timeoutMs: 60_000 });
    // A kill after the last write leaves the whole chain, whose root is checked below.
    if (last.code !== 0) assert.match(last.stderr, /has a chain already/);
  }
  const again = await runHeddle(args);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /has a chain already/);
  const node = await NodeProcess.start({ dataDir, flags: source.flags });
  t.after(() => node.dispose());
  const rpc = new RpcClient(node.url);
  try {
    const { checkpoints } = (await rpc.call('get_checkpoint_list')) as {
      checkpoints: { height: number; state_root: string }[];
    };
    const found = checkpoints.find(({ height }) => height === source.height);
    assert.equal(found?.state_root, source.stateRoot);
  } finally {
    rpc.close();
  }
});
