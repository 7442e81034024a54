/* A worker whose threads, except the first, start only when a test lets them. */

import { workerData } from 'node:worker_threads';
import type { Task, TaskOutcome } from '../../../src/execution/pool/execution-tasks.js';
import { type SlowStartSetup, WORD } from './slow-start.js';

const { words }: SlowStartSetup = workerData;
const before = Atomics.add(words, WORD.loading, 1);
Atomics.notify(words, WORD.loading);
if (before > 0) Atomics.wait(words, WORD.mayStart, 0);

/**
 * Answers at once, except that a non-empty batch of signatures waits until the number of busy threads reaches its
 * first byte.
 */
export function runTask({ kind, input }: Task): TaskOutcome {
  if (kind !== 'verify_signatures') return { ok: true, result: undefined };
  const [together = 0] = input;
  if (together > 0) {
    let busy = Atomics.add(words, WORD.busy, 1) + 1;
    Atomics.notify(words, WORD.busy);
    for (; busy < together; busy = Atomics.load(words, WORD.busy)) Atomics.wait(words, WORD.busy, busy);
  }
  return { ok: true, result: input };
}
