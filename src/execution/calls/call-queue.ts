import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { FairQueue, type QueueClient, type Queued } from '../../async/fair-queue.js';
import type { SharedText } from '../../base/shared-text.js';
import { ExecutionError } from '../execution-error.js';
import type { WorkerCall } from './worker-call.js';

/** Limits of a group; more calls in one task would delay those behind it. */
const MAX_GROUP_CALLS = 32;
const MAX_GROUP_BYTES = 256 * 1024;
/** A group takes no further call beyond this estimated duration in milliseconds: the time slice of a worker. */
const MAX_GROUP_MS = 10;
/** Calls and clients slower than this do not get the last worker while there are other clients. */
export const SLOW_MS = 25;
/** Time after its last call during which a client counts as another client. */
const OTHERS_MS = 5_000;
/** A client that holds no worker may have the last one while its calls average at most this, in milliseconds. */
const PATIENCE_MS = 250;
/** Time that a client is denied the last worker after a call longer than {@link PATIENCE_MS}. */
const DISTRUST_MS = 60_000;

/** Exactly one of the two is called, once. */
export interface CallListener {
  /** @param json of the method's result @param waitedMs before a worker got the call @param part made by a replay */
  readonly resolve: (json: SharedText, waitedMs: number, part?: SharedArrayBuffer) => void;
  /** @param error a CallError or an ExecutionError */
  readonly reject: (error: Error) => void;
}

export interface WaitingCall extends Queued, CallListener {
  readonly call: WorkerCall;
  readonly caller: Caller;
  /** Whether it has already lost a worker to another call. */
  retried: boolean;
}

export interface CallQueueOptions {
  readonly workers: number;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  readonly maxWaitMs: number;
  readonly refuse: (call: WaitingCall, error: Error) => void;
}

/** Calls that go to a worker together. */
export interface TakenCalls {
  readonly calls: readonly WaitingCall[];
  /** Whether the calls may take long; they are then of one client, and no other client's call waits behind them. */
  readonly mayTakeLong: boolean;
}

