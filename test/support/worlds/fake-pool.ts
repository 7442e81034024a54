import { ExecutionError } from '../../../src/execution/execution-error.js';
import type { ExecutionPool } from '../../../src/execution/pool/execution-pool.js';
import type { TaskInput, TaskKind, TaskResult } from '../../../src/execution/pool/execution-tasks.js';
import type { RunOptions } from '../../../src/execution/task-runner.js';

/** Handlers of tasks by kind. */
export type TaskHandlers = {
  readonly [K in TaskKind]?: (input: TaskInput<K>, options: RunOptions) => Promise<TaskResult<K>>;
};

/** A pool whose tasks run in this thread. A task of another kind fails. */
export function fakePool(
  doers: TaskHandlers,
  { workers = 1, load = 0 }: { readonly workers?: number; readonly load?: number } = {},
): Pick<ExecutionPool, 'run' | 'load' | 'workers'> {
  return {
    workers,
    load,
    run: <K extends TaskKind>(kind: K, input: TaskInput<K>, options: RunOptions = {}) => {
      const doer: TaskHandlers[K] = doers[kind];
      if (doer !== undefined) return doer(input, options);
      return Promise.reject(new ExecutionError('stopped', `nobody does a ${kind} task here`));
    },
  };
}
