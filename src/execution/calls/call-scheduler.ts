import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { toError } from '../../base/errors.js';
import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { RunOptions, TaskRunner } from '../task-runner.js';
import type { AttachedWriteLog } from '../tracing/replay-messages.js';
import { CallError } from '../views/call-error.js';
import { type BatchAnswers, decodeAnswer, readAnswers } from './call-answers.js';
import { encodeBatch } from './call-batch.js';
import { type CallTasks, progressMemory, TASK_NUMBERS } from './call-tasks.js';
import { HeldWorkers } from './held-workers.js';
import { type CallPart, SLOW_MS, type WaitingCall, WaitingCalls } from './waiting-calls.js';

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
  /** Which of several that share workers it is, counted from 0; each has task numbers of its own. 0 if absent. */
  readonly place?: number;
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
  /** How many workers are this scheduler's where several keep all of them busy; all if absent. */
  readonly share?: number;
}

/** Less than a second of one core's work where calls are cheap. */
const DEFAULT_MAX_WAITING = 16_384;
const DEFAULT_MAX_WAITING_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_WAIT_MS = 10_000;
const NO_WRITE_LOGS: readonly AttachedWriteLog[] = [];

/** A task under way. */
interface Batch {
  readonly calls: readonly WaitingCall[];
  readonly task: number;
  readonly cancellation: Cancellation;
  readonly startedAt: number;
  /** How many calls the worker had begun at the last look, and when that was first seen, in milliseconds. */
  begun: number;
  since: number;
  /** Of {@link HeldWorkers}, once its calls take long or where they may. */
  held: number | undefined;
  /** The call for which its worker is ended, and why. */
  ending: { readonly call: WaitingCall; readonly reason: Ending } | undefined;
}

/** It takes too long; nobody waits for it; or others wait while its client holds several workers. */
type Ending = 'late' | 'gone' | 'crowding';

/** A worker that is lost costs about as much as this, in milliseconds: calls for which nobody waits may go on for so long. */
const WORKER_RESTART_COST_MS = 250;
/** So long may a call wait while a client holds several workers. */
const PREEMPT_AFTER_MS = 250;
/** How often a scheduler without a batch looks for a worker that another one has freed, in milliseconds. */
const RETRY_MS = 5;

/**
 * Has workers answer calls:
 *
 * 1. Calls of one turn of the event loop, or that came while all workers were busy, travel together, divided evenly: a hop
 *    costs this thread about as much as two calls.
 * 2. A worker stops after some milliseconds; the calls of the batch that it has not begun are sent again. Expensive calls thus
 *    neither hold up blocks nor count against each other's time; and from then on clients take turns, see {@link WaitingCalls}.
 * 3. A call that runs for too long ends its worker. Workers note which call of a batch they are at: the others are not at
 *    fault, and are sent again; once, where a worker died by itself.
 * 4. Calls of callers that are gone are dropped; one that goes on for long ends its worker.
 * 5. Where somebody's calls have waited for long and all workers are held, of which a client has several, the newest of those
 *    gives way, and has another turn later. The worker is lost and takes its time to come back, so clients whose calls may
 *    take long do not get the last one: see {@link WaitingCalls}.
 *
 * Hot: guarded by `bench/view-call.bench.ts`. Not a `TickBatch`: callers are called back instead of each having a promise, and
 * calls that a worker gave back go before those that wait.
 */
