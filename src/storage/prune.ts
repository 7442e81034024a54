import { be64, readBe64 } from './big-endian.js';
import { historyKey, oldestHeight, STATE_KEY_BYTES, setOldestHeight, splitKeys } from './state.js';
import type { Store } from './store.js';
import { WriteBatch } from './write-batch.js';

export interface PruneProgress {
  /** True if nothing below the line is left. */
  readonly done: boolean;
  /** Upper bound on the number of history entries that this step dropped. */
  readonly keys: number;
}

/** Default number of keys per step: about 30 ms of the writer's time. */
const DEFAULT_KEYS_PER_STEP = 4096;

/**
 * Runs one bounded step of pruning: drops history entries overwritten at or below `line`, which are needed only by
 * reads below the line, and their change lists. The first step raises the oldest readable height to the line, in the
 * same batch. The rest may be interrupted and resumed at any time, even after a restart. Call until `done`.
 * @param line the oldest height to stay readable; a line at or below the current oldest height only finishes earlier
 *   work.
 * @param maxKeys maximum number of history entries to drop in this step, at least 1.
 */
export async function pruneHistory(
  store: Store,
  line: bigint,
  maxKeys = DEFAULT_KEYS_PER_STEP,
): Promise<PruneProgress> {
  const batch = new WriteBatch();
  const oldest = oldestHeight(store);
  const effectiveLine = line > oldest ? line : oldest;
  if (effectiveLine > oldest) setOldestHeight(batch, effectiveLine);

  let left = maxKeys;
  let done = true;
  for (const [heightKey, list] of store.scan('changes', { lt: be64(effectiveLine + 1n) })) {
    if (left <= 0) {
      done = false;
      break;
    }
    const height = readBe64(heightKey, 0);
    const keys = splitKeys(list);
    const dropped = keys.slice(0, left);
    for (const key of dropped) batch.delete('history', historyKey(key, height));
    left -= dropped.length;
    if (dropped.length === keys.length) {
      batch.delete('changes', heightKey);
    } else {
      batch.put('changes', heightKey, list.subarray(dropped.length * STATE_KEY_BYTES));
      done = false;
      break;
    }
  }

  if (batch.count > 0) await store.write(batch, { sync: false });
  return { done, keys: maxKeys - left };
}
