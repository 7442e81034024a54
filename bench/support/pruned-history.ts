import { randomBytes } from 'node:crypto';
import { putTip } from '../../src/ledger/chain-meta.js';
import { pruneHistory } from '../../src/storage/prune.js';
import { appendStateChanges, type StateChange } from '../../src/storage/state.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';

const BATCH_KEYS = 10_000;
const VALUE = new Uint8Array(32);

/**
 * Commits blocks of random keys, each followed by one that removes them again, and prunes their history. Two more blocks
 * follow, so that reads at the last height but one need the history.
 * @param first height of the first commit, above all earlier ones
 * @returns the height of the last commit
 */
export async function writePrunedHistory(store: Store, count: number, first: bigint): Promise<bigint> {
  const keys = Array.from({ length: count }, () => new Uint8Array(randomBytes(32)));
  for (let from = 0; from < count; from += BATCH_KEYS) {
    const part = keys.slice(from, from + BATCH_KEYS);
    const height = first + BigInt((2 * from) / BATCH_KEYS);
    await commit(
      store,
      height,
      part.map((key) => ({ key, previous: undefined, value: VALUE })),
    );
    const previous = store.getMany('state', part);
    await commit(
      store,
      height + 1n,
      part.map((key, place) => ({ key, previous: previous[place], value: undefined })),
    );
  }
  const pruned = first + BigInt(2 * Math.ceil(count / BATCH_KEYS));
  while (!(await pruneHistory(store, pruned)).done);
  const key = new Uint8Array(randomBytes(32));
  await commit(store, pruned, [{ key, previous: undefined, value: VALUE }]);
  await commit(store, pruned + 1n, [{ key, previous: store.get('state', key), value: undefined }]);
  return pruned + 1n;
}

async function commit(store: Store, height: bigint, changes: readonly StateChange[]): Promise<void> {
  const batch = new WriteBatch();
  appendStateChanges(batch, height, changes);
  putTip(batch, { height, hash: new Uint8Array(32) });
  await store.write(batch, { sync: false });
}
