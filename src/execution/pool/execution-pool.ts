import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { type ThreadName, threadNumbers } from '../../async/thread-name.js';
import { errorMessage } from '../../base/errors.js';
import { StoreError } from '../../storage/store-error.js';
import { disableWasmInlining } from '../../vm/thread-stack.js';
import { CONTRACT_STACK_MB } from '../../vm/wasm/engine-limits.js';
import type { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { RunOptions, TaskWorkers } from '../task-runner.js';
import type {
  ExecutionTasks,
  Task,
  TaskInput,
  TaskKind,
  TaskOutcome,
  TaskResult,
  WorkerData,
  WorkerSetup,
} from './execution-tasks.js';
import { NativeLoads } from './native-loads.js';
import { WorkerStarts } from './worker-starts.js';

export interface ExecutionPoolOptions {
  readonly setup: WorkerSetup;
  /** Default `call-`. */
  readonly name?: ThreadName;
  /** Number of threads; one less than there are cores if absent, and at least one. */
  readonly workers?: number;
  /** Number of threads started at once (all if absent); the others start with the first task. */
  readonly startedWorkers?: number;
  /** Maximum number of tasks waiting or running; further ones are refused as overloaded. */
  readonly maxTasks?: number;
  /** Called when an idle thread died; it is replaced. */
  readonly onWorkerError?: (error: unknown) => void;
  /** The module that the threads run, which exports `runTask`; the node's own if absent. */
  readonly worker?: URL;
}

/** The library's hook that chooses a thread for a task. */
type ChooseThread = NonNullable<NonNullable<ConstructorParameters<typeof Piscina>[0]>['loadBalancer']>;
/** A thread, as the hook sees it. */
type Thread = Parameters<ChooseThread>[1][number];

const DEFAULT_MAX_TASKS = 4_096;
/** A thread that takes longer than this to load native code is terminated all the same when the pool stops. */
const MAX_NATIVE_LOAD_MS = 1_000;
/** The module that every thread loads first. */
const ENTRY = fileURLToPath(new URL('./import-worker.cjs', import.meta.url));

/** Enough for a batch of signatures or calls; the default lets every thread grow six times as large. */
const YOUNG_GENERATION_MB = 8;

/** The worker threads that keep heavy work off the main thread: one entry for every kind of task. */
export class ExecutionPool implements TaskWorkers<ExecutionTasks> {
  readonly workers: number;
  readonly #piscina: Piscina;
  readonly #nativeLoads = new NativeLoads();
  readonly #starts: WorkerStarts;
  readonly #maxTasks: number;
  #wanted: number;
  /** The first thread, which gets a task at once: if idle, it has started, even if it has not reported that yet. */
  readonly #first: number | undefined;
  /** While true, no task gets a thread, so that the library makes one. */
  #isAdding = false;
  #load = 0;
  #stopped: Promise<void> | undefined;

  constructor(options: ExecutionPoolOptions) {
    const {
      setup,
      name = 'call-',
      worker = new URL('../../../workers/execution-worker.js', import.meta.url),
    } = options;
    this.workers = options.workers ?? Math.max(1, availableParallelism() - 1);
    this.#maxTasks = options.maxTasks ?? DEFAULT_MAX_TASKS;
    disableWasmInlining();
    this.#piscina = new Piscina({
      filename: ENTRY,
      name: 'runTask',
      argv: [name],
      workerData: {
        ...setup,
        fullStartsLeft: fullStartsLeft(this.workers),
        nativeLoads: this.#nativeLoads.memory,
        threadNumbers: threadNumbers(),
        module: worker.href,
      } satisfies WorkerData,
      resourceLimits: { stackSizeMb: CONTRACT_STACK_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      // Only one, because the library considers initial threads ready before they have started.
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

  get load(): number {
    return this.#load;
  }

  /** Runs a task in a worker, and once more if the worker dies: tasks only read. @throws ExecutionError */
  async run<K extends TaskKind>(
    kind: K,
    input: TaskInput<K>,
    options: RunOptions = {},
  ): Promise<TaskResult<K>> {
    if (this.#load >= this.#maxTasks) {
      throw new ExecutionError('overloaded', `${this.#maxTasks} tasks are already waiting for a worker`);
    }
    this.#load++;
    if (this.#wanted < this.workers) {
      this.#wanted = this.workers;
      this.#startMissing();
    }
    try {
      const outcome = await this.#outcome({ kind, input }, options);
      if (outcome.ok) return outcome.result as TaskResult<K>;
      // A thread refuses to load anything while the pool stops.
      throw this.#stopped === undefined ? failure(kind, outcome) : stopped();
    } finally {
      this.#load--;
      this.#starts.look();
    }
  }

  /** Ends the threads. Tasks waiting or running fail as stopped. */
  stop(): Promise<void> {
    this.#stopped ??= this.#nativeLoads.close(MAX_NATIVE_LOAD_MS).then(() => this.#piscina.destroy());
    return this.#stopped;
  }

  /** Returns an idle thread that has started: on any other, a task would wait even if others become free. */
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
   * Makes the library create a thread, as it does for a task that gets none. The library assigns waiting tasks when a
   * task ends or a created thread becomes ready. It considers the first thread ready at once, and notices its start
   * only when a task ends.
   */
  #startOne(): void {
    const task: Task = { kind: 'start', input: undefined };
    // The signal lets other tasks overtake this one. Errors are ignored, because lost threads are replaced.
    this.#piscina.run(task, { signal: new AbortController().signal }).catch(() => undefined);
    this.#starts.look();
  }

  async #outcome(
    task: { readonly kind: TaskKind; readonly input: unknown },
    { cancellation, once = false }: RunOptions,
  ): Promise<TaskOutcome> {
    for (let attempt = 1; ; attempt++) {
      if (this.#stopped !== undefined) throw stopped();
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
        throw new ExecutionError('worker_died', `${died} died in a ${task.kind} task`, { cause: error });
      } finally {
        cancellation?.onCancel(undefined);
      }
    }
  }
}

function stopped(): ExecutionError {
  return new ExecutionError('stopped', 'the workers are being stopped');
}

/** See {@link WorkerSetup.fullStartsLeft}. */
function fullStartsLeft(threads: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(memory)[0] = threads;
  return memory;
}

/** Gives every attempt its own signal, because the library listens on it for longer than the attempt takes. */
function abortedBy(cancellation: Cancellation | undefined): { readonly signal?: AbortSignal } {
  if (cancellation === undefined) return {};
  const control = new AbortController();
  cancellation.onCancel(() => control.abort());
  return { signal: control.signal };
}

/** Wraps an error that the task threw. Structured clone keeps its message and stack but not its class. */
function failure(
  kind: TaskKind,
  { error, storeError }: Extract<TaskOutcome, { readonly error: unknown }>,
): ExecutionError {
  const message = errorMessage(error);
  const cause = storeError === undefined ? error : new StoreError(storeError, message, { cause: error });
  return new ExecutionError('task_failed', `${kind}: ${message}`, { cause });
}
