import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { FairQueue, type QueueClient, type Queued } from '../../async/fair-queue.js';
import { ExecutionError } from '../execution-error.js';
import type { AttachedWriteLog } from '../tracing/replay-messages.js';
import type { HeldWorkers } from './held-workers.js';

/** Maximum calls per task; more would delay the work queued behind it. */
export const MAX_BATCH_CALLS = 128;
/** A task takes no further call beyond this size in bytes. */
const MAX_BATCH_BYTES = 256 * 1024;
/** A task takes no further call beyond this estimated duration in milliseconds: the time slice of a worker. */
const MAX_BATCH_MS = 10;
/** Minimum calls per task: with fewer, the hop to another worker costs about as much as it gains. */
const MIN_BATCH_CALLS = 8;
/** Calls and clients slower than this do not get the last worker while there are other clients. */
export const SLOW_MS = 25;
/** Time after its last call during which a client counts as another client. */
const OTHERS_MS = 5_000;
/** A client that holds no worker may have the last one while its calls average at most this, in milliseconds. */
const PATIENCE_MS = 250;
/** Time that a client is denied the last worker after a call longer than {@link PATIENCE_MS}. */
const DISTRUST_MS = 60_000;

export interface WaitingCall extends Queued {
  readonly encoded: Uint8Array;
  readonly writeLog: AttachedWriteLog | undefined;
  readonly caller: Caller;
  /** @param parts made by replays in its batch */
  readonly resolve: (json: string, waitedMs: number, parts?: readonly SharedArrayBuffer[]) => void;
  readonly reject: (error: Error) => void;
  /** Set once it has been in the fair queue. */
  client: QueueClient<WaitingCall> | undefined;
  /** Whether it has already lost a worker to another call. */
  retried: boolean;
}

/** Calls that go to a worker together. */
export interface CallPart {
  readonly calls: readonly WaitingCall[];
  /** To be released from {@link HeldWorkers} at its end. */
  readonly held: number | undefined;
}

type Refuse = (call: WaitingCall, error: Error) => void;

export interface CallQueueOptions {
  readonly workers: number;
  readonly held: HeldWorkers;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  readonly maxWaitMs: number;
  readonly refuse: Refuse;
}