export class CallScheduler {
  readonly #options: CallSchedulerOptions;
  readonly #calls: WaitingCalls;
  readonly #progress: Int32Array;
  /** One word that counts the batches under way of all that share the workers. */
  readonly #allRunning: Int32Array;
  readonly #held: HeldWorkers;
  /**
   * Not a Set: its tables, replaced as entries come and go, point from the old ones to the new. One that has grown old would keep
   * the calls of all that come after it from being collected young.
   */
  readonly #batches: Batch[] = [];
  readonly #firstTask: number;
  #isScheduled = false;
  #waiting = 0;
  /** When the turn began whose calls are gathered now. */
  #tickStartedAt = 0;
  #task = 0;
  #watch: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: CallSchedulerOptions) {
    this.#options = options;
    const { startedCalls, runningBatches, held } = progressMemory(options.progress);
    this.#progress = startedCalls;
    this.#allRunning = runningBatches;
    this.#held = new HeldWorkers(held, options.place ?? 0);
    this.#calls = new WaitingCalls({
      workers: options.pool.workers,
      held: this.#held,
      maxWaiting: options.maxWaiting ?? DEFAULT_MAX_WAITING,
      maxWaitingBytes: options.maxWaitingBytes ?? DEFAULT_MAX_WAITING_BYTES,
      maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
      refuse: (call, error) => this.#refuse(call, error),
    });
    this.#firstTask = (options.place ?? 0) * TASK_NUMBERS;
  }

  /** How many calls wait or are under way. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Answers one call by calling `resolve` with the JSON of its method's result, or `reject` with a CallError or an
   * ExecutionError. Either may happen at once.
   * @param encoded as `call-batch.ts` does it
   * @param caller who asks; left out, the node itself
   * @param writeLog what the earlier transactions of the block wrote, for a trace or a replay; read when the call is sent
   */
  ask(
    encoded: Uint8Array,
    resolve: WaitingCall['resolve'],
    reject: (error: Error) => void,
    caller: Caller = NODE_ITSELF,
    writeLog?: AttachedWriteLog,
  ): void {
    this.#waiting++;
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

  /** Gives free workers what is to be done next. */
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

  /** No batch of its own will end and send the next one: another scheduler holds the workers, and does not say when it frees one. */
  #startRetry(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#retry = undefined;
      this.#send();
    }, RETRY_MS).unref();
  }

  /** Notes the workers whose batches turned out to take long. */
  #noteHeld(now: number): void {
    for (const batch of this.#batches) {
      if (batch.held !== undefined || now - batch.startedAt <= SLOW_MS) continue;
      const underWay = batch.calls[Math.max(0, Atomics.load(this.#progress, batch.task) - 1)];
      if (underWay !== undefined) batch.held = this.#held.hold(underWay.caller.client);
    }
  }

  /**
   * How many workers may have something more of this scheduler: those that nobody has, but always as many as make up its share.
   * What takes long is not counted against that, or others would wait for it.
   */
  #freeWorkers(quick: number): number {
    const { workers } = this.#options.pool;
    const share = (this.#options.share ?? workers) - quick;
    const idle = workers - Atomics.load(this.#allRunning, 0);
    return Math.min(workers - this.#batches.length, Math.max(share, idle));
  }

  /** Never rejects: whoever asked is told instead. */
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
    // The worker goes on while these are answered.
    this.#send();
    for (let at = 0; at < lines.length; at++) {
      const call = calls[at];
      const line = lines[at];
      if (call !== undefined && line !== undefined) this.#settle(call, line, parts);
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
    // Where clients took no turns and need not begin to.
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

  /** Never throws: an answer that cannot be told, or read, is nothing to the other calls of its batch. */
  #settle(call: WaitingCall, line: string, parts: readonly SharedArrayBuffer[] | undefined): void {
    this.#waiting--;
    try {
      const answer = decodeAnswer(line);
      switch (answer.kind) {
        case 'result':
          call.resolve(answer.json, parts);
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

  /** A batch without answers: where one call of it is known to be at fault, the others are tried again. */
  #failed({ calls, task, ending }: Batch, error: unknown): void {
    const reason = toError(error);
    const isDeath = reason instanceof ExecutionError && reason.code === 'worker_died';
    const atFault = isDeath ? calls[Atomics.load(this.#progress, task) - 1] : ending?.call;
    if (atFault === undefined) {
      for (const call of calls) this.#refuse(call, reason);
      return;
    }
    const again: WaitingCall[] = [];
    for (const call of calls) {
      if (call === atFault) {
        if (isDeath) this.#refuse(call, reason);
        else if (ending?.reason === 'crowding') again.push(call);
        else this.#refuse(call, this.#endOf(ending?.reason));
      } else if (!isDeath) {
        // Which call it was is known for sure: there is no end to how often others may go on.
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

  #endOf(reason: Ending | undefined): Error {
    if (reason === 'gone') return new ExecutionError('aborted', 'nobody waits for the call any more');
    return new CallError({ code: 'timeout', limitMs: this.#options.maxCallMs });
  }

  /** Looks often enough that a call gets at most a tenth more than its time. */
  #startWatch(): NodeJS.Timeout {
    const everyMs = Math.min(100, Math.max(5, this.#options.maxCallMs / 10));
    return setInterval(() => this.#checkBatches(), everyMs).unref();
  }

  #checkBatches(): void {
    if (this.#batches.length === 0 && this.#calls.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
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
    // Another scheduler may have left a worker.
    this.#send();
  }

  #checkBatch(batch: Batch, now: number): void {
    const call = batch.calls[batch.begun - 1];
    if (call === undefined) return;
    const ms = now - batch.since;
    if (ms > this.#options.maxCallMs) this.#endWorker(batch, call, 'late', now);
    else if (ms > WORKER_RESTART_COST_MS && call.caller.isGone) this.#endWorker(batch, call, 'gone', now);
  }

  /** Frees a worker where a client has several and others have waited for long. */
  #preempt(now: number): void {
    if (Atomics.load(this.#allRunning, 0) < this.#options.pool.workers) return;
    const held = new Map<string, Batch[]>();
    for (const batch of this.#batches) {
      const call = batch.calls[batch.begun - 1];
      // One worker is on its way to be free.
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

/** The write logs that calls need, each once, as they are now. */
function writeLogsOf(calls: readonly WaitingCall[]): readonly AttachedWriteLog[] {
  const writeLogs = new Map<number, AttachedWriteLog>();
  for (const { writeLog } of calls) {
    if (writeLog === undefined) continue;
    const { height, parts, claim } = writeLog;
    const known = writeLogs.get(height);
    // One may be of a write log that was given up and begun again.
    if (known === undefined || parts.length >= known.parts.length) {
      writeLogs.set(height, { height, parts: [...parts], ...(claim === undefined ? {} : { claim }) });
    }
  }
  return writeLogs.size === 0 ? NO_WRITE_LOGS : [...writeLogs.values()];
}
