import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 1_000;
/** A thread is idle if it spent less of the time since the last look in turns of its event loop. */
const IDLE_SHARE = 0.15;
/** Memory beyond the lowest amount seen that is worth a collection, in bytes. */
const WORTHWHILE_BYTES = 48 * 1024 * 1024;
/** Collections stop a thread for about 0.3 ms per MiB that survives; larger heaps are left to V8, which collects a little at a time. */
const MAX_LIVE_BYTES = 256 * 1024 * 1024;

/**
 * Collects the garbage of the calling thread when it becomes idle after a burst of work.
 *
 * V8 collects when a thread allocates, so an idle thread keeps the garbage of its last burst, which may be hundreds of MiB.
 * @returns stops it
 */
export function collectWhenIdle(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let busy = performance.eventLoopUtilization();
  let lowest = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(busy);
    busy = performance.eventLoopUtilization();
    lowest = Math.min(lowest, usedBytes());
    if (utilization > IDLE_SHARE || lowest > MAX_LIVE_BYTES) return;
    if (usedBytes() < lowest + WORTHWHILE_BYTES) return;
    collect();
    lowest = usedBytes();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** Bytes of the heap and of buffers outside of it. */
function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
