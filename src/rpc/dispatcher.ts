import { mapAsync } from '../async/maybe-async.js';
import type { Sliced, SlicedWork } from '../async/sliced-work.js';
import { answerBatch } from './batch.js';
import { chargeRefusal } from './calls/charges.js';
import { MethodInvoker, type MethodInvokerParts } from './calls/method-invoker.js';
import { overloaded, toRpcError } from './domain-errors.js';
import { limitExceeded, type RpcError } from './errors.js';
import type { InvocationContext } from './handlers.js';
import type { BorrowedBody, HttpAnswer, HttpResponse } from './http/http-server.js';
import { bodyText, parseRpcBody, type RpcBody, type RpcRequest } from './json/json-rpc.js';
import { bodyInSlices } from './json/sliced-body.js';
import type { Reservation } from './limits/byte-budget.js';
import { MethodTable } from './method-table.js';
import { NotificationContext } from './request-context.js';
import { type CallAnswer, EMPTY_ANSWER, errorAnswer, ignoreOutcome, outcomeAnswer } from './rpc-answer.js';
import type { BoundInterface, MethodDeclaration } from './rpc-interface.js';

export interface DispatcherParts extends MethodInvokerParts {
  readonly interfaces: readonly BoundInterface[];
  /** Runs work that would block the thread for too long. */
  readonly work: SlicedWork;
  /** Number of threads that share the limit of calls in flight; 1 if absent. */
  readonly threads?: number | undefined;
}

/** Longer bodies are read in slices, as is any body once the tick has lasted this many milliseconds. */
const MAX_BODY_AT_ONCE = 64 * 1024;
const MAX_TICK_MS = 4;
/** With more calls in flight, divided by the threads, a batch starts only a few calls at a time. Few batches reach it. */
const BUSY_CALLS = 256;

