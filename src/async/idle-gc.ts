import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_INTERVAL_MS = 1_000;
/** A thread is idle if its event loop utilization since the last check is at most this. */
const IDLE_SHARE = 0.15;
/** Minimum growth, in bytes, above the lowest usage seen; the usage must also have doubled. */
const MIN_GROWTH_BYTES = 48 * 1024 * 1024;
/** A larger heap is left to V8, which collects it incrementally: a forced collection would block the thread. */
const MAX_BYTES = 384 * 1024 * 1024;

/**
 * Collects the garbage of the calling thread when it becomes idle after a burst of work: V8 collects when a thread
 * allocates, so it would keep the garbage of the burst, which may be hundreds of MiB.
 * @returns a function that stops the checks
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

function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
