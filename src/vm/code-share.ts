/**
 * Machine code that the process keeps compiled, in bytes as the engine bounds it: a quarter of where V8 ends the process.
 * What contracts as people write them really take is a third of it.
 */
const PROCESS_CODE_BYTES = 1024 * 1024 * 1024;
/** Every thread has room for two of the largest modules, and so for all that one transaction may enter. */
export const LEAST_CODE_BYTES = 32 * 1024 * 1024;

/** What of it one of so many threads that run contracts may have. Threads that have the same module share its code. */
export function codeShare(threads: number): number {
  return Math.max(LEAST_CODE_BYTES, Math.floor(PROCESS_CODE_BYTES / threads));
}
