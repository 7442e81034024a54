import { ExecutionError } from '../execution-error.js';
import type { BlockGroup } from './group-outcomes.js';

/** Groups that a worker runs one after another. */
export interface Task {
  readonly groups: readonly BlockGroup[];
  readonly gas: number;
  /** Whether the worker executes exactly what the block will contain; otherwise it tries the groups. */
  readonly exact: boolean;
  /** Whether the block fails if the worker is lost. */
  readonly isLast: boolean;
  /** Whether its groups are expected to conflict, so that they cannot be split among workers. */
  readonly isConflicting: boolean;
  /** Whether it stops soon after it is cancelled: none of its groups is long. */
  readonly isFine: boolean;
}

/** The tasks of one block, running or waiting for a worker. */
export class TaskQueue {
  readonly #workers: number;
  readonly #run: (task: Task) => Promise<void>;
  /** Running tasks, including cancelled ones. */
  readonly #running = new Set<Promise<void>>();
  /** Groups of waiting and running tasks, except cancelled ones. */
  #activeGroups = new Set<BlockGroup>();
  #waiting: Task[] = [];
  #gas = 0;
  #failure: { readonly error: unknown } | undefined;

  /** @param run runs a task in a worker and records its results */
  constructor(workers: number, run: (task: Task) => Promise<void>) {
    this.#workers = workers;
    this.#run = run;
  }

  /** Whether no task is waiting or running, except cancelled ones. */
  get isIdle(): boolean {
    return this.#activeGroups.size === 0;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Expected gas of the waiting and running tasks. */
  get gas(): number {
    return this.#gas;
  }

  has(group: BlockGroup): boolean {
    return this.#activeGroups.has(group);
  }

  /** Adds tasks, and starts those that find a free worker. @param urgent go ahead of the waiting ones */
  add(tasks: readonly Task[], urgent: readonly Task[] = []): void {
    this.#waiting.unshift(...urgent);
    this.#waiting.push(...tasks);
    for (const { groups, gas } of [...urgent, ...tasks]) {
      for (const group of groups) this.#activeGroups.add(group);
      this.#gas += gas;
    }
    this.#startMore(false);
  }

  /** Starts a task at once. Resolves when it ends; errors are for {@link throwFailure}. */
  run(task: Task): Promise<void> {
    const flight = this.#run(task)
      .catch((error: unknown) => {
        // The groups of a lost worker run again, like invalid ones.
        if (task.isLast || !isLostWorker(error)) this.#failure ??= { error };
      })
      .finally(() => {
        this.#running.delete(flight);
        this.#untrack(task);
        if (this.#failure === undefined) this.#startMore(true);
        else this.cancel();
      });
    this.#running.add(flight);
    return flight;
  }

  /** Starts waiting tasks, and waits for a running one to end. */
  async next(): Promise<void> {
    this.#startMore(false);
    await Promise.race(this.#running);
  }

  /** Drops the waiting tasks, and ignores the results of running ones. */
  cancel(): void {
    this.#waiting = [];
    this.#activeGroups = new Set();
    this.#gas = 0;
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Keeps the workers busy. @param onlyFine stops at a task with long groups, to validate results first */
  #startMore(onlyFine: boolean): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const { isFine } = next;
      if (this.#running.size >= (isFine ? this.#workers + 1 : this.#workers) || (onlyFine && !isFine)) return;
      this.#waiting.shift();
      void this.run(next);
    }
  }

  #untrack({ groups: [first, ...others], gas }: Task): void {
    // A cancelled task is no longer counted.
    if (first === undefined || !this.#activeGroups.delete(first)) return;
    for (const group of others) this.#activeGroups.delete(group);
    this.#gas -= gas;
  }
}

function isLostWorker(error: unknown): boolean {
  return error instanceof ExecutionError && error.code === 'worker_died';
}
