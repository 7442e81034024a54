import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { RunOptions, TaskRunner } from '../task-runner.js';
import type { AttachedWriteLog } from '../tracing/replay-messages.js';
import { CallError } from '../views/call-error.js';
import { answerLines, decodeAnswer } from './call-answers.js';
import { encodeBatch, encodeCall } from './call-batch.js';
import { type CallTasks, TASK_NUMBERS } from './call-tasks.js';

/** Threads that answer batches of calls. */
export interface BatchWorkers {
  readonly workers: number;
  /** @throws ExecutionError */
  run(kind: 'calls', batch: Uint8Array, options?: RunOptions): Promise<string>;
}

export interface CallSchedulerOptions {
  readonly pool: BatchWorkers;
  /** For batches that travel with write logs of blocks. */
  readonly tasks: TaskRunner<Pick<CallTasks, 'traces'>>;
  /** As in the workers' CallSetup. */
  readonly progress: SharedArrayBuffer;
  /** The heights that calls run at where they do not say otherwise, and up to which they may ask. */
  readonly heights: () => { readonly tip: bigint; readonly finalized: bigint };
  /** The node's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Told of what whoever asked throws when it is answered: nothing that concerns the other calls. */
  readonly onFault: (error: unknown) => void;
  /** How long one call may run, in milliseconds. */
  readonly maxCallMs: number;
  /** How many calls may wait or be under way; more are refused as overloaded. */
  readonly maxWaiting?: number;
  /** How many bytes such calls may have together. */
  readonly maxWaitingBytes?: number;
  /** How long a call may wait to be begun, in milliseconds. */
  readonly maxWaitMs?: number;
}

/** Less than a second of one core's work where calls are cheap. */
const DEFAULT_MAX_WAITING = 16_384;
const DEFAULT_MAX_WAITING_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_WAIT_MS = 10_000;
/** How much the newest batch counts in what a call is taken to cost. */
const NEWEST = 0.25;
/** Below this many calls a task is not worth dividing: a hop to a worker costs about as much. */
const LEAST_PART = 8;
/** Above this many a task holds up what waits behind it. */
const GREATEST_PART = 128;
/** A task takes on no further call beyond so many bytes. */
const GREATEST_PART_BYTES = 256 * 1024;

const NO_WRITE_LOGS: readonly AttachedWriteLog[] = [];

interface WaitingCall {
  readonly encoded: Uint8Array;
  readonly writeLog: AttachedWriteLog | undefined;
  readonly resolve: (json: string) => void;
  readonly reject: (error: Error) => void;
  /** When it came, by the turn of the event loop. */
  readonly since: number;
  /** Whether it has lost a worker to another call already. */
  retried: boolean;
}

/** A task under way. */
interface Batch {
  readonly calls: readonly WaitingCall[];
  readonly task: number;
  readonly cancellation: Cancellation;
  /** How many calls the worker had begun at the last look, and when that was first seen, in milliseconds. */
  begun: number;
  since: number;
  /** The call that took too long. */
  lateCall: WaitingCall | undefined;
}

/**
 * Has workers answer calls:
 *
 * 1. Calls of one turn of the event loop, or that came while all workers were busy, travel together, divided evenly: a hop
 *    costs this thread about as much as two calls.
 * 2. A worker stops after some milliseconds; the calls of the batch that it has not begun are sent again, before all that
 *    wait. Expensive calls thus neither hold up blocks nor count against each other's time.
 * 3. A call that runs for too long ends its worker. Workers note which call of a batch they are at: the others are not at
 *    fault, and are sent again, once.
 * 4. Where too many calls wait, or too many bytes, or where one would wait for too long by what calls cost just now, it is
 *    refused as overloaded at once; one that did wait for too long is refused as well.
 *
 * Hot: guarded by `bench/view-call.bench.ts`. Not a `TurnBatch`: callers are called back instead of each having a promise, and
 * calls that a worker gave back go before those that wait.
 */
