import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_INTERVAL_MS = 1_000;
/** A thread is idle if it spent less of the time since the last look in turns of its event loop. */
const IDLE_SHARE = 0.15;
/** Growth since the lowest use seen that is worth a collection, in bytes. The use must also have doubled. */
const MIN_GROWTH_BYTES = 48 * 1024 * 1024;
/** A collection stops the thread for as long as all that survives takes. V8 collects larger heaps a little at a time. */
const MAX_BYTES = 384 * 1024 * 1024;

/**
 * Collects the garbage of the calling thread when it becomes idle after a burst of work.
 *
 * V8 collects when a thread allocates, so an idle thread keeps the garbage of its last burst, which may be hundreds of MiB.
 * @returns stops it
 */
export function collectGarbageWhenIdle(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let busy = performance.eventLoopUtilization();
  let lowest = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(busy);
    busy = performance.eventLoopUtilization();
    const used = usedBytes();
    lowest = Math.min(lowest, used);
    if (utilization > IDLE_SHARE || used > MAX_BYTES) return;
    if (used - lowest < Math.max(MIN_GROWTH_BYTES, lowest)) return;
    collect();
    lowest = usedBytes();
  }, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Bytes of the heap and of buffers outside of it. */
function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