/**
 * The calls that no worker has taken yet.
 *
 * 1. While workers keep up, calls leave in order of arrival: looking up their clients has a cost.
 * 2. Otherwise, or once a call turns out to take long, calls are queued by client until none waits: see
 *    {@link FairQueue}.
 * 3. Above the limits on waiting calls and bytes, the newest call of the client with the most is refused as overloaded;
 *    so is a call that would wait for too long given the cost of its client's calls, or did wait for too long.
 * 4. While there are other clients, one whose calls take long, or recently did, does not get the last worker; nor does
 *    a new one until a quick call of it is done. A client without a worker gets it all the same, unless its calls take
 *    very long.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #queue = new FairQueue<WaitingCall>();
  /** In order of arrival, while queueing is not fair. */
  #unqueued: WaitingCall[] = [];
  #unqueuedBytes = 0;
  #isFair = false;
  /** The client most recently found trusted. */
  #lastTrusted: string | undefined = NODE_ITSELF.client;
  readonly #others = new RecentClients();

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#unqueued.length + this.#queue.size;
  }

  add(call: WaitingCall): void {
    if (!this.#isFair && !this.#isTrusted(call)) this.startFairQueueing();
    if (this.#isFair) {
      this.#enqueue(call);
      return;
    }
    this.#unqueued.push(call);
    this.#unqueuedBytes += call.bytes;
    const { maxWaiting, maxWaitingBytes } = this.#options;
    if (this.#unqueued.length > maxWaiting || this.#unqueuedBytes > maxWaitingBytes) this.startFairQueueing();
  }

  /** Requeues calls that a worker did not begin; they are the next of their clients. */
  requeue(calls: readonly WaitingCall[]): void {
    this.startFairQueueing();
    for (const call of calls.toReversed()) this.#queue.putBack(this.#clientOf(call), call);
  }

  startFairQueueing(): void {
    if (this.#isFair) return;
    this.#isFair = true;
    const gathered = this.#unqueued;
    this.#unqueued = [];
    this.#unqueuedBytes = 0;
    for (const call of gathered) this.#enqueue(call);
  }

  /** Notes that calls outside the fair queue were answered quickly. */
  noteQuick(now: number): void {
    this.#others.note(undefined, now);
  }

  /** Charges the client of a finished call for the worker's time. */
  charge(call: WaitingCall, ms: number, now: number): void {
    const client = this.#clientOf(call);
    this.#queue.charge(client, ms);
    if (ms > PATIENCE_MS) {
      client.trustedFrom = now + DISTRUST_MS;
      this.#lastTrusted = undefined;
    } else if (ms <= SLOW_MS && client.trustedFrom === Number.POSITIVE_INFINITY) {
      client.trustedFrom = now;
    }
  }

  /** Takes the next part for each free worker. */
  take(free: number, now: number): readonly CallPart[] {
    if (free <= 0 || this.size === 0) return [];
    if (!this.#isFair) {
      if (this.#unqueued.length <= free * MAX_BATCH_CALLS && this.#options.held.count === 0) {
        return this.#takeUnqueued(free).map((calls) => ({ calls, held: undefined }));
      }
      this.startFairQueueing();
    }
    const parts: CallPart[] = [];
    while (parts.length < free) {
      const part = this.#takePart(now);
      if (part.calls.length === 0) break;
      parts.push(part);
    }
    if (this.#queue.size === 0) this.#isFair = false;
    return parts;
  }

  /** Refuses calls that waited for too long or whose callers are gone. */
  dropExpired(now: number): void {
    const { maxWaitMs } = this.#options;
    const isOver = ({ since, caller }: WaitingCall) => now - since > maxWaitMs || caller.isGone;
    const over = this.#queue.drop(isOver);
    if (this.#unqueued.some(isOver)) {
      over.push(...this.#unqueued.filter(isOver));
      this.#unqueued = this.#unqueued.filter((call) => !isOver(call));
      this.#unqueuedBytes = this.#unqueued.reduce((sum, { bytes }) => sum + bytes, 0);
    }
    for (const call of over) this.#refuseExpired(call);
  }

  hasOtherClientWaited(client: string, time: number): boolean {
    this.startFairQueueing();
    return this.#queue.hasWaited(time, ({ name }) => name !== client);
  }

  #refuseExpired(call: WaitingCall): void {
    const { refuse, maxWaitMs } = this.#options;
    if (call.caller.isGone) refuse(call, new ExecutionError('aborted', 'the caller is gone'));
    else refuse(call, new ExecutionError('overloaded', `the call waited for more than ${maxWaitMs} ms`));
  }

  #clientOf(call: WaitingCall): QueueClient<WaitingCall> {
    call.client ??= this.#queue.client(call.caller.client);
    return call.client;
  }

  #enqueue(call: WaitingCall): void {
    const { workers, maxWaiting, maxWaitingBytes, maxWaitMs, refuse } = this.#options;
    const queue = this.#queue;
    const client = this.#clientOf(call);
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

  /** Divides all calls among the workers. */
  #takeUnqueued(free: number): readonly (readonly WaitingCall[])[] {
    const gathered = this.#unqueued;
    const parts = Math.min(free, Math.ceil(gathered.length / MIN_BATCH_CALLS));
    const size = Math.ceil(gathered.length / parts);
    const taken: (readonly WaitingCall[])[] = [];
    let start = 0;
    while (taken.length < parts && start < gathered.length) {
      const end = partEnd(gathered, start, size);
      taken.push(start === 0 && end === gathered.length ? gathered : gathered.slice(start, end));
      start = end;
    }
    this.#unqueued = start === gathered.length ? [] : gathered.slice(start);
    this.#unqueuedBytes = this.#unqueued.reduce((sum, { bytes }) => sum + bytes, 0);
    return taken;
  }

  #takePart(now: number): CallPart {
    const { held } = this.#options;
    const holds = held.holdsWorker();
    const mayTakeLong = (client: QueueClient<WaitingCall>): boolean =>
      isSlow(client) || !isTrusted(client, now) || holds(client.name);
    const part: WaitingCall[] = [];
    /** The part's only client, if its calls may take long: no other client's call waits behind them. */
    let owner: QueueClient<WaitingCall> | undefined;
    const mayTake = (client: QueueClient<WaitingCall>): boolean => {
      if (owner !== undefined) return client === owner;
      if (!mayTakeLong(client)) return true;
      return part.length === 0 && this.#mayTakeWorker(client, holds, now);
    };
    let bytes = 0;
    let ms = 0;
    while (part.length < MAX_BATCH_CALLS && bytes < MAX_BATCH_BYTES && ms < MAX_BATCH_MS) {
      const taken = this.#queue.take(now, mayTake);
      if (taken === undefined) break;
      const [client, call] = taken;
      if (call.caller.isGone) {
        this.#refuseExpired(call);
        continue;
      }
      part.push(call);
      if (mayTakeLong(client)) owner = client;
      if (client.averageMs <= PATIENCE_MS && client.trustedFrom !== Number.POSITIVE_INFINITY) {
        this.#others.note(client.name, now);
      }
      if (isSlow(client) || holds(client.name)) break;
      bytes += call.bytes;
      ms += client.averageMs;
    }
    return { calls: part, held: owner === undefined ? undefined : held.hold(owner.name) };
  }

  #mayTakeWorker(client: QueueClient<WaitingCall>, holds: (client: string) => boolean, now: number): boolean {
    const { workers, held } = this.#options;
    const isNew = client.trustedFrom === Number.POSITIVE_INFINITY;
    const leavesOne = isNew || this.#others.areThere(client.name, now);
    const maxHeld = leavesOne ? Math.max(1, workers - 1) : workers;
    return held.count < maxHeld || (client.averageMs <= PATIENCE_MS && !holds(client.name));
  }

  #isTrusted({ caller: { client: name }, since }: WaitingCall): boolean {
    if (name === this.#lastTrusted) return true;
    const client = this.#queue.known(name);
    if (name !== NODE_ITSELF.client && (client === undefined || !isTrusted(client, since))) return false;
    this.#lastTrusted = name;
    return true;
  }
}

/** Tracks whether other clients were active recently, except those whose calls take very long. */
class RecentClients {
  #last: string | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Time of the last call by any client other than the last one. */
  #beforeAt = Number.NEGATIVE_INFINITY;

  /** @param client undefined if unknown: it then differs from every client */
  note(client: string | undefined, now: number): void {
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

/** Returns the end of the part that begins at `start`: after `size` calls, or at the limit on bytes. */
function partEnd(calls: readonly WaitingCall[], start: number, size: number): number {
  let bytes = 0;
  let end = start;
  while (end < calls.length && end - start < size && bytes < MAX_BATCH_BYTES) {
    bytes += calls[end]?.bytes ?? 0;
    end++;
  }
  return end;
}
