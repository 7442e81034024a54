import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { toError } from '../../base/errors.js';
import { sharedTextBytes } from '../../base/shared-text.js';
import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { TaskWorkers } from '../task-runner.js';
import { CallError } from '../views/call-error.js';
import { type CallListener, CallQueue, SLOW_MS, type TakenCalls, type WaitingCall } from './call-queue.js';
import type { AnsweredCall, CallTasks, WorkerCall } from './worker-call.js';

/** Has calls answered by workers; the caller's allowance is charged. */
export interface Calls {
  /** Number of calls waiting or in a worker. */
  readonly waiting: number;
  ask(call: WorkerCall, listener: CallListener, caller?: Caller): void;
}

export interface WorkerCallsOptions {
  readonly pool: TaskWorkers<CallTasks>;
  /** The same memory as in the workers' setup. */
  readonly progress: SharedArrayBuffer;
  /** The default heights of calls, and the greatest they may request. */
  readonly heights: () => { readonly tip: bigint; readonly finalized: bigint };
  /** The node's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a caller's listener throws; other calls are not affected. */
  readonly onFault: (error: unknown) => void;
  /** Time limit of one call, in milliseconds. */
  readonly maxCallMs: number;
  /** Maximum number of calls waiting; further ones are refused as overloaded. */
  readonly maxWaiting?: number;
  /** Maximum total size of the waiting calls, in bytes. */
  readonly maxWaitingBytes?: number;
  /** Maximum wait before a call begins, in milliseconds. */
  readonly maxWaitMs?: number;
}

const MAX_WAITING = 16_384;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_WAIT_MS = 10_000;
/** Approximate cost of losing a worker, in milliseconds: the time that a call may run after its caller is gone. */
const WORKER_RESTART_COST_MS = 250;
/** Milliseconds that a call waits before a client that holds several workers is preempted. */
const PREEMPT_AFTER_MS = 250;

/** The calls in one worker. */
interface Running {
  readonly calls: readonly WaitingCall[];
  readonly slot: number;
  readonly cancellation: Cancellation;
  readonly startedAt: number;
  /** Whether the calls take long or may take long. */
  isLong: boolean;
  /** Number of calls that the worker has begun, and when that was first seen, in milliseconds. */
  begun: number;
  since: number;
  /** Set when the worker is being terminated: the call that caused it, and why. */
  ending: { readonly call: WaitingCall; readonly reason: Ending } | undefined;
}

/** `late`: over the time limit. `gone`: the caller is. `crowding`: its client holds workers others need. */
type Ending = 'late' | 'gone' | 'crowding';

/**
 * The queue in front of the workers, for the calls of all threads.
 *
 * 1. A worker gets calls when it is free: one, or several that are short. Workers count the calls they begin, and stop
 *    after some milliseconds: the rest of their calls is sent again.
 * 2. A call that exceeds its time limit ends its worker. The others of its group are not at fault and are sent again, but
 *    only once if a worker died by itself.
 * 3. Calls of callers that are gone are dropped; one that keeps running for long ends its worker.
 * 4. If calls have waited for long, and all workers are busy, several of them with calls of one client, its newest call
 *    is preempted and runs again later. The worker is lost and takes time to restart, so clients whose calls may take
 *    long do not get the last one: see {@link CallQueue}.
 */
