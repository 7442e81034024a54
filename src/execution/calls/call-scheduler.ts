import { type CallAllowance, type Caller, NODE_ITSELF } from '../../async/caller.js';
import { toError } from '../../base/errors.js';
import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { RunOptions, TaskRunner } from '../task-runner.js';
import type { AttachedWriteLog } from '../tracing/replay-messages.js';
import { CallError } from '../views/call-error.js';
import { type BatchAnswers, decodeAnswer, readAnswers } from './call-answers.js';
import { encodeBatch } from './call-batch.js';
import { type CallPart, CallQueue, SLOW_MS, type WaitingCall } from './call-queue.js';
import { type CallTasks, progressMemory, TASK_NUMBERS } from './call-tasks.js';
import { HeldWorkers } from './held-workers.js';

export interface BatchWorkers {
  readonly workers: number;
  /** @throws ExecutionError */
  run(kind: 'calls', batch: Uint8Array, options?: RunOptions): Promise<string>;
}

export interface CallSchedulerOptions {
  readonly pool: BatchWorkers;
  /** For batches that carry write logs of blocks. */
  readonly tasks: TaskRunner<Pick<CallTasks, 'traces'>>;
  /** The same memory as in the workers' CallSetup. */
  readonly progress: SharedArrayBuffer;
  /** Index of this scheduler among those that share the workers, 0 if absent. Each has its own task numbers. */
  readonly place?: number;
  /** The default heights of calls, and the greatest they may request. */
  readonly heights: () => { readonly tip: bigint; readonly finalized: bigint };
  /** The node's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a caller's result handler throws; other calls are not affected. */
  readonly onFault: (error: unknown) => void;
  /** Time limit of one call, in milliseconds. */
  readonly maxCallMs: number;
  /** Maximum number of calls waiting or in flight; further ones are refused as overloaded. */
  readonly maxWaiting?: number;
  /** Maximum total size of the calls waiting or in flight, in bytes. */
  readonly maxWaitingBytes?: number;
  /** Maximum wait before a call begins, in milliseconds. */
  readonly maxWaitMs?: number;
  /** This scheduler's share of the workers while several schedulers keep all of them busy; all if absent. */
  readonly share?: number;
}

/** Default of `maxWaiting`: less than a second of one core's work if calls are cheap. */
export const MAX_WAITING_CALLS = 16_384;
/** Default of `maxWaitingBytes`. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_WAIT_MS = 10_000;
const NO_WRITE_LOGS: readonly AttachedWriteLog[] = [];

interface Batch {
  readonly calls: readonly WaitingCall[];
  readonly task: number;
  readonly cancellation: Cancellation;
  readonly startedAt: number;
  /** Number of calls that the worker has begun, and when that was first seen, in milliseconds. */
  begun: number;
  since: number;
  /** Index in {@link HeldWorkers}; set if the batch's calls take long or may take long. */
  held: number | undefined;
  /** The call that makes the scheduler terminate the worker, and the reason. */
  ending: { readonly call: WaitingCall; readonly reason: Ending } | undefined;
}

/** `late`: over the time limit. `gone`: the caller is. `crowding`: its client holds workers others need. */
type Ending = 'late' | 'gone' | 'crowding';

/** Approximate cost of losing a worker, in milliseconds: the time that a call may run after its caller is gone. */
const WORKER_RESTART_COST_MS = 250;
/** Milliseconds that a call waits before a client that holds several workers is preempted. */
const PREEMPT_AFTER_MS = 250;
/** Interval at which a scheduler without a batch checks for a worker that another one has freed, in milliseconds. */
const RETRY_MS = 5;

/**
 * Distributes calls to workers:
 *
 * 1. Calls of one event loop tick, or that came while all workers were busy, form batches of equal size: a hop costs
 *    this thread about as much as two calls.
 * 2. A worker stops after some milliseconds; the rest of its batch is sent again. Expensive calls thus neither delay
 *    blocks nor count against each other's time; from then on queueing is fair, see {@link CallQueue}.
 * 3. A call that exceeds its time limit ends its worker. Workers publish the index of the current call: the others are
 *    not at fault and are sent again, but only once if a worker died by itself.
 * 4. Calls of callers that are gone are dropped; one that keeps running for long ends its worker.
 * 5. If calls have waited for long, and all workers are held, several of them by one client, its newest call is
 *    preempted and runs again later. The worker is lost and takes time to restart, so clients whose calls may take long
 *    do not get the last one: see {@link CallQueue}.
 *
 * Hot: guarded by `bench/view-call.bench.ts`. Not a `TickBatch`: callers have callbacks rather than a promise each, and
 * calls that a worker returned go before those that wait.
 */
