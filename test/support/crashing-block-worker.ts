/*
 * An execution worker that dies of tasks for blocks, as often as the environment says: the tasks are counted in a file,
 * because a new thread knows nothing of the one before it.
 */

import { appendFileSync, statSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Task, TaskOutcome, WorkerSetup } from '../../src/execution/pool/messages.js';
import { serveTasks } from '../../src/execution/worker/serve-tasks.js';

/** What the test hands over beside what every worker gets. */
export interface DyingSetup extends WorkerSetup {
  /** A file that has one byte for each task begun. */
  readonly begun: string;
  /** Which of the tasks end their thread, the first being 0. */
  readonly deadly: readonly number[];
  /** Whether they end it in the middle of the first unit of the block, rather than before any. */
  readonly atFirstUnit?: boolean;
}

const setup: DyingSetup = workerData;
const serve = serveTasks(setup);

export async function runTask(task: Task): Promise<TaskOutcome> {
  if (task.kind === 'speculate') {
    const { size } = statSync(setup.begun);
    appendFileSync(setup.begun, '.');
    if (setup.deadly.includes(size)) {
      if (setup.atFirstUnit === true) Atomics.store(task.input.progress ?? new Int32Array(1), 0, 1);
      process.exit(1);
    }
  }
  return (await serve)(task);
}
