import type { Sliced } from '../async/sliced-work.js';
import type { ByteBudget } from './byte-budget.js';
import type { TakenBytes } from './byte-takers.js';
import type { Client } from './client-of.js';
import type { Outcome } from './dispatcher.js';
import { overloaded } from './domain-errors.js';
import { RpcError } from './errors.js';
import type { HttpResponse } from './http-server.js';
import type { RpcRequest } from './json-rpc.js';
import { Later } from './later.js';
import { batchAnswer, EMPTY_ANSWER, errorText, resultText } from './rpc-answer.js';

/** How much the results of a batch may take. */
export interface BatchLimits {
  /** Most characters of all results together. */
  readonly maxAnswerBytes: number;
  /** Of which the results take their part while others are waited for. */
  readonly budget: ByteBudget;
  /** Whose part it is. */
  readonly client: Client;
}

type Answer = (request: RpcRequest) => Outcome | PromiseLike<Outcome>;

/**
 * Runs the calls of a batch side by side and puts their answers into the order of the calls; yields after each that it has
 * begun. Results are counted as they come in: once they are longer than the limit together, further ones give way to
 * limit_exceeded and calls that have not started do not start.
 * @param answer runs one call; never throws or rejects
 */
export function* answerBatch(
  requests: readonly RpcRequest[],
  answer: Answer,
  limits: BatchLimits,
): Sliced<HttpResponse | Promise<HttpResponse>> {
  const batch = new Batch(limits);
  let isBegun = false;
  try {
    for (const request of requests) {
      batch.add(request, answer);
      yield;
    }
    isBegun = true;
  } finally {
    // Whoever asked is gone.
    if (!isBegun) batch.drop();
  }
  return batch.finish();
}

class Batch {
  readonly #maxAnswerBytes: number;
  readonly #budget: ByteBudget;
  readonly #client: Client;
  readonly #answers: string[] = [];
  readonly #waiting: PromiseLike<void>[] = [];
  /** Of the budget. */
  readonly #taken: TakenBytes[] = [];
  #bytes = 0;
  #isDropped = false;

  constructor({ maxAnswerBytes, budget, client }: BatchLimits) {
    this.#maxAnswerBytes = maxAnswerBytes;
    this.#budget = budget;
    this.#client = client;
  }

  add(request: RpcRequest, answer: Answer): void {
    const { id } = request;
    const outcome = this.#bytes > this.#maxAnswerBytes ? this.#tooLong() : answer(request);
    if (id === undefined) {
      if (outcome instanceof Later) outcome.discard();
      return;
    }
    const place = this.#answers.push('') - 1;
    if (typeof outcome === 'string' || outcome instanceof RpcError) {
      this.#put(place, id, outcome);
    } else {
      this.#waiting.push(outcome.then((settled) => this.#put(place, id, settled)));
    }
  }

  finish(): HttpResponse | Promise<HttpResponse> {
    if (this.#answers.length === 0) return EMPTY_ANSWER;
    if (this.#waiting.length === 0) return this.#answer();
    return Promise.all(this.#waiting).then(() => this.#answer());
  }

  /** Gives back what it has, and takes no more. */
  drop(): void {
    this.#isDropped = true;
    for (const taken of this.#taken.splice(0)) taken.give();
  }

  #answer(): HttpResponse {
    for (const taken of this.#taken) taken.give();
    return batchAnswer(this.#answers);
  }

  #put(place: number, id: string, outcome: Outcome): void {
    if (typeof outcome !== 'string') {
      this.#answers[place] = errorText(id, outcome);
      return;
    }
    this.#bytes += outcome.length;
    if (this.#bytes > this.#maxAnswerBytes) {
      this.#answers[place] = errorText(id, this.#tooLong());
      return;
    }
    if (this.#isDropped) return;
    const taken = this.#budget.take(outcome.length, this.#client);
    if (taken === undefined) {
      this.#answers[place] = errorText(id, overloaded());
      return;
    }
    this.#taken.push(taken);
    this.#answers[place] = resultText(id, outcome);
  }

  #tooLong(): RpcError {
    const limit = this.#maxAnswerBytes;
    return new RpcError(
      'limit_exceeded',
      `the answers of a batch: at most ${limit} bytes together; send fewer calls at a time`,
      { subject: 'batch_answer_bytes', limit },
    );
  }
}
