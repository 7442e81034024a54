import { LRUCache } from 'lru-cache';
import { type Caller, NODE_ITSELF } from '../../async/caller.js';
import { CallerGoneError } from '../../async/sliced-work.js';
import type { CallListener as WorkerListener } from '../../execution/calls/call-queue.js';
import type { WorkerCall } from '../../execution/calls/worker-call.js';
import type { Calls } from '../../execution/calls/worker-calls.js';
import { ExecutionError } from '../../execution/execution-error.js';
import type { Requester } from '../handlers.js';
import {
  type LinkAnswer,
  type LinkRequest,
  longAnswer,
  type PoolName,
  type Question,
  type SentRequester,
} from './front-messages.js';
import { deserializeError } from './serialized-error.js';

/** Interval between checks for callers that hung up, in milliseconds. */
const SWEEP_MS = 20;

/** The caller, and whether it still waits. */
export type LinkCaller = Requester & Awaiting;

type Awaiting = Pick<Caller, 'isGone'>;

type GoodAnswer = Exclude<LinkAnswer, { readonly error: unknown } | { readonly gone: true }>;

/** Shared, because thousands may fail at once and stack traces are expensive. */
const GONE = new CallerGoneError();

interface PendingRequest {
  readonly resolve: (answer: GoodAnswer) => void;
  readonly reject: (error: Error) => void;
  /** Absent for the node itself. */
  readonly caller?: Awaiting;
  isCancelled: boolean;
}

/**
 * A front thread's end of the link to the main thread. The requests of one event loop tick are sent as one message;
 * those of callers that hang up are cancelled.
 */
export class MainLink {
  readonly #send: (requests: readonly LinkRequest[]) => void;
  /** By id. Ids are reused, so an array suffices; a Map would keep replacing tables that reach the old generation. */
  readonly #pending: (PendingRequest | undefined)[] = [];
  readonly #freeIds: number[] = [];
  #outgoing: LinkRequest[] = [];
  #sweeping: NodeJS.Timeout | undefined;

  constructor(send: (requests: readonly LinkRequest[]) => void) {
    this.#send = send;
  }

  /** @param resolve called with the JSON of the result @param onParked called if the call is `Parked` */
  call(
    method: string,
    params: unknown,
    caller: LinkCaller,
    { resolve, reject, onParked }: CallListener,
  ): void {
    const client = sent(caller);
    this.#ask((id) => ({ id, method, params, client }), {
      resolve: (answer) => {
        if ('parked' in answer) onParked?.();
        else if ('json' in answer) resolve(answer.json);
        else reject(new Error(`the answer to ${method} is not JSON`));
      },
      reject,
      caller,
      isCancelled: false,
    });
  }

  /** Asks a question that only the main thread can answer. @returns what {@link Question} says */
  ask<T>(question: Question): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#ask((id) => ({ id, question }), {
        // The main thread answers each question with a result of its kind.
        resolve: (answer) => resolve(('result' in answer ? answer.result : undefined) as T),
        reject,
        isCancelled: false,
      });
    });
  }

  /** Has a worker of the main thread's pools answer a call; the caller's allowance is charged. */
  askWorker(pool: PoolName, call: WorkerCall, { resolve, reject }: WorkerListener, caller: Caller): void {
    const { client, allowance } = caller;
    const maxMs = allowance?.ms;
    this.#ask((id) => ({ id, pool, call, client, ...(maxMs === undefined ? {} : { maxMs }) }), {
      resolve: (answer) => {
        if (!('worked' in answer)) return;
        const { worked, use } = answer;
        if (allowance !== undefined) {
          for (const [ms, gas] of use.runs) allowance.use(ms, gas);
          if (use.work > 0) allowance.noteWork(use.work);
        }
        if ('json' in worked) resolve(worked.json, worked.waitedMs);
        else reject(deserializeError(worked.error));
      },
      reject,
      caller,
      isCancelled: false,
    });
  }

  onAnswers(answers: readonly LinkAnswer[]): void {
    let taken = 0;
    for (const answer of answers) taken += longAnswer(answer);
    if (taken > 0) this.#add({ taken });
    for (const answer of answers) {
      const { id } = answer;
      const asked = this.#pending[id];
      if (asked === undefined) continue;
      if (!('parked' in answer)) {
        this.#pending[id] = undefined;
        this.#freeIds.push(id);
      }
      if ('gone' in answer) asked.reject(GONE);
      else if ('error' in answer) asked.reject(deserializeError(answer.error));
      else asked.resolve(answer);
    }
  }

  #ask(request: (id: number) => LinkRequest, asked: PendingRequest): void {
    const id = this.#freeIds.pop() ?? this.#pending.length;
    this.#pending[id] = asked;
    this.#add(request(id));
    if (asked.caller !== undefined) this.#sweeping ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref();
  }

  #cancel(id: number, asked: PendingRequest): void {
    if (this.#pending[id] !== asked || asked.isCancelled) return;
    asked.isCancelled = true;
    this.#add({ cancel: id });
  }

  /** Finds callers that hung up. A listener on each call's signal would cost as much as a cheap call. */
  #sweep(): void {
    this.#sweeping = undefined;
    let isAwaited = false;
    for (let id = 0; id < this.#pending.length; id++) {
      const asked = this.#pending[id];
      if (asked?.caller === undefined || asked.isCancelled) continue;
      if (asked.caller.isGone) this.#cancel(id, asked);
      else isAwaited = true;
    }
    if (isAwaited) this.#sweeping ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref();
  }

  #add(request: LinkRequest): void {
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(request);
  }

  #flush(): void {
    const gathered = this.#outgoing;
    this.#outgoing = [];
    this.#send(gathered);
  }
}

function sent({ remoteAddress, requestId, tier, subject, tokenId }: Requester): SentRequester {
  return [remoteAddress, requestId, tier, subject, tokenId];
}

interface CallListener {
  readonly resolve: (json: string) => void;
  readonly reject: (error: Error) => void;
  readonly onParked?: () => void;
}

/** How long a front thread refuses a client's calls after the main thread has refused one, in milliseconds. */
const REFUSAL_MS = 50;
/** Maximum number of refused clients remembered. */
const MAX_REFUSED = 4_096;

/**
 * A front thread's way to the workers of one pool, through the main thread. A client whose calls the queue there refuses
 * cannot keep the main thread busy with refusals.
 */
export class LinkedCalls implements Calls {
  readonly #link: MainLink;
  readonly #pool: PoolName;
  /** Refusals of the main thread by client. */
  readonly #refused = new LRUCache<string, ExecutionError>({
    max: MAX_REFUSED,
    ttl: REFUSAL_MS,
    ttlResolution: 0,
  });
  #waiting = 0;

  constructor(link: MainLink, pool: PoolName) {
    this.#link = link;
    this.#pool = pool;
  }

  /** Number of calls sent and not answered. */
  get waiting(): number {
    return this.#waiting;
  }

  ask(call: WorkerCall, { resolve, reject }: WorkerListener, caller: Caller = NODE_ITSELF): void {
    const { client } = caller;
    const refusal = this.#refused.get(client);
    if (refusal !== undefined) {
      reject(refusal);
      return;
    }
    this.#waiting++;
    const listener: WorkerListener = {
      resolve: (json, waitedMs) => {
        this.#waiting--;
        resolve(json, waitedMs);
      },
      reject: (error) => {
        this.#waiting--;
        if (error instanceof ExecutionError && error.code === 'overloaded') this.#refused.set(client, error);
        reject(error);
      },
    };
    this.#link.askWorker(this.#pool, call, listener, caller);
  }
}
