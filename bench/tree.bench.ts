/**
 * Cost of the state tree and the proof worker: rebuilding, starting, the roots of blocks, and state proofs.
 *
 *     npm run bench -- tree [keys, default 1000000] [changed keys a block, default 10000] [require | off]
 *
 * Values have 60 bytes, keys are random, every change hits another random key. The store is a real one in the temporary
 * directory. Aims: 10,000 changed keys of 1,000,000 under 60 ms, 5,000 of 20,000 under 30 ms, a rebuild of 1,000,000 keys
 * under 5 s, 5,000 proofs a second. Floor: two single hashes a changed key (1.4 µs).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHashes } from '../src/crypto/load-hashes.js';
import { ProofService } from '../src/proofs/proof-service.js';
import { LeafHasher } from '../src/proofs/tree/leaf-hashing.js';
import { sortChanges, type TreeChange } from '../src/proofs/tree/sorted-changes.js';
import { StateTree } from '../src/proofs/tree/state-tree.js';
import { writeTree } from '../src/proofs/write-tree.js';
import { be64 } from '../src/storage/big-endian.js';
import { openStore } from '../src/storage/open-store.js';
import type { Store } from '../src/storage/store.js';
import { type BatchPieces, WriteBatch } from '../src/storage/write-batch.js';
import { processMemory } from '../test/support/nodes/process-memory.js';
import { describePositionals } from './support/bench-arguments.js';
import { commitBlock } from './support/commit-block.js';
import { atLeast, atMost, recordCost, recordGain } from './support/record-values.js';
import { printReport, quantile } from './support/statistics.js';

const BLOCKS = 60;
/** Number of last blocks reported separately, when most pages are in memory. */
const WARM_BLOCKS = 20;
/** Callers that each request one proof at a time. */
const CALLERS = 64;
const PROOFS = 50_000;

const CACHE_BYTES = 64 * 1024 * 1024;

describePositionals('[keys, default 1000000] [changed keys a block, default 10000] [require | off]');
const keyCount = Number(process.argv[2] ?? 1_000_000);
const changesABlock = Number(process.argv[3] ?? 10_000);
const native = process.argv[4] === 'off' ? 'off' : 'require';

const keys = Array.from({ length: keyCount }, () => new Uint8Array(randomBytes(32)));
const value = () => new Uint8Array(randomBytes(60));

