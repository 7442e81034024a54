import type { Cancellation } from './cancellation.js';

/** Kinds of task by name, each with what it takes and what it gives; both survive a structured clone. */
export type TaskTable<Tasks> = {
  readonly [K in keyof Tasks]: { readonly input: unknown; readonly result: unknown };
};

export interface RunOptions {
  /** Ends the wait for the task. One that runs already takes its worker with it, which then is replaced. */
  readonly cancellation?: Cancellation;
  /** Whether a task whose worker dies is given up at once. */
  readonly once?: boolean;
}

/**
 * Has workers do tasks. Who sends a kind of task declares it and takes a runner of just that; `pool/messages.ts` puts them
 * together, and `pool/execution-pool.ts` runs them all.
 */
export interface TaskRunner<Tasks extends TaskTable<Tasks>> {
  /** @throws ExecutionError */
  run<K extends keyof Tasks>(
    kind: K,
    input: Tasks[K]['input'],
    options?: RunOptions,
  ): Promise<Tasks[K]['result']>;
}

/** As {@link TaskRunner}, by so many threads. */
export interface TaskWorkers<Tasks extends TaskTable<Tasks>> extends TaskRunner<Tasks> {
  readonly workers: number;
}