/**
 * Answers JSON-RPC 2.0 bodies (specification of 2013-01-04; `json-rpc.ts` lists how ambiguities are resolved):
 *
 * 1. A notification is run, counted and charged like any call, but never answered. A single one, or a batch of
 *    notifications only, is answered with HTTP 204 and no body.
 * 2. The calls of a batch start in order and run concurrently; the answers are in the order of the calls.
 * 3. A batch whose calls exceed the cost limit is refused as a whole before any of them runs.
 * 4. Long requests, and those that arrive during a long event loop tick, are parsed and started in slices, alternating
 *    between clients.
 *
 * Hot path: a single call of a synchronous handler creates no promise. `bench/http.bench.ts` guards it.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #methods: MethodTable;
  readonly #invoker: MethodInvoker;
  readonly #takesRawParams = (method: string): boolean => this.#methods.get(method)?.takesRawParams === true;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#methods = new MethodTable(parts.interfaces, parts.metrics);
    this.#invoker = new MethodInvoker(parts);
  }

  /** Never throws or rejects. */
  dispatch(lent: BorrowedBody, context: InvocationContext): HttpAnswer {
    const { body } = lent;
    const { tick } = this.#parts.work;
    if (body.length > MAX_BODY_AT_ONCE || tick.elapsedMs() > MAX_TICK_MS)
      return this.#dispatchLater(lent, context);
    let requests: RpcBody;
    try {
      requests = parseRpcBody(bodyText(body), this.#parts.limits, this.#takesRawParams);
    } catch (error) {
      return this.#refused(error, context);
    }
    if ('method' in requests) return this.#lone(requests, context, body.length);
    const batch = this.#batch(requests, context, body.length);
    while (tick.elapsedMs() <= MAX_TICK_MS) {
      const step = batch.next();
      if (step.done === true) return step.value;
      // The calls started so far continue in promises.
      if (step.value !== false) break;
    }
    const taken = this.#parts.budget.reserve(body.length, context);
    if (taken === undefined) {
      this.#parts.metrics.overloads.bytes++;
      batch.return(EMPTY_ANSWER);
      return this.#refused(overloaded(), context);
    }
    return this.#inSlices(this.#restInSlices(batch, taken), context).finally(() => {
      // Ends the batch in case its remaining calls were never started.
      batch.return(EMPTY_ANSWER);
      taken.release();
    });
  }

  #refused(error: unknown, context: InvocationContext): HttpResponse {
    const refusal = chargeRefusal(toRpcError(error, 'the request body', this.#parts.log, context), context);
    this.#parts.metrics.refuse(refusal.kind);
    return errorAnswer('null', refusal);
  }

  #dispatchLater(lent: BorrowedBody, context: InvocationContext): HttpAnswer {
    const taken = this.#parts.budget.reserve(lent.body.length, context);
    if (taken === undefined) {
      this.#parts.metrics.overloads.bytes++;
      return this.#refused(overloaded(), context);
    }
    const answer = this.#wholeInSlices(lent.keepBody(), context, taken);
    // Releases the reservation in case the work was never started.
    return this.#inSlices(answer, context).finally(() => taken.release());
  }

  /** Retains nothing of the body while waiting for an answer. */
  #inSlices(answer: Sliced<HttpAnswer>, context: InvocationContext): Promise<HttpResponse> {
    return this.#parts.work.run(answer, context).then(
      (response) => response,
      (error: unknown) => this.#refused(error, context),
    );
  }

  *#wholeInSlices(body: Uint8Array, context: InvocationContext, taken: Reservation): Sliced<HttpAnswer> {
    try {
      const requests = yield* bodyInSlices(body, this.#parts.limits, this.#takesRawParams);
      if ('method' in requests) return this.#lone(requests, context, body.length);
      return yield* this.#batch(requests, context, body.length);
    } finally {
      // All calls have started and hold separate reservations.
      taken.release();
    }
  }

  /** Releases the reservation of the body once all calls have started and hold separate ones. */
  *#restInSlices(
    batch: Sliced<HttpResponse | Promise<HttpResponse>>,
    taken: Reservation,
  ): Sliced<HttpAnswer> {
    try {
      return yield* batch;
    } finally {
      taken.release();
    }
  }

  /** Calls a method by name, as the probes do. An unknown name is reported as an outcome. */
  call(name: string, params: unknown, context: InvocationContext): CallAnswer {
    const method = this.#methods.get(name);
    return method === undefined ? this.#methods.refusal(name) : this.#invoker.run(method, params, context, 0);
  }

  declaration(name: string): MethodDeclaration | undefined {
    return this.#methods.get(name)?.declaration;
  }

  unknown(name: string): RpcError {
    return this.#methods.refusal(name);
  }

  /** Charges and counts a call that no method answers. @returns its error, or the one that refuses its caller */
  refuse(error: RpcError, context: InvocationContext): RpcError {
    const refusal = context.refusal ?? chargeRefusal(error, context);
    this.#parts.metrics.refuse(refusal.kind);
    return refusal;
  }

  #lone(request: RpcRequest, context: InvocationContext, bytes: number): HttpAnswer {
    const { id } = request;
    if (id === undefined) {
      ignoreOutcome(this.#answer(request, new NotificationContext(context), bytes));
      return EMPTY_ANSWER;
    }
    return mapAsync(this.#answer(request, context, bytes), outcomeAnswer, id);
  }

  *#batch(
    requests: readonly RpcRequest[],
    context: InvocationContext,
    bytes: number,
  ): Sliced<HttpResponse | Promise<HttpResponse>> {
    let cost = 0;
    for (const { error, method } of requests) {
      if (error === undefined) cost += this.#methods.get(method)?.declaration.cost ?? 0;
    }
    const { limits, threads = 1 } = this.#parts;
    const { maxBatchCost, maxBatchAnswerBytes } = limits;
    if (cost > maxBatchCost) {
      this.#parts.metrics.refuse('limit_exceeded');
      const name = 'compute units of a batch';
      const refusal = limitExceeded('batch_cost', maxBatchCost, cost, name, 'send fewer calls at a time');
      return errorAnswer('null', refusal);
    }
    const share = Math.ceil(bytes / requests.length);
    return yield* answerBatch(requests, (request, caller) => this.#answer(request, caller, share), {
      maxAnswerBytes: maxBatchAnswerBytes,
      budget: this.#parts.budget,
      context,
      isBusy: () => this.#parts.metrics.callsInFlight.own >= BUSY_CALLS / threads,
      refund: ({ method }) => {
        const declaration = this.#methods.get(method)?.declaration;
        if (declaration !== undefined) context.meter?.refund(declaration);
      },
    });
  }

  #answer(request: RpcRequest, context: InvocationContext, bytes: number): CallAnswer {
    if (request.error !== undefined) return this.refuse(request.error, context);
    const method = this.#methods.get(request.method);
    if (method === undefined) return this.refuse(this.#methods.refusal(request.method), context);
    return this.#invoker.run(method, request.params, context, bytes);
  }
}
