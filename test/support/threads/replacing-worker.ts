import type { Task, TaskOutcome } from '../../../src/execution/pool/execution-tasks.js';

/** A pool worker that answers every task at once, except signatures that begin with 1: with those it hangs. */
export async function runTask({ kind, input }: Task): Promise<TaskOutcome> {
  if (kind === 'verify_signatures' && input[0] === 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  return { ok: true, result: new Uint8Array(0) };
}
