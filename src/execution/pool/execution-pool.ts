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
  TaskInput,
  TaskKind,
  TaskOutcome,
  TaskResult,
  WorkerData,
  WorkerSetup,
} from './execution-tasks.js';
import { NativeLoads } from './native-loads.js';

export interface ExecutionPoolOptions {
  readonly setup: WorkerSetup;
  /** Default `call-`. */
  readonly name?: ThreadName;
  readonly workers: number;
  /** Maximum number of tasks waiting or running; further ones are refused as overloaded. */
  readonly maxTasks?: number;
  /** Called when an idle thread died; it is replaced. */
  readonly onWorkerError?: (error: unknown) => void;
  /** The module that the threads run, which exports `runTask`; the node's own if absent. */
  readonly worker?: URL;
}

const DEFAULT_MAX_TASKS = 4_096;
/** A thread that takes longer than this to load native code is terminated all the same when the pool stops. */
const MAX_NATIVE_LOAD_MS = 1_000;
/** The module that every thread loads first. */
const ENTRY = fileURLToPath(new URL('./import-worker.cjs', import.meta.url));

/** Enough for a batch of signatures or calls; the default lets every thread grow six times as large. */
const YOUNG_GENERATION_MB = 8;

/**
 * The worker threads that keep heavy work off the main thread: one entry for every kind of task. The threads start with
 * the first task, so a node that needs none has none.
 */
export class ExecutionPool implements TaskWorkers<ExecutionTasks> {
  readonly workers: number;
  readonly #options: ExecutionPoolOptions;
  readonly #nativeLoads = new NativeLoads();
  #piscina: Piscina | undefined;
  #load = 0;
  #stopped: Promise<void> | undefined;

  constructor(options: ExecutionPoolOptions) {
    this.workers = options.workers;
    this.#options = options;
  }

  /** Number of tasks waiting or running. */
  get load(): number {
    return this.#load;
  }

  /** Runs a task in a worker, and once more if the worker dies: tasks only read. @throws ExecutionError */
  async run<K extends TaskKind>(
    kind: K,
    input: TaskInput<K>,
    options: RunOptions = {},
  ): Promise<TaskResult<K>> {
    const { maxTasks = DEFAULT_MAX_TASKS } = this.#options;
    if (this.#load >= maxTasks) {
      throw new ExecutionError('overloaded', `${maxTasks} tasks are already waiting for a worker`);
    }
    this.#load++;
    try {
      const outcome = await this.#outcome({ kind, input }, options);
      if (outcome.ok) return outcome.result as TaskResult<K>;
      // A thread refuses to load anything while the pool stops.
      throw this.#stopped === undefined ? failure(kind, outcome) : stopped();
    } finally {
      this.#load--;
    }
  }

  /** Ends the threads. Tasks waiting or running fail as stopped. */
  stop(): Promise<void> {
    this.#stopped ??= this.#nativeLoads.close(MAX_NATIVE_LOAD_MS).then(() => this.#piscina?.destroy());
    return this.#stopped;
  }

  #start(): Piscina {
    const {
      setup,
      name = 'call-',
      worker = new URL('../../../workers/execution-worker.js', import.meta.url),
    } = this.#options;
    disableWasmInlining();
    const ready = new Set<number>();
    const piscina = new Piscina({
      filename: ENTRY,
      name: 'runTask',
      argv: [name],
      workerData: {
        ...setup,
        nativeLoads: this.#nativeLoads.memory,
        threadNumbers: threadNumbers(),
        module: worker.href,
      } satisfies WorkerData,
      resourceLimits: { stackSizeMb: CONTRACT_STACK_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      minThreads: this.workers,
      maxThreads: this.workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      // The library's own balancer also gives tasks to replacements that have not loaded yet.
      loadBalancer: (_task, threads) =>
        threads.find(({ id, currentUsage }) => currentUsage === 0 && ready.has(id)) ?? null,
      recordTiming: false,
    });
    piscina.on('workerCreate', ({ id }: { readonly id: number }) => ready.add(id));
    piscina.on('workerDestroy', ({ id }: { readonly id: number }) => ready.delete(id));
    piscina.on('error', (error: unknown) => {
      if (this.#stopped === undefined) this.#options.onWorkerError?.(error);
    });
    return piscina;
  }

  async #outcome(
    task: { readonly kind: TaskKind; readonly input: unknown },
    { cancellation, once = false }: RunOptions,
  ): Promise<TaskOutcome> {
    for (let attempt = 1; ; attempt++) {
      if (this.#stopped !== undefined) throw stopped();
      this.#piscina ??= this.#start();
      try {
        return await this.#piscina.run(task, abortedBy(cancellation));
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
