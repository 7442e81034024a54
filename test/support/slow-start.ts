import type { WorkerSetup } from '../../src/execution/pool/messages.js';

/** What a test hands over to slow-start-worker.ts, beside what every worker gets. */
export interface SlowStartSetup extends WorkerSetup {
  readonly words: Int32Array<SharedArrayBuffer>;
}

/**
 * Words that they share: how many threads began to load, whether those after the first may go on, and how many tasks are being
 * done at a time.
 */
export const WORD = { loading: 0, mayStart: 1, busy: 2 } as const;