export class CallScheduler {
  readonly #options: CallSchedulerOptions;
  readonly #calls: CallQueue;
  readonly #progress: Int32Array;
  /** One word: the number of batches in flight across all schedulers that share the workers. */
  readonly #allRunning: Int32Array;
  readonly #held: HeldWorkers;
  /**
   * Not a Set: the tables that a growing or shrinking Set discards point to its newer ones. Once such a table is in
   * the old generation, the calls of all later tables can no longer be collected young.
   */
  readonly #batches: Batch[] = [];
  readonly #firstTask: number;
  #isScheduled = false;
  #waiting = 0;
  /** Start of the tick whose calls are being gathered. */
  #tickStartedAt = 0;
  #task = 0;
  /** The shortest time limit of the calls since the watch last ended, in milliseconds. */
  #shortestMs: number;
  #watch: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: CallSchedulerOptions) {
    this.#options = options;
    this.#shortestMs = options.maxCallMs;
    const { startedCalls, runningBatches, held } = progressMemory(options.progress);
    this.#progress = startedCalls;
    this.#allRunning = runningBatches;
    this.#held = new HeldWorkers(held, options.place ?? 0);
    this.#calls = new CallQueue({
      workers: options.pool.workers,
      held: this.#held,
      maxWaiting: options.maxWaiting ?? MAX_WAITING_CALLS,
      maxWaitingBytes: options.maxWaitingBytes ?? MAX_WAITING_BYTES,
      maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
      refuse: (call, error) => this.#refuse(call, error),
    });
    this.#firstTask = (options.place ?? 0) * TASK_NUMBERS;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Answers a call by `resolve` with the JSON of its method's result and the milliseconds that it waited for a
   * worker, or by `reject` with a CallError or an ExecutionError; either may happen synchronously.
   * @param encoded in the encoding of `call-batch.ts`
   * @param writeLog of the block's earlier transactions, for a trace or a replay; read when the call is sent
   */
  ask(
    encoded: Uint8Array,
    resolve: WaitingCall['resolve'],
    reject: (error: Error) => void,
    caller: Caller = NODE_ITSELF,
    writeLog?: AttachedWriteLog,
  ): void {
    this.#waiting++;
    if (caller.allowance?.ms !== undefined) this.#watchFor(caller.allowance.ms);
    if (!this.#isScheduled) this.#tickStartedAt = performance.now();
    this.#calls.add({
      encoded,
      bytes: encoded.length,
      writeLog,
      caller,
      resolve,
      reject,
      since: this.#tickStartedAt,
      client: undefined,
      retried: false,
    });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#calls.size === 0) return;
    if (this.#batches.length < this.#options.pool.workers) {
      const now = performance.now();
      this.#noteHeld(now);
      let quick = 0;
      for (const { held } of this.#batches) if (held === undefined) quick++;
      for (const part of this.#calls.take(this.#freeWorkers(quick), now)) void this.#run(part, now);
      if (this.#calls.size === 0) return;
    }
    this.#watch ??= this.#startWatch();
    if (this.#batches.length === 0) this.#retry ??= this.#startRetry();
  }

  /** Polls while this scheduler has no batch in flight: another one holds the workers and does not notify it. */
  #startRetry(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#retry = undefined;
      this.#send();
    }, RETRY_MS).unref();
  }

  /** Marks the workers of batches that turned out to take long. */
  #noteHeld(now: number): void {
    for (const batch of this.#batches) {
      if (batch.held !== undefined || now - batch.startedAt <= SLOW_MS) continue;
      const inFlight = batch.calls[Math.max(0, Atomics.load(this.#progress, batch.task) - 1)];
      if (inFlight !== undefined) batch.held = this.#held.hold(inFlight.caller.client);
    }
  }

  /**
   * Returns how many workers may get a batch: idle ones, but at least this scheduler's share less its `quick`
   * batches. Those that take long do not count against the share, or others would wait for them.
   */
  #freeWorkers(quick: number): number {
    const { workers } = this.#options.pool;
    const share = (this.#options.share ?? workers) - quick;
    const idle = workers - Atomics.load(this.#allRunning, 0);
    return Math.min(workers - this.#batches.length, Math.max(share, idle));
  }

  /** Never rejects: errors go to the callers. */
  async #run({ calls, held }: CallPart, startedAt: number): Promise<void> {
    const { pool, tasks, heights, now } = this.#options;
    const task = this.#firstTask + this.#task;
    this.#task = (this.#task + 1) % TASK_NUMBERS;
    Atomics.store(this.#progress, task, 0);
    const cancellation = new Cancellation();
    const batch: Batch = {
      calls,
      task,
      cancellation,
      startedAt,
      begun: 0,
      since: 0,
      held,
      ending: undefined,
    };
    this.#batches.push(batch);
    Atomics.add(this.#allRunning, 0, 1);
    this.#watch ??= this.#startWatch();
    let answers: BatchAnswers;
    let parts: readonly SharedArrayBuffer[] | undefined;
    try {
      const { tip, finalized } = heights();
      const head = { task, tipHeight: Number(tip), finalizedHeight: Number(finalized), nowMs: now() };
      const writeLogs = writeLogsOf(calls);
      const encoded = encodeBatch(
        head,
        calls.map(({ encoded }) => encoded),
      );
      const options = { cancellation };
      if (writeLogs.length === 0) {
        answers = readAnswers(await pool.run('calls', encoded, options));
      } else {
        const answered = await tasks.run('traces', { batch: encoded, writeLogs }, options);
        answers = readAnswers(answered.text);
        parts = answered.parts;
      }
    } catch (error) {
      this.#onBatchEnd(batch);
      this.#failed(batch, error);
      this.#send();
      return;
    }
    this.#onBatchEnd(batch);
    const { lines } = answers;
    if (lines.length < calls.length) this.#calls.requeue(calls.slice(lines.length));
    this.#charge(batch, answers);
    // The worker continues while the callers receive their results.
    this.#send();
    for (let at = 0; at < lines.length; at++) {
      const call = calls[at];
      const line = lines[at];
      if (call === undefined || line === undefined) continue;
      if (call.caller.allowance !== undefined) countUse(call.caller.allowance, answers, at);
      this.#settle(call, line, startedAt, parts);
    }
    this.#send();
  }

  #onBatchEnd(batch: Batch): void {
    this.#batches.splice(this.#batches.indexOf(batch), 1);
    Atomics.sub(this.#allRunning, 0, 1);
    if (batch.held !== undefined) this.#held.release(batch.held);
  }

  #charge({ calls, startedAt }: Batch, answers: BatchAnswers): void {
    const now = performance.now();
    // Fast path: queueing is not fair and need not become so.
    if (
      calls[0]?.client === undefined &&
      now - startedAt < SLOW_MS &&
      answers.lines.length === calls.length
    ) {
      this.#calls.noteQuick(now);
      return;
    }
    for (const [at, ms] of answers.costs().entries()) {
      const call = calls[at];
      if (call !== undefined) this.#calls.charge(call, ms, now);
    }
  }

  /** Never throws: a result that cannot be delivered or decoded does not affect the rest of its batch. */
  #settle(
    call: WaitingCall,
    line: string,
    startedAt: number,
    parts: readonly SharedArrayBuffer[] | undefined,
  ): void {
    this.#waiting--;
    try {
      const answer = decodeAnswer(line);
      switch (answer.kind) {
        case 'result':
          call.resolve(answer.json, startedAt - call.since, parts);
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
    this.#waiting--;
    try {
      call.reject(error);
    } catch (fault) {
      this.#options.onFault(fault);
    }
  }

  /** Handles a batch without results: if one call is known to be at fault, the others are sent again. */
  #failed({ calls, task, ending, since, startedAt }: Batch, error: unknown): void {
    const reason = toError(error);
    const isDeath = reason instanceof ExecutionError && reason.code === 'worker_died';
    const atFault = isDeath ? calls[Atomics.load(this.#progress, task) - 1] : ending?.call;
    if (atFault === undefined) {
      for (const call of calls) this.#refuse(call, reason);
      return;
    }
    const again: WaitingCall[] = [];
    if (ending?.reason !== 'crowding' || isDeath) {
      const ms = performance.now() - Math.max(since, startedAt) + WORKER_RESTART_COST_MS;
      atFault.caller.allowance?.use(ms, undefined);
    }
    for (const call of calls) {
      if (call === atFault) {
        if (isDeath) this.#refuse(call, reason);
        else if (ending?.reason === 'crowding') again.push(call);
        else this.#refuse(call, this.#endOf(call, ending?.reason));
      } else if (!isDeath) {
        // The call at fault is certain, so others may be retried without limit.
        again.push(call);
      } else if (call.retried) {
        this.#refuse(call, new ExecutionError('overloaded', 'two workers were lost to other calls'));
      } else {
        call.retried = true;
        again.push(call);
      }
    }
    this.#calls.requeue(again);
  }

  #endOf(call: WaitingCall, reason: Ending | undefined): Error {
    if (reason === 'gone') return new ExecutionError('aborted', 'the caller is gone');
    return new CallError({ code: 'timeout', limitMs: this.#limitMs(call) });
  }

  #limitMs({ caller: { allowance } }: WaitingCall): number {
    return Math.min(this.#options.maxCallMs, allowance?.ms ?? Number.POSITIVE_INFINITY);
  }

  /** Makes the watch fit a call with a shorter time limit. */
  #watchFor(limitMs: number): void {
    if (limitMs >= this.#shortestMs) return;
    this.#shortestMs = limitMs;
    if (this.#watch === undefined) return;
    clearInterval(this.#watch);
    this.#watch = this.#startWatch();
  }

  /** Checks often enough that a call exceeds its time limit by at most a tenth. */
  #startWatch(): NodeJS.Timeout {
    const everyMs = Math.min(100, Math.max(5, this.#shortestMs / 10));
    return setInterval(() => this.#checkBatches(), everyMs).unref();
  }

  #checkBatches(): void {
    if (this.#batches.length === 0 && this.#calls.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      this.#shortestMs = this.#options.maxCallMs;
      return;
    }
    const now = performance.now();
    this.#calls.dropExpired(now);
    this.#noteHeld(now);
    for (const batch of [...this.#batches]) {
      const begun = Atomics.load(this.#progress, batch.task);
      if (begun !== batch.begun) {
        batch.begun = begun;
        batch.since = now;
      } else if (begun > 0) {
        this.#checkBatch(batch, now);
      }
    }
    this.#preempt(now);
    // Another scheduler may have freed a worker.
    this.#send();
  }

  #checkBatch(batch: Batch, now: number): void {
    const call = batch.calls[batch.begun - 1];
    if (call === undefined) return;
    const ms = now - batch.since;
    if (ms > this.#limitMs(call)) this.#endWorker(batch, call, 'late', now);
    else if (ms > WORKER_RESTART_COST_MS && call.caller.isGone) this.#endWorker(batch, call, 'gone', now);
  }

  /** Frees a worker if a client has several and others have waited for long. */
  #preempt(now: number): void {
    if (Atomics.load(this.#allRunning, 0) < this.#options.pool.workers) return;
    const held = new Map<string, Batch[]>();
    for (const batch of this.#batches) {
      const call = batch.calls[batch.begun - 1];
      // A worker is about to become free.
      if (batch.ending !== undefined) return;
      if (call === undefined || now - batch.since < PREEMPT_AFTER_MS) continue;
      const { client } = call.caller;
      held.set(client, [...(held.get(client) ?? []), batch]);
    }
    for (const [client, batches] of held) {
      if (this.#held.countOf(client) < 2 || !this.#calls.hasOtherClientWaited(client, now - PREEMPT_AFTER_MS))
        continue;
      const newest = batches.reduce((one, other) => (other.since > one.since ? other : one));
      const call = newest.calls[newest.begun - 1];
      if (call === undefined) continue;
      this.#endWorker(newest, call, 'crowding', now);
      return;
    }
  }

  #endWorker(batch: Batch, call: WaitingCall, reason: Ending, now: number): void {
    if (batch.ending !== undefined) return;
    batch.ending = { call, reason };
    this.#calls.charge(call, now - batch.since + WORKER_RESTART_COST_MS, now);
    batch.cancellation.cancel();
  }
}

/** Reports what an answered call has used. */
function countUse(allowance: CallAllowance, answers: BatchAnswers, at: number): void {
  allowance.use(answers.costs()[at] ?? 0, answers.gas()[at] || 0);
}

/** Returns the write logs that calls need, each once, in their current state. */
function writeLogsOf(calls: readonly WaitingCall[]): readonly AttachedWriteLog[] {
  const writeLogs = new Map<number, AttachedWriteLog>();
  for (const { writeLog } of calls) {
    if (writeLog === undefined) continue;
    const { height, parts, claim } = writeLog;
    const known = writeLogs.get(height);
    // A call may refer to a write log that was evicted and begun again.
    if (known === undefined || parts.length >= known.parts.length) {
      writeLogs.set(height, { height, parts: [...parts], ...(claim === undefined ? {} : { claim }) });
    }
  }
  return writeLogs.size === 0 ? NO_WRITE_LOGS : [...writeLogs.values()];
}
