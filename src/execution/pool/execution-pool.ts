import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { errorMessage } from '../../base/errors.js';
import { StoreError } from '../../storage/store-error.js';
import { CONTRACT_STACK_MB, disableWasmInlining } from '../../vm/thread-stack.js';
import type { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { RunOptions, TaskWorkers } from '../task-runner.js';
import { requestRelease } from './call-channel.js';
import type {
  ExecutionTasks,
  Task,
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
  /** How many of them are started at once, the others with the first task; left out, all. */
  readonly startedWorkers?: number;
  /** How many tasks may wait or run; more are refused as overloaded. */
  readonly maxTasks?: number;
  /** Told of a thread that died while it had nothing to do; it is replaced. */
  readonly onWorkerError?: (error: unknown) => void;
  /** The module that the threads run; left out, the node's own. It exports `runTask`. */
  readonly worker?: URL;
}

/** How the library has it said which thread gets a task. */
type ChooseThread = NonNullable<NonNullable<ConstructorParameters<typeof Piscina>[0]>['loadBalancer']>;
/** A thread, as it is chosen. */
type Thread = Parameters<ChooseThread>[1][number];

const DEFAULT_MAX_TASKS = 4_096;
/** A thread that loads its module for longer than this is ended all the same when the pool stops. */
const MAX_LOADING_MS = 1_000;

/** Enough for a batch of signatures or calls; the default lets every thread grow six times as large. */
const YOUNG_GENERATION_MB = 8;

/** The threads that do what the main thread must not: one entry for every kind of task. */
export class ExecutionPool implements TaskWorkers<ExecutionTasks> {
  readonly workers: number;
  readonly #piscina: Piscina;
  readonly #starts: WorkerStarts;
  readonly #maxTasks: number;
  /** How many threads there are to be. */
  #wanted: number;
  /** Given a task at once: where it is idle, it has started, although that may not have been said yet. */
  readonly #first: number | undefined;
  /** Whether a task is to get no thread, so that one is made. */
  #isAdding = false;
  #load = 0;
  /** Channels that are served, or about to be. */
  readonly #channels = new Set<SharedArrayBuffer>();
  #stopped: Promise<void> | undefined;

  constructor(options: ExecutionPoolOptions) {
    const { setup, worker = new URL('../../../workers/execution-worker.js', import.meta.url) } = options;
    this.workers = options.workers ?? Math.max(1, availableParallelism() - 1);
    this.#maxTasks = options.maxTasks ?? DEFAULT_MAX_TASKS;
    disableWasmInlining();
    this.#piscina = new Piscina({
      filename: fileURLToPath(worker),
      name: 'runTask',
      workerData: { ...setup, fullStartsLeft: fullStartsLeft(this.workers) } satisfies WorkerSetup,
      resourceLimits: { stackSizeMb: CONTRACT_STACK_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      // Those that it begins with it takes for ready, and does not notice when they are: the others are made with tasks.
      minThreads: 1,
      maxThreads: this.workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      loadBalancer: (_task, threads) => this.#free(threads) ?? null,
      recordTiming: false,
    });
    this.#wanted = Math.min(this.workers, options.startedWorkers ?? this.workers);
    this.#starts = new WorkerStarts(this.#piscina, () => this.#startMissing());
    this.#first = this.#piscina.threads[0]?.threadId;
    this.#startOne();
    this.#startMissing();
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
    if (this.#wanted < this.workers) {
      this.#wanted = this.workers;
      this.#startMissing();
    }
    // A channel may keep its thread only where every task has one, and none waits for one that only starts.
    if (this.#load > this.#starts.started) for (const channel of this.#channels) requestRelease(channel);
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

  /** Ends the threads, those that load their module once they have. Tasks that wait or run fail as stopped. */
  stop(): Promise<void> {
    this.#stopped ??= this.#starts.settled(MAX_LOADING_MS).then(() => this.#piscina.destroy());
    return this.#stopped;
  }

  /** An idle thread that has started: a task that were given to another would wait for it, though others become free before. */
  #free(threads: readonly Thread[]): Thread | undefined {
    if (this.#isAdding) return undefined;
    const idle = threads.filter(({ currentUsage }) => currentUsage === 0);
    return idle.find(({ id }) => id === this.#first || this.#starts.hasStarted(id));
  }

  #startMissing(): void {
    if (this.#stopped !== undefined) return;
    for (let missing = this.#wanted - this.#piscina.threads.length; missing > 0; missing--) {
      this.#isAdding = true;
      this.#startOne();
      this.#isAdding = false;
    }
  }

  /**
   * The library makes a thread where a task gets none, and gives out what waits when a task is done or such a thread is ready;
   * the first one it takes for ready from the beginning, so that something has to be done there for it to notice.
   */
  #startOne(): void {
    const task: Task = { kind: 'start', input: undefined };
    // With a signal, others overtake it: they would wait behind it though threads are idle. Lost threads are replaced.
    this.#piscina.run(task, { signal: new AbortController().signal }).catch(() => undefined);
    this.#starts.look();
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

/** See {@link WorkerSetup.fullStartsLeft}. */
function fullStartsLeft(threads: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(memory)[0] = threads;
  return memory;
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
  const message = errorMessage(error);
  const cause = storeError === undefined ? error : new StoreError(storeError, message, { cause: error });
  return new ExecutionError('task_failed', `${kind}: ${message}`, { cause });
}