function blockChanges(): TreeChange[] {
  const picked = new Set<number>();
  while (picked.size < Math.min(changesABlock, keyCount)) picked.add(randomInt(keyCount));
  return [...picked]
    .map((index) => ({ key: keys[index] as Uint8Array, value: value() }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
}

async function timed<T>(times: number[], work: () => Promise<T> | T): Promise<T> {
  const from = performance.now();
  const result = await work();
  times.push(performance.now() - from);
  return result;
}

const milliseconds = (times: readonly number[]) =>
  `${quantile(times, 0.5).toFixed(1)} ms (fastest ${quantile(times, 0).toFixed(1)}, slowest ${quantile(times, 1).toFixed(1)})`;

async function fillState(store: Store): Promise<void> {
  for (let from = 0; from < keyCount; from += 50_000) {
    const batch = new WriteBatch();
    for (const key of keys.slice(from, from + 50_000)) {
      batch.put('state', key, Uint8Array.from([...be64(0n), ...value()]));
    }
    await store.write(batch, { sync: false });
  }
}

/** Computes the root in one sorted pass over the state, with pages in memory up to the cache's limit. */
async function rootOf(store: Store): Promise<Uint8Array> {
  const tree = StateTree.empty({ crypto: await loadHashes(native), store, cacheBytes: CACHE_BYTES });
  let step: TreeChange[] = [];
  for (const [key, raw] of store.scan('state', {})) {
    step.push({ key, value: raw.subarray(8) });
    if (step.length < 50_000) continue;
    tree.apply(step);
    step = [];
  }
  tree.apply(step);
  return tree.root();
}

const directory = await mkdtemp(join(tmpdir(), 'heddle-tree-bench-'));
const store = await openStore({ directory, native, report: () => undefined });
try {
  const rows: Record<string, string | number> = {
    keys: keyCount,
    'changed keys a block': changesABlock,
    native,
  };
  await fillState(store);
  const tip = { height: 0n, hash: new Uint8Array(32), stateRoot: await rootOf(store) };
  const flushed: number[] = [];
  const options = {
    store: store.handle,
    native,
    tip,
    onProgress: () => undefined,
    writeTree: (encoded: BatchPieces) => {
      flushed.push(encoded.reduce((sum, piece) => sum + piece.length, 0));
      return writeTree(store, encoded);
    },
  } as const;

  const rebuild: number[] = [];
  const rebuilt = await timed(rebuild, () => ProofService.start(options));
  await writeTree(store, await rebuilt.stop());
  rows['rebuild, with its writes'] = milliseconds(rebuild);

  const start: number[] = [];
  const service = await timed(start, () => ProofService.start(options));
  rows['start with nothing to replay'] = milliseconds(start);

  flushed.length = 0;
  const blocks: number[] = [];
  const stateRoots: Uint8Array[] = [tip.stateRoot];
  let parentHash: Uint8Array = tip.hash;
  for (let height = 1n; height <= BLOCKS; height++) {
    const changes = blockChanges();
    const roots = await timed(blocks, () =>
      service.blockRoots({ height, parentHash, changes, items: [], receipts: [] }),
    );
    await commitBlock({ store, proofs: service }, height, changes, roots);
    parentHash = roots.stateRoot;
    stateRoots.push(roots.stateRoot);
  }
  const proveAt = (height: number, key: Uint8Array) =>
    service.prove({ height: BigInt(height), stateRoot: stateRoots[height] ?? tip.stateRoot }, [key]);
  let asked = 0;
  const proofs: number[] = [];
  await timed(proofs, () =>
    Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (asked++ < PROOFS) await proveAt(BLOCKS, keys[randomInt(keyCount)] as Uint8Array);
      }),
    ),
  );
  rows[`proofs a second, ${CALLERS} callers`] = (PROOFS / (proofs[0] ?? 1)) * 1000;
  for (const height of [BLOCKS - 1, BLOCKS - 2, BLOCKS / 2]) {
    const old: number[] = [];
    await timed(old, () => proveAt(height, keys[0] as Uint8Array));
    rows[`first proof ${BLOCKS - height} blocks back`] = milliseconds(old);
  }
  await writeTree(store, await service.stop());
  rows['roots of a block, worker and back'] = milliseconds(blocks);
  rows[`of the last ${WARM_BLOCKS}`] = milliseconds(blocks.slice(-WARM_BLOCKS));
  rows['tree batches handed out, and their MB'] =
    `${flushed.length}, ${(quantile(flushed, 0.5) / 1e6).toFixed(1)}`;

  // The same work in this thread separates the tree's own share.
  const crypto = await loadHashes(native);
  const leaves = new LeafHasher(crypto);
  const kept = StateTree.open({ crypto, store, cacheBytes: CACHE_BYTES });
  const sorting: number[] = [];
  const applying: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const changes = blockChanges();
    const sorted = await timed(sorting, () => sortChanges(leaves, changes));
    await timed(applying, () => {
      // The replaced values are recorded as in the worker (`TreeBranches.apply`), which may undo the changes.
      const replaced = {
        count: sorted.count,
        entries: sorted.entries.slice(),
        present: new Uint8Array(sorted.count),
      };
      kept.applySorted(sorted, replaced);
    });
    const batch = new WriteBatch();
    const flush = kept.flush(BigInt(BLOCKS + block + 1));
    const pieces = flush.finish();
    batch.adopt(pieces);
    await store.write(batch, { sync: false });
    kept.cache.confirm(flush.number);
    kept.cache.chunks.giveBack(pieces);
  }
  rows['of which hashing the leaves'] = milliseconds(sorting);
  rows['of which the tree'] = milliseconds(applying);
  rows['tree pages in memory, MB'] = kept.cache.bytes / 1e6;
  rows['resident memory of the bench, MiB'] = processMemory(process.pid).residentMiB;
  const [size, changed] = [`${keyCount} keys`, `${changesABlock} changed keys`];
  // The aims are those of the default sizes.
  const isDefault = keyCount === 1_000_000 && changesABlock === 10_000;
  recordCost(`${size}: rebuild, with its writes`, 'ms', rebuild, isDefault ? atMost(5_000) : {});
  recordCost(`${size}: start with nothing to replay`, 'ms', start);
  recordCost(
    `${size}: root of a block of ${changed}`,
    'ms',
    blocks.slice(-WARM_BLOCKS),
    isDefault ? atMost(60) : {},
  );
  recordCost(`${size}: leaves of a block of ${changed}`, 'ms', sorting);
  recordCost(`${size}: tree of a block of ${changed}`, 'ms', applying);
  recordGain(`${size}: proofs`, '/s', (PROOFS / (proofs[0] ?? 1)) * 1_000, atLeast(5_000));
  printReport('state tree', rows);
} finally {
  await store.close();
  await rm(directory, { recursive: true, force: true });
}
