import { availableParallelism } from 'node:os';

/** Leaves address space for call workers; see `vm/thread-shares.ts`. */
export const MAX_BLOCK_WORKERS = 96;

const CORES = availableParallelism();
/** At least two even on two cores, or one long call would hold up the others beside an idle core (bench/macro). */
export const DEFAULT_WORKERS = Math.max(2, CORES - 1);
export const DEFAULT_BLOCK_WORKERS = Math.min(8, CORES);

/** More front threads do not help: even 256 cores default to this many. */
export const MAX_FRONT_THREADS = 64;
export const DEFAULT_FRONT_THREADS = Math.min(MAX_FRONT_THREADS, CORES);
