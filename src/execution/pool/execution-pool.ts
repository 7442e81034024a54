import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { describeCause, StoreError } from '../../storage/store-error.js';
import { CONTRACT_STACK_MB, keepFramesApart } from '../../vm/thread-stack.js';
import type { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { RunOptions, TaskWorkers } from '../task-runner.js';
import { askToLeave } from './call-channel.js';
import type {
  ExecutionTasks,
  TaskInput,
  TaskKind,
  TaskOutcome,
  TaskResult,
  WorkerSetup,
} from './messages.js';
import { WorkerStarts } from './worker-starts.js';

export interface ExecutionPoolOptions {
  readonly setup: WorkerSetup;
  /** How many threads; left out, one less than there are cores, and at least one. */
  readonly workers?: number;
  /** How many of them are started at once, the others when more tasks come than these can do; left out, all. */
  readonly startedWorkers?: number;
  /** How many tasks may wait or run; more are refused as overloaded. */
  readonly maxTasks?: number;
  /** Told of a thread that died while it had nothing to do; it is replaced. */
  readonly onWorkerError?: (error: unknown) => void;
  /** The module that the threads run; left out, the node's own. It exports `runTask`. */
  readonly worker?: URL;
}

const DEFAULT_MAX_TASKS = 4_096;
/** Time that running tasks get to end when the pool stops. */
const STOP_GRACE_MS = 1_000;

/** Enough for a batch of signatures or calls; the default lets every thread grow three times as large. */
const YOUNG_GENERATION_MB = 16;

/** The threads that do what the main thread must not: one entry for every kind of task. */
export class ExecutionPool implements TaskWorkers<ExecutionTasks> {
  readonly workers: number;
  readonly #piscina: Piscina;
  readonly #starts: WorkerStarts;
  readonly #maxTasks: number;
  #load = 0;
  /** Channels that are served, or about to be. */
  readonly #channels = new Set<SharedArrayBuffer>();
  #stopped: Promise<void> | undefined;

  constructor(options: ExecutionPoolOptions) {
    const { setup, worker = new URL('../../../workers/execution-worker.js', import.meta.url) } = options;
    this.workers = options.workers ?? Math.max(1, availableParallelism() - 1);
    this.#maxTasks = options.maxTasks ?? DEFAULT_MAX_TASKS;
    keepFramesApart();
    this.#piscina = new Piscina({
      filename: fileURLToPath(worker),
      name: 'runTask',
      workerData: setup,
      resourceLimits: { stackSizeMb: CONTRACT_STACK_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      minThreads: Math.min(this.workers, options.startedWorkers ?? this.workers),
      maxThreads: this.workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      closeTimeout: STOP_GRACE_MS,
      recordTiming: false,
    });
    this.#starts = new WorkerStarts(this.#piscina);
    this.#piscina.on('error', (error: unknown) => {
      if (this.#stopped === undefined) options.onWorkerError?.(error);
    });
  }

  /** How many tasks wait or run. */
  get load(): number {
    return this.#load;
  }

  /**
   * Has a worker do a task. One whose worker dies is given to another once: tasks only read.
   * @throws ExecutionError
   */
  async run<K extends TaskKind>(
    kind: K,
    input: TaskInput<K>,
    options: RunOptions = {},
  ): Promise<TaskResult<K>> {
    if (this.#load >= this.#maxTasks) {
      throw new ExecutionError('overloaded', `${this.#maxTasks} tasks wait for a worker already`);
    }
    this.#load++;
    if (this.#load > this.workers) for (const channel of this.#channels) askToLeave(channel);
    if (input instanceof SharedArrayBuffer) this.#channels.add(input);
    try {
      const outcome = await this.#outcome({ kind, input }, options);
      if (outcome.ok) return outcome.result as TaskResult<K>;
      throw failure(kind, outcome);
    } finally {
      if (input instanceof SharedArrayBuffer) this.#channels.delete(input);
      this.#load--;
      this.#starts.look();
    }
  }

  /** Lets running tasks end for up to a second, then ends the threads. Waiting tasks fail as stopped. */
  stop(): Promise<void> {
    this.#stopped ??= this.#starts.settled(STOP_GRACE_MS).then(() => this.#piscina.close({ force: true }));
    return this.#stopped;
  }

  async #outcome(
    task: { readonly kind: TaskKind; readonly input: unknown },
    { cancellation, once = false }: RunOptions,
  ): Promise<TaskOutcome> {
    for (let attempt = 1; ; attempt++) {
      if (this.#stopped !== undefined) throw new ExecutionError('stopped', 'the workers are being stopped');
      try {
        const running: Promise<TaskOutcome> = this.#piscina.run(task, abortedBy(cancellation));
        this.#starts.look();
        return await running;
      } catch (error) {
        if (this.#stopped !== undefined) continue;
        if (cancellation?.isCancelled === true) {
          throw new ExecutionError('aborted', `the wait for a ${task.kind} task was ended`, { cause: error });
        }
        if (attempt === 1 && !once) continue;
        const died = once ? 'a worker' : 'two workers';
        throw new ExecutionError('worker_died', `${died} died of a ${task.kind} task`, { cause: error });
      } finally {
        cancellation?.onCancel(undefined);
      }
    }
  }
}

/** A signal of its own for every attempt: the library listens on it for longer than the attempt takes. */
function abortedBy(cancellation: Cancellation | undefined): { readonly signal?: AbortSignal } {
  if (cancellation === undefined) return {};
  const control = new AbortController();
  cancellation.onCancel(() => control.abort());
  return { signal: control.signal };
}

/** An error that the task threw. Structured clone keeps its message and stack but not its class. */
function failure(
  kind: TaskKind,
  { error, storeError }: Extract<TaskOutcome, { readonly error: unknown }>,
): ExecutionError {
  const message = describeCause(error);
  const cause = storeError === undefined ? error : new StoreError(storeError, message, { cause: error });
  return new ExecutionError('task_failed', `${kind}: ${message}`, { cause });
}
