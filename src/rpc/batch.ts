import { isAsync, settle } from '../async/maybe-async.js';
import type { Sliced } from '../async/sliced-work.js';
import { overloaded } from './domain-errors.js';
import { RpcError } from './errors.js';
import type { InvocationContext } from './handlers.js';
import type { HttpResponse } from './http/http-server.js';
import type { RpcRequest } from './json/json-rpc.js';
import type { ByteBudget, Reservation } from './limits/byte-budget.js';
import { BatchContext, NotificationContext } from './request-context.js';
import {
  batchAnswer,
  type CallAnswer,
  EMPTY_ANSWER,
  errorText,
  ignoreOutcome,
  type Outcome,
  resultText,
} from './rpc-answer.js';

export interface BatchLimits {
  /** Maximum total length of the results. */
  readonly maxAnswerBytes: number;
  /** Holds reservations for results while other calls are still running. */
  readonly budget: ByteBudget;
  readonly context: InvocationContext;
  /**
   * True while many calls are in flight on this thread. One client's batches may contain thousands: started all at
   * once, they keep the queue of the thread that answers them and this thread's garbage collector busy.
   */
  readonly isBusy: () => boolean;
  /** Takes back the charge of a call whose result finds no room. */
  readonly refund: (request: RpcRequest) => void;
}

type Answer = (request: RpcRequest, context: InvocationContext) => CallAnswer;

/** Shorter results need no reservation, so a subscription that has begun is never answered with an error. */
const SMALL_RESULT = 1_024;
/** Number of calls whose promise work may be started before that work proceeds. */
const PROMISES = 8;
/** Number of calls of a batch that may wait for another thread at a time while this thread is busy. */
const MAX_AWAITED = 8;

/**
 * Runs the calls of a batch concurrently and returns the answers in the order of the calls. It yields after starting
 * each call, and pauses while the thread is busy and {@link MAX_AWAITED} calls wait for another thread. Results are
 * counted as they arrive. Once their total exceeds the limit, the batch is answered: calls without a result get
 * limit_exceeded, running ones are cancelled, and no further ones start.
 * @param answer runs one call; never throws or rejects
 */
export function* answerBatch(
  requests: readonly RpcRequest[],
  answer: Answer,
  limits: BatchLimits,
): Sliced<HttpResponse | Promise<HttpResponse>> {
  const batch = new Batch(limits);
  let promises = 0;
  let isBegun = false;
  try {
    for (const request of requests) {
      if (batch.add(request, answer)) promises++;
      yield promises > 0 && promises % PROMISES === 0;
      while (batch.isFull) yield batch.waitForRoom();
    }
    isBegun = true;
  } finally {
    // The client disconnected.
    if (!isBegun) batch.drop();
  }
  return batch.finish();
}

class Batch {
  readonly #limits: BatchLimits;
  readonly #context: BatchContext;
  readonly #ids: string[] = [];
  /** Undefined while the call is running. */
  readonly #answers: (string | undefined)[] = [];
  readonly #reservations: Reservation[] = [];
  #pending = 0;
  /** Calls waiting for another thread; not those waiting for a block, which later calls may fill. */
  #awaited = 0;
  #bytes = 0;
  #isDropped = false;
  #hasError = false;
  #onOver: (() => void) | undefined;
  #onRoom: (() => void) | undefined;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
    this.#context = new BatchContext(limits.context);
  }

  /** Returns true if the call continues in a promise. */
  add(request: RpcRequest, answer: Answer): boolean {
    const { id } = request;
    if (id === undefined) {
      if (this.#isTooLong) return false;
      const outcome = answer(request, new NotificationContext(this.#limits.context));
      ignoreOutcome(outcome);
      return outcome instanceof Promise;
    }
    const place = this.#ids.push(id) - 1;
    this.#answers.push(undefined);
    if (this.#isTooLong) return false;
    const outcome = answer(request, this.#context);
    if (!isAsync(outcome)) {
      this.#put(place, id, request, outcome);
      return false;
    }
    this.#pending++;
    const isPromise = outcome instanceof Promise;
    if (!isPromise) this.#awaited++;
    settle(outcome, (settled) => {
      if (!isPromise) this.#awaited--;
      this.#settled(place, id, request, settled);
    });
    return isPromise;
  }

  get isFull(): boolean {
    return this.#awaited >= MAX_AWAITED && this.#mayBeginMore && this.#limits.isBusy();
  }

  waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  finish(): HttpResponse | Promise<HttpResponse> {
    if (this.#ids.length === 0) return EMPTY_ANSWER;
    if (this.#isOver) return this.#answer();
    return new Promise((resolve) => {
      this.#onOver = () => resolve(this.#answer());
    });
  }

  drop(): void {
    this.#isDropped = true;
    this.#context.end();
    for (const taken of this.#reservations.splice(0)) taken.release();
  }

  get #isTooLong(): boolean {
    return this.#bytes > this.#limits.maxAnswerBytes;
  }

  get #mayBeginMore(): boolean {
    return !this.#isTooLong && !this.#isDropped;
  }

  get #isOver(): boolean {
    return this.#isDropped || this.#pending === 0 || this.#isTooLong;
  }

  #answer(): HttpResponse {
    if (this.#isDropped) return EMPTY_ANSWER;
    let unanswered: RpcError | undefined;
    const answers = this.#answers.map((text, place) => {
      if (text !== undefined) return text;
      unanswered ??= this.#tooLong();
      return errorText(this.#ids[place] ?? 'null', unanswered);
    });
    this.drop();
    return batchAnswer(answers, this.#hasError || unanswered !== undefined);
  }

  #settled(place: number, id: string, request: RpcRequest, outcome: Outcome): void {
    this.#pending--;
    if (!this.#isDropped) this.#take(place, id, request, outcome);
    if (this.#awaited > MAX_AWAITED / 2 && this.#mayBeginMore) return;
    const onRoom = this.#onRoom;
    this.#onRoom = undefined;
    onRoom?.();
  }

  #take(place: number, id: string, request: RpcRequest, outcome: Outcome): void {
    // Answers without a recipient are not assembled.
    if (this.#limits.context.isGone) this.drop();
    else this.#put(place, id, request, outcome);
    if (!this.#isOver) return;
    const onOver = this.#onOver;
    this.#onOver = undefined;
    onOver?.();
  }

  #put(place: number, id: string, request: RpcRequest, outcome: Outcome): void {
    if (typeof outcome !== 'string') {
      this.#hasError = true;
      this.#answers[place] = errorText(id, outcome);
      return;
    }
    this.#bytes += outcome.length;
    if (this.#isTooLong) {
      this.#context.end();
      return;
    }
    if (outcome.length > SMALL_RESULT) {
      const taken = this.#limits.budget.reserve(outcome.length, this.#limits.context);
      if (taken === undefined) {
        this.#hasError = true;
        this.#limits.refund(request);
        this.#answers[place] = errorText(id, overloaded());
        return;
      }
      this.#reservations.push(taken);
    }
    this.#answers[place] = resultText(id, outcome);
  }

  #tooLong(): RpcError {
    const { maxAnswerBytes: limit } = this.#limits;
    const message = `the answers of a batch: at most ${limit} bytes together; send fewer calls at a time`;
    return new RpcError('limit_exceeded', message, { subject: 'batch_answer_bytes', limit });
  }
}
