import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { FairQueue, type QueueClient, type Queued } from '../../async/fair-queue.js';
import { ExecutionError } from '../execution-error.js';
import type { AttachedWriteLog } from '../tracing/replay-messages.js';
import type { HeldWorkers } from './held-workers.js';

/** Above this many calls a task holds up what waits behind it. */
export const MAX_BATCH_CALLS = 128;
/** A task takes on no further call beyond so many bytes. */
const MAX_BATCH_BYTES = 256 * 1024;
/** A task takes on no further call beyond so many milliseconds, as far as they can be foreseen: as many as a worker goes on for. */
const MAX_BATCH_MS = 10;
/** Below this many calls a task is not worth dividing: a hop to a worker costs about as much. */
const MIN_BATCH_CALLS = 8;
/** Whose calls take longer is kept off one of the workers while there are others; so are calls that do, whosever they are. */
export const SLOW_MS = 25;
/** A client counts among the others for this long after its last call. */
const OTHERS_MS = 5_000;
/** A client that holds no worker may have the last one while its calls take at most this on average, in milliseconds. */
const PATIENCE_MS = 250;
/** A client is not trusted with the last worker for this long after a call that took longer than {@link PATIENCE_MS}. */
const DISTRUST_MS = 60_000;

/** A call that waits for a worker, or is under way. */
export interface WaitingCall extends Queued {
  readonly encoded: Uint8Array;
  readonly writeLog: AttachedWriteLog | undefined;
  readonly caller: Caller;
  /** @param parts that replays of its batch made */
  readonly resolve: (json: string, parts?: readonly SharedArrayBuffer[]) => void;
  readonly reject: (error: Error) => void;
  /** Set once it has waited for its turn. */
  client: QueueClient<WaitingCall> | undefined;
  /** Whether it has lost a worker to another call already. */
  retried: boolean;
}

/** The calls that go to a worker together. */
export interface CallPart {
  readonly calls: readonly WaitingCall[];
  /** To be released from {@link HeldWorkers} at its end. */
  readonly held: number | undefined;
}

/** Tells a call why it is not answered. */
type Refuse = (call: WaitingCall, error: Error) => void;

export interface WaitingCallsOptions {
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
 * 1. While workers keep up, they leave in the order in which they came: finding out whose they are costs something.
 * 2. Where they do not, or a call turns out to take long, every call waits for its client's turn, until none waits any more;
 *    see {@link FairQueue}.
 * 3. Where too many wait, or too many bytes, the newest of the client that has the most is refused as overloaded; so is a call
 *    that would wait for too long by what its client's calls cost, or did wait for too long.
 * 4. The last worker is kept from a client whose calls take long, or lately did, while there are others; and from a new one
 *    until a quick call of it is done. A client without a worker gets the last one all the same, unless its calls take very long.
 */
export class WaitingCalls {
  readonly #options: WaitingCallsOptions;
  readonly #queue = new FairQueue<WaitingCall>();
  /** In the order in which they came, while nobody takes turns. */
  #unqueued: WaitingCall[] = [];
  #unqueuedBytes = 0;
  #isFair = false;
  /** The client found trusted last. */
  #lastTrusted: string | undefined = NODE_ITSELF.client;
  readonly #others = new RecentClients();

  constructor(options: WaitingCallsOptions) {
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

  /** Puts calls back that a worker did not come to; they are the next of their clients. */
  requeue(calls: readonly WaitingCall[]): void {
    this.startFairQueueing();
    for (const call of calls.toReversed()) {
      this.#queue.putBack(this.#clientOf(call), call);
    }
  }

  /** From now on clients take turns. */
  startFairQueueing(): void {
    if (this.#isFair) return;
    this.#isFair = true;
    const gathered = this.#unqueued;
    this.#unqueued = [];
    this.#unqueuedBytes = 0;
    for (const call of gathered) this.#enqueue(call);
  }

  /** Calls that did not wait for their turn were done within a short time. */
  noteQuick(now: number): void {
    this.#others.note(undefined, now);
  }

  /** What a call that is done took of a worker. */
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

  /**
   * Takes the next part for each free worker.
   */
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

  /** Refuses those that waited for too long, and those of callers that are gone. */
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

  /** Whether a call of another client than this has waited since before a time. */
  hasOtherClientWaited(client: string, time: number): boolean {
    this.startFairQueueing();
    return this.#queue.hasWaited(time, ({ name }) => name !== client);
  }

  #refuseExpired(call: WaitingCall): void {
    const { refuse, maxWaitMs } = this.#options;
    if (call.caller.isGone) refuse(call, new ExecutionError('aborted', 'nobody waits for the call any more'));
    else refuse(call, new ExecutionError('overloaded', `the call waited for ${maxWaitMs} ms`));
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
      refuse(call, new ExecutionError('overloaded', `${client.size} calls of the client wait already`));
      return;
    }
    queue.push(client, call);
    while (queue.size > maxWaiting || queue.bytes > maxWaitingBytes) {
      const surplus = queue.takeFromLargest();
      if (surplus === undefined) return;
      refuse(surplus, new ExecutionError('overloaded', `${queue.size} calls wait already`));
    }
  }

  /** Divides everything over the workers. */
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
    /** Whose calls may take long; they have the part to themselves, so that nothing else waits for them. */
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

  /** Whether a client may have a worker with calls that may take long. */
  #mayTakeWorker(client: QueueClient<WaitingCall>, holds: (client: string) => boolean, now: number): boolean {
    const { workers, held } = this.#options;
    const isNew = client.trustedFrom === Number.POSITIVE_INFINITY;
    const leavesOne = isNew || this.#others.areThere(client.name, now);
    const most = leavesOne ? Math.max(1, workers - 1) : workers;
    return held.count < most || (client.averageMs <= PATIENCE_MS && !holds(client.name));
  }

  #isTrusted({ caller: { client: name }, since }: WaitingCall): boolean {
    if (name === this.#lastTrusted) return true;
    const client = this.#queue.known(name);
    if (name !== NODE_ITSELF.client && (client === undefined || !isTrusted(client, since))) return false;
    this.#lastTrusted = name;
    return true;
  }
}

/** Knows whether clients other than a given one were there lately; those whose calls take very long do not count. */
class RecentClients {
  #last: string | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** The last time of another client than the last. */
  #beforeAt = Number.NEGATIVE_INFINITY;

  /** @param client undefined where it is unknown: then it counts as another one to all */
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

/** Where a part ends that begins at `start`: after `size` calls, or when it has bytes enough. */
function partEnd(calls: readonly WaitingCall[], start: number, size: number): number {
  let bytes = 0;
  let end = start;
  while (end < calls.length && end - start < size && bytes < MAX_BATCH_BYTES) {
    bytes += calls[end]?.bytes ?? 0;
    end++;
  }
  return end;
}
