/**
 * Budget of compiled machine code per process, in bytes by the engine's upper bound: a quarter of V8's limit, beyond
 * which V8 ends the process.
 */
const PROCESS_CODE_BYTES = 1024 * 1024 * 1024;
/** Minimum per thread: room for two of the largest modules, and for all code that one transaction may enter. */
export const MIN_CODE_BYTES = 32 * 1024 * 1024;

/** For a front thread, whose calls enter far less code: with 64 of them, no more than all other threads together. */
export const FRONT_CODE_BYTES = 16 * 1024 * 1024;

/** The share, in bytes, of each thread that runs contracts. Threads with the same module share its code. */
export function codeShare(threads: number): number {
  return Math.max(MIN_CODE_BYTES, Math.floor(PROCESS_CODE_BYTES / threads));
}

/**
 * Maximum number of contract instances per process. V8 reserves 10 GiB of address space for each memory, so 128 TiB
 * hold about 13,000. The difference is for replacement threads that start before the old ones are gone.
 */
const PROCESS_INSTANCES = 11_000;

/** More instances do not make a thread faster. */
const MAX_PER_THREAD = 2_048;

/** For a front thread. Few calls make a chain of calls, and a longer one runs in a worker. */
export const FRONT_INSTANCES = 16;

/** Minimum for a block thread: the deepest chain of calls, plus instances waiting to be discarded. */
const MIN_PER_BLOCK_THREAD = 80;

/** Instances per thread, given the numbers of threads. */
export interface InstanceShares {
  /** A chain of calls deeper than this ends without a result; its caller may retry. */
  readonly calls: number;
  /** Never fewer than the deepest chain of calls needs, so that a block's result does not depend on the machine. */
  readonly blocks: number;
}

export function instanceShares(workers: number, blockWorkers: number, frontThreads: number): InstanceShares {
  const shared = PROCESS_INSTANCES - FRONT_INSTANCES * frontThreads;
  const half = Math.floor(shared / 2 / blockWorkers);
  const blocks = Math.min(MAX_PER_THREAD, Math.max(MIN_PER_BLOCK_THREAD, half));
  const rest = Math.floor((shared - blocks * blockWorkers) / workers);
  return { calls: Math.min(MAX_PER_THREAD, Math.max(1, rest)), blocks };
}
