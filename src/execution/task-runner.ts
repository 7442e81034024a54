import type { Cancellation } from './cancellation.js';

/** A kind of task; its input and result survive a structured clone. */
export interface TaskOf<Input, Result> {
  readonly input: Input;
  readonly result: Result;
}

export type TaskTable<Tasks> = { readonly [K in keyof Tasks]: TaskOf<unknown, unknown> };

export interface RunOptions {
  /** Aborts the wait for the task. If it is already running, its worker is ended and replaced. */
  readonly cancellation?: Cancellation;
  /** Whether to fail at once, without a retry, if the worker dies. */
  readonly once?: boolean;
}

/**
 * Runs tasks in workers. The sender of a kind of task declares it and depends on a runner of just that kind;
 * `pool/execution-tasks.ts` combines them, and `pool/execution-pool.ts` runs them all.
 */
export interface TaskRunner<Tasks extends TaskTable<Tasks>> {
  /** @throws ExecutionError */
  run<K extends keyof Tasks>(
    kind: K,
    input: Tasks[K]['input'],
    options?: RunOptions,
  ): Promise<Tasks[K]['result']>;
}

/** A {@link TaskRunner} with a known number of threads. */
export interface TaskWorkers<Tasks extends TaskTable<Tasks>> extends TaskRunner<Tasks> {
  readonly workers: number;
}
