import type { RunOptions, TaskWorkers } from '../task-runner.js';
import { ExecutionPool, type ExecutionPoolOptions } from './execution-pool.js';
import type { ExecutionTasks, TaskInput, TaskKind, TaskResult } from './execution-tasks.js';

/** A pool whose threads start with the first task: a node that only serves reads has none. */
export class LazyPool implements TaskWorkers<ExecutionTasks> {
  readonly workers: number;
  readonly #options: ExecutionPoolOptions;
  #pool: ExecutionPool | undefined;
  #stopped = false;

  constructor(options: ExecutionPoolOptions & { readonly workers: number }) {
    this.workers = options.workers;
    this.#options = options;
  }

  get load(): number {
    return this.#pool?.load ?? 0;
  }

  /** Runs a task as {@link ExecutionPool.run} does. @throws ExecutionError */
  run<K extends TaskKind>(kind: K, input: TaskInput<K>, options?: RunOptions): Promise<TaskResult<K>> {
    this.#pool ??= new ExecutionPool(this.#options);
    // After a stop, the pool itself rejects the task.
    if (this.#stopped) void this.#pool.stop();
    return this.#pool.run(kind, input, options);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pool?.stop();
  }
}
