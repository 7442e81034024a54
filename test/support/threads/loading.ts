import type { WorkerSetup } from '../../../src/execution/pool/execution-tasks.js';

/** Setup that a test adds for loading-worker.ts. */
export interface LoadingSetup extends WorkerSetup {
  readonly words: Int32Array<SharedArrayBuffer>;
}

/** Shared words: the number of threads that began to load, and the number of those that may load completely. */
export const WORD = { loading: 0, mayLoad: 1 } as const;

/** Signatures with which a thread hangs. */
export const HANG = new Uint8Array([1]);
