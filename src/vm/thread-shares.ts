/** Machine code that the process keeps compiled, in bytes as the engine bounds it: a quarter of where V8 ends the process. */
const PROCESS_CODE_BYTES = 1024 * 1024 * 1024;
/** Every thread has room for two of the largest modules, and so for all that one transaction may enter. */
export const MIN_CODE_BYTES = 32 * 1024 * 1024;

/** What of it one of so many threads that run contracts may have. Threads that have the same module share its code. */
export function codeShare(threads: number): number {
  return Math.max(MIN_CODE_BYTES, Math.floor(PROCESS_CODE_BYTES / threads));
}

/**
 * Instances of contracts in a process. V8 sets 10 GiB of address space aside for each memory, of 128 TiB: about 13,000. The
 * rest is for threads that replace others before these are gone.
 */
const PROCESS_INSTANCES = 11_000;

/** More do not make a thread faster. */
const MAX_PER_THREAD = 2_048;

/** What a thread of blocks must have: the deepest chain of calls, and room for those that wait to be given up. */
const MIN_PER_BLOCK_THREAD = 80;

/** The share of each thread, when so many serve calls and so many blocks. */
export interface InstanceShares {
  /** A deeper chain of calls than this ends without a result, which its caller may ask for again. */
  readonly calls: number;
  /** Never fewer than the deepest chain of calls needs: what a block comes to depends on no machine. */
  readonly blocks: number;
}

export function instanceShares(workers: number, blockWorkers: number): InstanceShares {
  const half = Math.floor(PROCESS_INSTANCES / 2 / blockWorkers);
  const blocks = Math.min(MAX_PER_THREAD, Math.max(MIN_PER_BLOCK_THREAD, half));
  const rest = Math.floor((PROCESS_INSTANCES - blocks * blockWorkers) / workers);
  return { calls: Math.min(MAX_PER_THREAD, Math.max(1, rest)), blocks };
}
