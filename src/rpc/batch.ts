import type { Outcome } from './dispatcher.js';
import { RpcError } from './errors.js';
import type { HttpResponse } from './http-server.js';
import type { RpcRequest } from './json-rpc.js';
import { batchAnswer, EMPTY_ANSWER, errorText, resultText } from './rpc-answer.js';

type Answer = (request: RpcRequest) => Outcome | PromiseLike<Outcome>;

/**
 * Runs the calls of a batch side by side and puts their answers into the order of the calls. Results are counted as they
 * come in: once they are longer than the limit together, further ones give way to limit_exceeded and calls that have not
 * started do not start.
 * @param answer runs one call; never throws or rejects
 * @param maxAnswerBytes most characters of all results together
 */
export function answerBatch(
  requests: readonly RpcRequest[],
  answer: Answer,
  maxAnswerBytes: number,
): HttpResponse | Promise<HttpResponse> {
  const batch = new Batch(maxAnswerBytes);
  for (const request of requests) batch.add(request, answer);
  return batch.finish();
}

class Batch {
  readonly #maxAnswerBytes: number;
  readonly #answers: string[] = [];
  readonly #waiting: PromiseLike<void>[] = [];
  #bytes = 0;

  constructor(maxAnswerBytes: number) {
    this.#maxAnswerBytes = maxAnswerBytes;
  }

  add(request: RpcRequest, answer: Answer): void {
    const { id } = request;
    const outcome = this.#bytes > this.#maxAnswerBytes ? this.#tooLong() : answer(request);
    if (id === undefined) return;
    const place = this.#answers.push('') - 1;
    if (typeof outcome === 'string' || outcome instanceof RpcError) {
      this.#put(place, id, outcome);
    } else {
      this.#waiting.push(outcome.then((settled) => this.#put(place, id, settled)));
    }
  }

  finish(): HttpResponse | Promise<HttpResponse> {
    if (this.#answers.length === 0) return EMPTY_ANSWER;
    if (this.#waiting.length === 0) return batchAnswer(this.#answers);
    return Promise.all(this.#waiting).then(() => batchAnswer(this.#answers));
  }

  #put(place: number, id: string, outcome: Outcome): void {
    if (typeof outcome !== 'string') {
      this.#answers[place] = errorText(id, outcome);
      return;
    }
    this.#bytes += outcome.length;
    this.#answers[place] =
      this.#bytes > this.#maxAnswerBytes ? errorText(id, this.#tooLong()) : resultText(id, outcome);
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