export class CallScheduler {
  readonly #options: CallSchedulerOptions;
  readonly #maxWaiting: number;
  readonly #maxWaitingBytes: number;
  readonly #maxWaitMs: number;
  readonly #progress: Int32Array;
  readonly #batches = new Set<Batch>();
  #gathered: WaitingCall[] = [];
  #isScheduled = false;
  #waiting = 0;
  #waitingBytes = 0;
  /** When the turn began whose calls are gathered now. */
  #turnAt = 0;
  /** What a call costs just now, in milliseconds of a worker; 0 while nothing is known. */
  #callMs = 0;
  #isFirst = true;
  #task = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: CallSchedulerOptions) {
    this.#options = options;
    this.#maxWaiting = options.maxWaiting ?? DEFAULT_MAX_WAITING;
    this.#maxWaitingBytes = options.maxWaitingBytes ?? DEFAULT_MAX_WAITING_BYTES;
    this.#maxWaitMs = options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
    this.#progress = new Int32Array(options.progress);
  }

  /** How many calls wait or are under way. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Answers one call by calling `resolve` with the JSON of its ViewCallResult, or `reject` with a CallError or an
   * ExecutionError. Either may happen at once.
   */
  call(args: ViewCallArgs, resolve: (json: string) => void, reject: (error: Error) => void): void {
    this.ask(encodeCall(args), resolve, reject);
  }

  /**
   * As {@link call}, for any call of `call-batch.ts`, encoded there: `resolve` gets the JSON of its method's result.
   * @param writeLog what the earlier transactions of the block wrote, for the trace of a transaction
   */
  ask(
    encoded: Uint8Array,
    resolve: (json: string) => void,
    reject: (error: Error) => void,
    writeLog?: AttachedWriteLog,
  ): void {
    // What calls cost before says nothing of those to come.
    if (this.#waiting === 0) {
      this.#callMs = 0;
      this.#isFirst = true;
    }
    if (
      this.#waiting >= this.#maxWaiting ||
      this.#waitingBytes + encoded.length > this.#maxWaitingBytes ||
      this.#waiting * this.#callMs > this.#maxWaitMs * this.#options.pool.workers
    ) {
      reject(new ExecutionError('overloaded', `${this.#waiting} calls wait already`));
      return;
    }
    this.#waiting++;
    this.#waitingBytes += encoded.length;
    if (!this.#isScheduled) this.#turnAt = performance.now();
    this.#gathered.push({ encoded, writeLog, resolve, reject, since: this.#turnAt, retried: false });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  /** Divides what is gathered over the tasks that may be started. */
  #send(): void {
    const { workers } = this.#options.pool;
    const free = workers - this.#batches.size;
    if (free <= 0 || this.#gathered.length === 0) return;
    this.#giveUpOld(performance.now());
    const gathered = this.#gathered;
    const parts = Math.min(free, Math.ceil(gathered.length / LEAST_PART));
    const size = Math.min(GREATEST_PART, Math.ceil(gathered.length / parts));
    let start = 0;
    for (let part = 0; part < parts && start < gathered.length; part++) {
      const end = partEnd(gathered, start, size);
      void this.#run(start === 0 && end === gathered.length ? gathered : gathered.slice(start, end));
      start = end;
    }
    this.#gathered = start === gathered.length ? [] : gathered.slice(start);
  }

  /** Never rejects: whoever asked is told instead. */
  async #run(calls: readonly WaitingCall[]): Promise<void> {
    const { pool, tasks, heights, now } = this.#options;
    const task = this.#task;
    this.#task = (task + 1) % TASK_NUMBERS;
    Atomics.store(this.#progress, task, 0);
    const cancellation = new Cancellation();
    const batch: Batch = { calls, task, cancellation, begun: 0, since: 0, lateCall: undefined };
    this.#batches.add(batch);
    this.#watch ??= this.#startWatch();
    const started = performance.now();
    let lines: readonly string[];
    try {
      const { tip, finalized } = heights();
      const head = { task, tipHeight: Number(tip), finalizedHeight: Number(finalized), nowMs: now() };
      const writeLogs = writeLogsOf(calls);
      const encoded = encodeBatch(
        head,
        calls.map(({ encoded }) => encoded),
      );
      const options = { cancellation };
      const answers = await (writeLogs.length === 0
        ? pool.run('calls', encoded, options)
        : tasks.run('traces', { batch: encoded, writeLogs }, options));
      lines = answerLines(answers);
    } catch (error) {
      this.#batches.delete(batch);
      this.#failed(batch, error);
      this.#send();
      return;
    }
    this.#batches.delete(batch);
    this.#noteCost((performance.now() - started) / lines.length);
    if (lines.length < calls.length) this.#sendAgain(calls.slice(lines.length));
    // The worker goes on while these are answered.
    this.#send();
    for (let at = 0; at < lines.length; at++) {
      const call = calls[at];
      const line = lines[at];
      if (call !== undefined && line !== undefined) this.#settle(call, line);
    }
    this.#send();
  }

  /** The first batch after a pause says more of what had to be loaded and compiled than of what calls cost. */
  #noteCost(callMs: number): void {
    if (this.#isFirst) this.#isFirst = false;
    else this.#callMs = this.#callMs === 0 ? callMs : this.#callMs + NEWEST * (callMs - this.#callMs);
  }

  /** Never throws: an answer that cannot be told, or read, is nothing to the other calls of its batch. */
  #settle(call: WaitingCall, line: string): void {
    this.#leave(call);
    try {
      const answer = decodeAnswer(line);
      switch (answer.kind) {
        case 'result':
          call.resolve(answer.json);
          return;
        case 'problem':
          call.reject(new CallError(answer.problem));
          return;
        case 'fault':
          call.reject(new ExecutionError('task_failed', `calls: ${answer.message}`));
      }
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  /** Never throws. */
  #refuse(call: WaitingCall, error: Error): void {
    this.#leave(call);
    try {
      call.reject(error);
    } catch (fault) {
      this.#options.onFault(fault);
    }
  }

  #leave(call: WaitingCall): void {
    this.#waiting--;
    this.#waitingBytes -= call.encoded.length;
  }

  #sendAgain(calls: readonly WaitingCall[]): void {
    this.#gathered = [...calls, ...this.#gathered];
  }

  /** A batch without answers: where one call of it is known to be at fault, the others are tried again. */
  #failed({ calls, task, lateCall }: Batch, error: unknown): void {
    const reason = error instanceof Error ? error : new Error(String(error));
    const isDeath = reason instanceof ExecutionError && reason.code === 'worker_died';
    const atFault = isDeath ? calls[Atomics.load(this.#progress, task) - 1] : lateCall;
    if (atFault === undefined) {
      for (const call of calls) this.#refuse(call, reason);
      return;
    }
    const again: WaitingCall[] = [];
    for (const call of calls) {
      if (call === atFault) {
        const { maxCallMs } = this.#options;
        this.#refuse(call, isDeath ? reason : new CallError({ code: 'timeout', limitMs: maxCallMs }));
      } else if (call.retried) {
        this.#refuse(call, new ExecutionError('overloaded', 'two workers were lost to other calls'));
      } else {
        call.retried = true;
        again.push(call);
      }
    }
    this.#sendAgain(again);
  }

  #giveUpOld(now: number): void {
    const young = this.#gathered.findIndex(({ since }) => now - since <= this.#maxWaitMs);
    if (young === 0) return;
    const given = this.#gathered.splice(0, young < 0 ? this.#gathered.length : young);
    for (const call of given) {
      this.#refuse(call, new ExecutionError('overloaded', `the call waited for ${this.#maxWaitMs} ms`));
    }
  }

  /** Looks often enough that a call gets at most a tenth more than its time. */
  #startWatch(): NodeJS.Timeout {
    const everyMs = Math.min(100, Math.max(5, this.#options.maxCallMs / 10));
    return setInterval(() => this.#look(), everyMs).unref();
  }

  #look(): void {
    if (this.#batches.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      return;
    }
    const now = performance.now();
    this.#giveUpOld(now);
    for (const batch of this.#batches) {
      const begun = Atomics.load(this.#progress, batch.task);
      if (begun !== batch.begun) {
        batch.begun = begun;
        batch.since = now;
      } else if (begun > 0 && batch.lateCall === undefined && now - batch.since > this.#options.maxCallMs) {
        batch.lateCall = batch.calls[begun - 1];
        batch.cancellation.cancel();
      }
    }
  }
}

/** The write logs that calls need, each once. */
function writeLogsOf(calls: readonly WaitingCall[]): readonly AttachedWriteLog[] {
  const writeLogs = new Map<number, AttachedWriteLog>();
  for (const { writeLog } of calls) {
    if (writeLog !== undefined) writeLogs.set(writeLog.height, writeLog);
  }
  return writeLogs.size === 0 ? NO_WRITE_LOGS : [...writeLogs.values()];
}

/** Where a part ends that begins at `start`: after `size` calls, or when it has bytes enough. */
function partEnd(calls: readonly WaitingCall[], start: number, size: number): number {
  let bytes = 0;
  let end = start;
  while (end < calls.length && end - start < size && bytes < GREATEST_PART_BYTES) {
    bytes += calls[end]?.encoded.length ?? 0;
    end++;
  }
  return end;
}
