/*
 * An execution worker that exits at chosen block tasks. A file counts the tasks, because a new thread knows nothing
 * of its predecessor.
 */

import { appendFileSync, statSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Task, TaskOutcome, WorkerSetup } from '../../../src/execution/pool/execution-tasks.js';
import { serveTasks } from '../../../src/execution/worker/serve-tasks.js';

/** Setup added by the test. */
export interface DyingSetup extends WorkerSetup {
  /** A file with one byte for each task begun. */
  readonly begun: string;
  /** Indices of the tasks that end their thread, from 0. */
  readonly deadly: readonly number[];
  /** True to die within the first unit of the block, false to die before any. */
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
