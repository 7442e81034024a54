/**
 * Memory of the proof worker with a large state: the growth of the resident memory of a process that opens the store,
 * rebuilds the tree and seals blocks. This includes RocksDB's caches and write buffers.
 *
 *     npm run bench -- tree-memory [keys, default 10000000] [--tree-memory in MiB, default 512]
 *                                  [changed keys a block, default 500]
 *
 * The npm script gives V8 the flag that `heddle start` sets. Another process makes the state, so that its memory does
 * not count. The bench needs several GiB of disk and several minutes.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadHashes } from '../src/crypto/load-hashes.js';
import { sha256 } from '../src/crypto/sha256.js';
import { ProofService } from '../src/proofs/proof-service.js';
import { StateTree } from '../src/proofs/tree/state-tree.js';
import { writeTree } from '../src/proofs/write-tree.js';
import { be64 } from '../src/storage/big-endian.js';
import { openStore } from '../src/storage/open-store.js';
import type { Store } from '../src/storage/store.js';
import { WriteBatch } from '../src/storage/write-batch.js';
import { processMemory } from '../test/support/nodes/process-memory.js';
import { describePositionals } from './support/bench-arguments.js';
import { commitBlock } from './support/commit-block.js';
import { recordCost } from './support/record-values.js';
import { printReport, quantile } from './support/statistics.js';

const BLOCKS = 100;
const KEYS_A_BATCH = 50_000;
const SAMPLE_MS = 50;
const MIB = 1024 * 1024;

describePositionals('[keys, default 10000000] [--tree-memory in MiB, default 512]');
const [first = '10000000', second = '512', third = '500', directory] = process.argv.slice(2);
const keyCount = Number(first);
const memoryMiB = Number(second);
const changesABlock = Number(third);

const keyOf = (index: number): Uint8Array => sha256(be64(BigInt(index)));
const valueAt = (index: number, height: bigint): Uint8Array => {
  const value = new Uint8Array(60);
  value.set(sha256(be64(BigInt(index) + (height << 40n))));
  return value;
};
const open = (path: string): Promise<Store> =>
  openStore({ directory: path, native: 'require', report: () => undefined });

/** Fills the store, and prints the root of its contents. */
async function fill(path: string): Promise<void> {
  const store = await open(path);
  for (let from = 0; from < keyCount; from += KEYS_A_BATCH) {
    const batch = new WriteBatch();
    for (let index = from; index < Math.min(keyCount, from + KEYS_A_BATCH); index++) {
      batch.put('state', keyOf(index), Uint8Array.from([...be64(0n), ...valueAt(index, 0n)]));
    }
    await store.write(batch, { sync: false });
  }
  const tree = StateTree.empty({
    crypto: await loadHashes('require'),
    store,
    cacheBytes: Number.MAX_SAFE_INTEGER,
  });
  let step: { key: Uint8Array; value: Uint8Array }[] = [];
  for (const [key, raw] of store.scan('state', {})) {
    step.push({ key, value: raw.subarray(8) });
    if (step.length < KEYS_A_BATCH) continue;
    tree.apply(step);
    step = [];
  }
  tree.apply(step);
  console.log(Buffer.from(tree.root()).toString('hex'));
  await store.close();
}

async function measure(path: string): Promise<void> {
  const made = spawnSync(
    process.execPath,
    ['--max-old-space-size=12000', fileURLToPath(import.meta.url), first, second, third, path],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`the state was not made:\n${made.stderr}`);
  const stateRoot = Uint8Array.from(Buffer.from(made.stdout.trim(), 'hex'));
  const store = await open(path);
  const before = processMemory(process.pid).residentMiB;
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, processMemory(process.pid).residentMiB);
  }, SAMPLE_MS);
  let largest = 0;
  const started = performance.now();
  const service = await ProofService.start({
    store: store.handle,
    native: 'require',
    tip: { height: 0n, hash: new Uint8Array(32), stateRoot },
    memoryBytes: memoryMiB * MIB,
    onProgress: () => undefined,
    writeTree: (encoded) => {
      largest = Math.max(
        largest,
        encoded.reduce((sum, piece) => sum + piece.length, 0),
      );
      return writeTree(store, encoded);
    },
  });
  const rebuildMs = performance.now() - started;
  const afterRebuild = most;
  const times: number[] = [];
  let parentHash: Uint8Array = new Uint8Array(32);
  for (let height = 1n; height <= BLOCKS; height++) {
    const picked = new Set<number>();
    while (picked.size < Math.min(changesABlock, keyCount)) picked.add(randomInt(keyCount));
    const changes = [...picked]
      .map((index) => ({ key: keyOf(index), value: valueAt(index, height) }))
      .sort((a, b) => Buffer.compare(a.key, b.key));
    const from = performance.now();
    const roots = await service.blockRoots({ height, parentHash, changes, items: [], receipts: [] });
    times.push(performance.now() - from);
    await commitBlock({ store, proofs: service }, height, changes, roots);
    parentHash = roots.stateRoot;
  }
  clearInterval(sampler);
  await writeTree(store, await service.stop());
  await store.close();
  const size = `${keyCount} keys, tree memory of ${memoryMiB} MiB`;
  recordCost(`${size}: rebuild`, 's', rebuildMs / 1_000);
  recordCost(`${size}: memory added by the rebuild, at most`, 'MiB', afterRebuild - before);
  recordCost(`${size}: memory added with blocks of ${changesABlock} changes, at most`, 'MiB', most - before);
  recordCost(`${size}: root of a block of ${changesABlock} changes`, 'ms', times);
  printReport('memory of the state tree', {
    keys: keyCount,
    'tree memory, MiB': memoryMiB,
    'rebuild, s': rebuildMs / 1000,
    'growth at most during the rebuild, MiB': afterRebuild - before,
    'growth at most in all, MiB': most - before,
    'changed keys a block': changesABlock,
    'largest batch of tree pages, MiB': largest / MIB,
    'root of a block, median ms': quantile(times, 0.5),
    'root of a block, slowest ms': quantile(times, 1),
  });
}

if (directory !== undefined) {
  await fill(directory);
} else {
  const path = await mkdtemp(join(tmpdir(), 'heddle-tree-memory-'));
  try {
    await measure(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
