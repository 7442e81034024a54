import type { Caller } from '../../async/caller.js';
import { CallerGoneError } from '../../async/sliced-work.js';
import type { Cancellation } from '../../execution/cancellation.js';
import type {
  ExecutionTasks,
  TaskInput,
  TaskKind,
  TaskResult,
} from '../../execution/pool/execution-tasks.js';
import type { RunOptions, TaskWorkers } from '../../execution/task-runner.js';
import type { Requester } from '../handlers.js';
import {
  type LinkAnswer,
  type LinkRequest,
  longAnswer,
  type PoolName,
  type Question,
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
    const client = requesterOf(caller);
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
    return this.#resultOf((id) => ({ id, question }));
  }

  async run<T>(
    pool: PoolName,
    task: TaskKind,
    input: unknown,
    once: boolean,
    cancellation: Cancellation | undefined,
  ): Promise<T> {
    try {
      return await this.#resultOf<T>((id) => ({ id, pool, task, input, once }), cancellation);
    } finally {
      cancellation?.onCancel(undefined);
    }
  }

  #resultOf<T>(request: (id: number) => LinkRequest, cancellation?: Cancellation): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#ask(request, {
        // The main thread answers each request with a result of its kind.
        resolve: (answer) => resolve(('result' in answer ? answer.result : undefined) as T),
        reject,
        isCancelled: false,
      });
      cancellation?.onCancel(cancel);
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

  #ask(request: (id: number) => LinkRequest, asked: PendingRequest): () => void {
    const id = this.#freeIds.pop() ?? this.#pending.length;
    this.#pending[id] = asked;
    this.#add(request(id));
    if (asked.caller !== undefined) this.#sweeping ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref();
    return () => this.#cancel(id, asked);
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

function requesterOf({ remoteAddress, requestId, tier, subject, tokenId }: Requester): Requester {
  return { remoteAddress, requestId, tier, subject, tokenId };
}

interface CallListener {
  readonly resolve: (json: string) => void;
  readonly reject: (error: Error) => void;
  readonly onParked?: () => void;
}

/** A front thread's proxy for one of the node's pools; tasks go through the main thread. */
export class LinkedPool implements TaskWorkers<ExecutionTasks> {
  readonly workers: number;
  readonly #link: MainLink;
  readonly #pool: PoolName;

  constructor(link: MainLink, pool: PoolName, workers: number) {
    this.#link = link;
    this.#pool = pool;
    this.workers = workers;
  }

  /** @throws ExecutionError */
  async run<K extends TaskKind>(
    kind: K,
    input: TaskInput<K>,
    { once = false, cancellation }: RunOptions = {},
  ): Promise<TaskResult<K>> {
    return this.#link.run(this.#pool, kind, input, once, cancellation);
  }
}
