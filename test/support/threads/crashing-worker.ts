/*
 * A worker that exits at its first tasks, to test the pool's reaction. Its input is a view of shared memory: word 0
 * counts the tasks begun, word 1 is the number of tasks that end their worker, and 1 in word 2 makes later tasks
 * hang.
 */

import type { Task, TaskOutcome } from '../../../src/execution/pool/execution-tasks.js';

export function runTask({ input }: Extract<Task, { kind: 'verify_signatures' }>): TaskOutcome {
  const words = new Int32Array(input.buffer);
  const begun = Atomics.add(words, 0, 1);
  if (begun < Atomics.load(words, 1)) process.exit(1);
  if (Atomics.load(words, 2) === 1) Atomics.wait(words, 2, 1);
  return { ok: true, result: new Uint8Array([begun]) };
}