export class WorkerCalls implements Calls {
  readonly #options: WorkerCallsOptions;
  readonly #queue: CallQueue;
  readonly #progress: Int32Array;
  readonly #running: Running[] = [];
  readonly #freeSlots: number[];
  #isScheduled = false;
  #waiting = 0;
  /** The shortest time limit of the calls since the watch last ended, in milliseconds. */
  #shortestMs: number;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: WorkerCallsOptions) {
    const { pool, progress, maxCallMs } = options;
    this.#options = options;
    this.#shortestMs = maxCallMs;
    this.#progress = new Int32Array(progress);
    this.#freeSlots = Array.from({ length: pool.workers }, (_, slot) => slot);
    this.#queue = new CallQueue({
      workers: pool.workers,
      maxWaiting: options.maxWaiting ?? MAX_WAITING,
      maxWaitingBytes: options.maxWaitingBytes ?? MAX_WAITING_BYTES,
      maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
      refuse: (call, error) => this.#refuse(call, error),
    });
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Calls the listener once, possibly before this returns. */
  ask(call: WorkerCall, { resolve, reject }: CallListener, caller: Caller = NODE_ITSELF): void {
    this.#waiting++;
    if (caller.allowance?.ms !== undefined) this.#watchFor(caller.allowance.ms);
    const bytes = 'params' in call ? sharedTextBytes(call.params) : 0;
    this.#queue.add({ call, bytes, caller, resolve, reject, since: performance.now(), retried: false });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#queue.size === 0) return;
    const now = performance.now();
    this.#noteLong(now);
    for (let free = this.#freeSlots.length; free > 0; free--) {
      const held = this.#running.filter(({ isLong }) => isLong).map(clientOf);
      const taken = this.#queue.take(free, held, now);
      if (taken.calls.length === 0) break;
      void this.#run(taken, now);
    }
    if (this.#queue.size > 0) this.#watch ??= this.#startWatch();
  }

  /** Marks the workers whose calls turned out to take long. */
  #noteLong(now: number): void {
    for (const running of this.#running) {
      if (now - running.startedAt > SLOW_MS && this.#begunOf(running) > 0) running.isLong = true;
    }
  }

  #begunOf({ slot }: Running): number {
    return Atomics.load(this.#progress, slot);
  }

  /** Never rejects: errors go to the callers. */
  async #run({ calls, mayTakeLong }: TakenCalls, startedAt: number): Promise<void> {
    const { pool, heights, now } = this.#options;
    const slot = this.#freeSlots.pop() ?? 0;
    Atomics.store(this.#progress, slot, 0);
    const cancellation = new Cancellation();
    const state = { begun: 0, since: 0, isLong: mayTakeLong, ending: undefined };
    const running: Running = { calls, slot, cancellation, startedAt, ...state };
    this.#running.push(running);
    this.#watch ??= this.#startWatch();
    let answers: readonly AnsweredCall[] | undefined;
    try {
      const { tip, finalized } = heights();
      const head = { tipHeight: Number(tip), finalizedHeight: Number(finalized), nowMs: now() };
      const group = { calls: calls.map(({ call }) => sent(call)), head, slot };
      answers = await pool.run('calls', group, { cancellation });
    } catch (error) {
      this.#failed(running, error);
    }
    this.#running.splice(this.#running.indexOf(running), 1);
    this.#freeSlots.push(slot);
    if (answers !== undefined) {
      if (answers.length < calls.length) this.#queue.requeue(calls.slice(answers.length));
      const at = performance.now();
      for (const [index, { ms }] of answers.entries()) {
        const call = calls[index];
        if (call !== undefined) this.#queue.charge(call, ms, at);
      }
    }
    // The worker continues while the callers receive their results.
    this.#send();
    for (const [index, answer] of (answers ?? []).entries()) {
      const call = calls[index];
      if (call !== undefined) this.#settle(call, answer, startedAt);
    }
  }

  /** Never throws: a result that cannot be delivered does not affect the rest of its group. */
  #settle(call: WaitingCall, { outcome, ms, gas }: AnsweredCall, startedAt: number): void {
    this.#waiting--;
    try {
      call.caller.allowance?.use(ms, gas);
      if ('json' in outcome) call.resolve(outcome.json, startedAt - call.since, outcome.part);
      else if ('problem' in outcome) call.reject(new CallError(outcome.problem));
      else call.reject(new ExecutionError('task_failed', `calls: ${outcome.fault}`));
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

  /** Handles a group without answers: if one call is known to be at fault, the others are sent again. */
  #failed(running: Running, error: unknown): void {
    const { calls, ending, since, startedAt } = running;
    const reason = toError(error);
    const isDeath = reason instanceof ExecutionError && reason.code === 'worker_died';
    const atFault = isDeath ? calls[this.#begunOf(running) - 1] : ending?.call;
    if (atFault === undefined) {
      for (const call of calls) this.#refuse(call, reason);
      return;
    }
    const isPreempted = ending?.reason === 'crowding' && !isDeath;
    if (!isPreempted) {
      const ms = performance.now() - Math.max(since, startedAt) + WORKER_RESTART_COST_MS;
      atFault.caller.allowance?.use(ms, undefined);
    }
    const again: WaitingCall[] = [];
    for (const call of calls) {
      // Where the call at fault is certain, others may be retried without limit.
      if (call === atFault ? isPreempted : !isDeath || !call.retried) {
        call.retried ||= isDeath;
        again.push(call);
      } else if (call !== atFault) {
        this.#refuse(call, new ExecutionError('overloaded', 'two workers were lost to other calls'));
      } else {
        this.#refuse(call, isDeath ? reason : this.#endOf(call, ending?.reason));
      }
    }
    this.#queue.requeue(again);
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
    return setInterval(() => this.#check(), everyMs).unref();
  }

  #check(): void {
    if (this.#running.length === 0 && this.#queue.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      this.#shortestMs = this.#options.maxCallMs;
      return;
    }
    const now = performance.now();
    this.#queue.dropExpired(now);
    this.#noteLong(now);
    for (const running of [...this.#running]) {
      const begun = this.#begunOf(running);
      if (begun !== running.begun) {
        running.begun = begun;
        running.since = now;
      } else if (begun > 0) {
        this.#checkTime(running, now);
      }
    }
    this.#preempt(now);
    this.#send();
  }

  #checkTime(running: Running, now: number): void {
    const call = running.calls[running.begun - 1];
    if (call === undefined) return;
    const ms = now - running.since;
    if (ms > this.#limitMs(call)) this.#endWorker(running, call, 'late', now);
    else if (ms > WORKER_RESTART_COST_MS && call.caller.isGone) this.#endWorker(running, call, 'gone', now);
  }

  /** Frees a worker if a client has several and others have waited for long. */
  #preempt(now: number): void {
    // Either a worker is free, or about to become free.
    if (this.#freeSlots.length > 0 || this.#running.some(({ ending }) => ending !== undefined)) return;
    const newestFirst = this.#running.toSorted((one, other) => other.since - one.since);
    for (const running of newestFirst) {
      const call = running.calls[running.begun - 1];
      if (call === undefined || now - running.since < PREEMPT_AFTER_MS) continue;
      const { client } = call.caller;
      const held = this.#running.filter((other) => other.isLong && clientOf(other) === client);
      if (held.length < 2 || !this.#queue.hasOtherClientWaited(client, now - PREEMPT_AFTER_MS)) continue;
      this.#endWorker(running, call, 'crowding', now);
      return;
    }
  }

  #endWorker(running: Running, call: WaitingCall, reason: Ending, now: number): void {
    if (running.ending !== undefined) return;
    running.ending = { call, reason };
    this.#queue.charge(call, now - running.since + WORKER_RESTART_COST_MS, now);
    running.cancellation.cancel();
  }
}

/** Snapshots the write log of a call, which grows while the call waits. */
function sent(call: WorkerCall): WorkerCall {
  if (call.kind === 'read' || call.writeLog === undefined) return call;
  const { height, parts, claim } = call.writeLog;
  return { ...call, writeLog: { height, parts, ...(claim === undefined ? {} : { claim }) } };
}

/** The client of the call that a worker runs, or will run first. */
function clientOf({ calls, begun }: Running): string {
  return calls[Math.max(0, begun - 1)]?.caller.client ?? NODE_ITSELF.client;
}