/**
 * The calls that no worker has taken yet, by client: see {@link FairQueue}.
 *
 * 1. Above the limits on waiting calls and bytes, the newest call of the client with the most is refused as overloaded;
 *    so is a call that would wait for too long given the cost of its client's calls, or did wait for too long.
 * 2. While there are other clients, one whose calls take long, or recently did, does not get the last worker; nor does
 *    a new one until a quick call of it is done. A client without a worker gets it all the same, unless its calls take
 *    very long.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #queue = new FairQueue<WaitingCall>();
  readonly #others = new RecentClients();

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#queue.size;
  }

  add(call: WaitingCall): void {
    const { workers, maxWaiting, maxWaitingBytes, maxWaitMs, refuse } = this.#options;
    const queue = this.#queue;
    const client = queue.client(call.caller.client);
    const rivals = queue.clients + (client.isWaiting ? 0 : 1);
    if ((client.size * client.averageMs * rivals) / workers > maxWaitMs) {
      refuse(
        call,
        new ExecutionError('overloaded', `${client.size} calls of the client are already waiting`),
      );
      return;
    }
    queue.push(client, call);
    while (queue.size > maxWaiting || queue.bytes > maxWaitingBytes) {
      const surplus = queue.takeFromLargest();
      if (surplus === undefined) return;
      refuse(surplus, new ExecutionError('overloaded', `${queue.size} calls are already waiting`));
    }
  }

  /** Requeues calls that a worker did not answer; they are the next of their clients. */
  requeue(calls: readonly WaitingCall[]): void {
    for (const call of calls.toReversed()) this.#queue.putBack(this.#queue.client(call.caller.client), call);
  }

  /** Charges the client of a finished call for the worker's time. */
  charge({ caller }: WaitingCall, ms: number, now: number): void {
    const client = this.#queue.client(caller.client);
    this.#queue.charge(client, ms);
    if (ms > PATIENCE_MS) {
      client.trustedFrom = now + DISTRUST_MS;
    } else if (ms <= SLOW_MS && client.trustedFrom === Number.POSITIVE_INFINITY) {
      client.trustedFrom = now;
    }
  }

  /**
   * Takes the calls for one of the free workers; empty if no client may have it.
   * @param held the clients of the workers whose calls take long or may take long
   */
  take(free: number, held: readonly string[], now: number): TakenCalls {
    const maxCalls = Math.min(MAX_GROUP_CALLS, Math.ceil(this.size / free));
    const mayTakeLong = (client: QueueClient<WaitingCall>): boolean =>
      isSlow(client) || !isTrusted(client, now) || held.includes(client.name);
    const calls: WaitingCall[] = [];
    let owner: QueueClient<WaitingCall> | undefined;
    const mayTake = (client: QueueClient<WaitingCall>): boolean => {
      if (owner !== undefined) return client === owner;
      if (!mayTakeLong(client)) return true;
      return calls.length === 0 && this.#mayHaveWorker(client, held, now);
    };
    let bytes = 0;
    let ms = 0;
    while (calls.length < maxCalls && bytes < MAX_GROUP_BYTES && ms < MAX_GROUP_MS) {
      const taken = this.#queue.take(now, mayTake);
      if (taken === undefined) break;
      const [client, call] = taken;
      if (call.caller.isGone) {
        this.#refuseExpired(call);
        continue;
      }
      calls.push(call);
      if (mayTakeLong(client)) owner = client;
      if (client.averageMs <= PATIENCE_MS && client.trustedFrom !== Number.POSITIVE_INFINITY) {
        this.#others.note(client.name, now);
      }
      if (isSlow(client) || held.includes(client.name)) break;
      bytes += call.bytes;
      ms += client.averageMs;
    }
    return { calls, mayTakeLong: owner !== undefined };
  }

  /** Refuses calls that waited for too long or whose callers are gone. */
  dropExpired(now: number): void {
    const { maxWaitMs } = this.#options;
    const isOver = ({ since, caller }: WaitingCall) => now - since > maxWaitMs || caller.isGone;
    for (const call of this.#queue.drop(isOver)) this.#refuseExpired(call);
  }

  hasOtherClientWaited(client: string, time: number): boolean {
    return this.#queue.hasWaited(time, ({ name }) => name !== client);
  }

  #refuseExpired(call: WaitingCall): void {
    const { refuse, maxWaitMs } = this.#options;
    if (call.caller.isGone) refuse(call, new ExecutionError('aborted', 'the caller is gone'));
    else refuse(call, new ExecutionError('overloaded', `the call waited for more than ${maxWaitMs} ms`));
  }

  #mayHaveWorker(client: QueueClient<WaitingCall>, held: readonly string[], now: number): boolean {
    const { workers } = this.#options;
    const isNew = client.trustedFrom === Number.POSITIVE_INFINITY;
    const leavesOne = isNew || this.#others.areThere(client.name, now);
    const maxHeld = leavesOne ? Math.max(1, workers - 1) : workers;
    return held.length < maxHeld || (client.averageMs <= PATIENCE_MS && !held.includes(client.name));
  }
}

/** Tracks whether other clients were active recently, except those whose calls take very long. */
class RecentClients {
  #last: string | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Time of the last call by any client other than the last one. */
  #beforeAt = Number.NEGATIVE_INFINITY;

  note(client: string, now: number): void {
    if (client !== this.#last) {
      this.#beforeAt = this.#lastAt;
      this.#last = client;
    }
    this.#lastAt = now;
  }

  areThere(client: string, now: number): boolean {
    return now - (client === this.#last ? this.#beforeAt : this.#lastAt) < OTHERS_MS;
  }
}

/** The node trusts itself. */
function isTrusted({ name, trustedFrom }: QueueClient<WaitingCall>, now: number): boolean {
  return name === NODE_ITSELF.client || trustedFrom <= now;
}

function isSlow({ averageMs }: QueueClient<WaitingCall>): boolean {
  return averageMs > SLOW_MS;
}
