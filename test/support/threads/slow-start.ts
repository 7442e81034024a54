import type { WorkerSetup } from '../../../src/execution/pool/execution-tasks.js';

/** Setup that a test adds for slow-start-worker.ts. */
export interface SlowStartSetup extends WorkerSetup {
  readonly words: Int32Array<SharedArrayBuffer>;
}

/**
 * Shared words: the number of threads that began to load, a flag that lets all threads after the first continue, and
 * the number of concurrent tasks.
 */
export const WORD = { loading: 0, mayStart: 1, busy: 2 } as const;
