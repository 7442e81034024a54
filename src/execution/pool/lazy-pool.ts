import type { RunOptions, TaskWorkers } from '../task-runner.js';
import { ExecutionPool, type ExecutionPoolOptions } from './execution-pool.js';
import type { ExecutionTasks, TaskInput, TaskKind, TaskResult } from './messages.js';

/** A pool whose threads start with the first task: a node that is only read has none of them. */
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

  /** As {@link ExecutionPool.run}. @throws ExecutionError */
  run<K extends TaskKind>(kind: K, input: TaskInput<K>, options?: RunOptions): Promise<TaskResult<K>> {
    this.#pool ??= new ExecutionPool(this.#options);
    // One that begins after the end says so itself.
    if (this.#stopped) void this.#pool.stop();
    return this.#pool.run(kind, input, options);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pool?.stop();
  }
}
