import type { Sliced, SlicedWork } from '../async/sliced-work.js';
import type { Slot } from '../async/slot-pool.js';
import type { BoundedLog } from '../config/bounded-log.js';
import { covers } from './access/access.js';
import { encodedResult } from './answer-text.js';
import { answerBatch } from './batch.js';
import { Deferred } from './deferred.js';
import { NotificationContext } from './derived-contexts.js';
import { overloaded, toRpcError } from './domain-errors.js';
import { limitExceeded, RpcError } from './errors.js';
import { type CallerContext, EncodedResult, Parked } from './handlers.js';
import type { BorrowedBody, HttpAnswer, HttpResponse } from './http/http-server.js';
import { bodyText, parseRpcBody, type RpcBody, type RpcRequest } from './json/json-rpc.js';
import { JsonSource } from './json/json-text.js';
import { bodyInSlices } from './json/sliced-body.js';
import type { ByteBudget } from './limits/byte-budget.js';
import type { Reservation } from './limits/byte-reservations.js';
import type { CallsInFlight } from './limits/calls-in-flight.js';
import type { RpcLimits } from './limits.js';
import { type CallableMethod, MethodTable } from './method-table.js';
import type { RpcMetrics } from './metrics/rpc-metrics.js';
import { EMPTY_ANSWER, errorAnswer, type Outcome, resultAnswer } from './rpc-answer.js';
import type { BoundInterface, MethodDeclaration } from './rpc-interface.js';

type Answer = Outcome | Promise<Outcome> | Deferred<Outcome>;

export interface DispatcherParts {
  readonly interfaces: readonly BoundInterface[];
  readonly limits: RpcLimits;
  readonly metrics: RpcMetrics;
  readonly log: BoundedLog;
  /** The process-wide budget; waiting calls reserve the size of their text. */
  readonly budget: ByteBudget;
  /** Runs work that would block the thread for too long. */
  readonly work: SlicedWork;
}

/** Longer bodies are read in slices, as is any body once the tick has lasted this many milliseconds. */
const MAX_BODY_AT_ONCE = 64 * 1024;
const MAX_TICK_MS = 4;
/** With more calls in flight on this thread, batches start calls a few at a time; a few batches do not reach it. */
const BUSY_CALLS = 256;

/**
 * Answers JSON-RPC 2.0 bodies (specification of 2013-01-04; `json-rpc.ts` lists how ambiguities are resolved):
 *
 * 1. A notification is run, counted and charged like any call, but never answered. A single one, or a batch of
 *    notifications only, is answered with HTTP 204 and no body.
 * 2. The calls of a batch start in order and run concurrently; the answers are in the order of the calls.
 * 3. A batch whose calls exceed the cost limit is refused as a whole before any of them runs.
 * 4. A method that always answers at once is served even under overload. A call of any other method is answered at once
 *    with overloaded while `maxCallsInFlight` others wait, its client's share of slots is used up, or the bytes of all
 *    waiting calls or of its client's reach their limit.
 * 5. Long requests, and those that arrive during a long event loop tick, are parsed and started in slices, alternating
 *    between clients. Parameters for workers are passed on as text; others of more than `maxJsonValues` values are
 *    refused except for admins.
 *
 * Hot path: a single call of a synchronous handler creates no promise. `bench/http.bench.ts` guards it.
 */
export class Dispatcher {
  readonly #methods: MethodTable;
  readonly #limits: RpcLimits;
  readonly #metrics: RpcMetrics;
  readonly #log: BoundedLog;
  readonly #budget: ByteBudget;
  readonly #work: SlicedWork;
  readonly #takesRawParams = (method: string): boolean => this.#methods.get(method)?.takesRawParams === true;

  constructor({ interfaces, limits, metrics, log, budget, work }: DispatcherParts) {
    this.#methods = new MethodTable(interfaces, metrics);
    this.#limits = limits;
    this.#metrics = metrics;
    this.#log = log;
    this.#budget = budget;
    this.#work = work;
  }

  /** Never throws or rejects. */
  dispatch(lent: BorrowedBody, context: CallerContext): HttpAnswer {
    const { body } = lent;
    const { tick } = this.#work;
    if (body.length > MAX_BODY_AT_ONCE || tick.elapsedMs() > MAX_TICK_MS)
      return this.#dispatchLater(lent, context);
    let requests: RpcBody;
    try {
      requests = parseRpcBody(bodyText(body), this.#limits, this.#takesRawParams);
    } catch (error) {
      return this.#refused(error);
    }
    if ('method' in requests) return this.#lone(requests, context, body.length);
    const batch = this.#batch(requests, context, body.length);
    while (tick.elapsedMs() <= MAX_TICK_MS) {
      const step = batch.next();
      if (step.done === true) return step.value;
      // The calls started so far continue in promises.
      if (step.value !== false) break;
    }
    const taken = this.#budget.reserve(body.length, context);
    if (taken === undefined) {
      batch.return(EMPTY_ANSWER);
      return this.#refused(overloaded());
    }
    return this.#inSlices(this.#restInSlices(batch, taken), context).finally(() => {
      // Ends the batch in case its remaining calls were never started.
      batch.return(EMPTY_ANSWER);
      taken.release();
    });
  }

  #refused(error: unknown): HttpResponse {
    const refusal = toRpcError(error, 'the request body', this.#log);
    this.#metrics.refuse(refusal.kind);
    return errorAnswer('null', refusal);
  }

  #dispatchLater(lent: BorrowedBody, context: CallerContext): HttpAnswer {
    const taken = this.#budget.reserve(lent.body.length, context);
    if (taken === undefined) return this.#refused(overloaded());
    const answer = this.#wholeInSlices(lent.keepBody(), context, taken);
    // Releases the reservation in case the work was never started.
    return this.#inSlices(answer, context).finally(() => taken.release());
  }

  /** Retains nothing of the body while waiting for an answer. */
  #inSlices(answer: Sliced<HttpAnswer>, context: CallerContext): Promise<HttpResponse> {
    return this.#work.run(answer, context).then(
      (response) => response,
      (error: unknown) => this.#refused(error),
    );
  }

  *#wholeInSlices(body: Uint8Array, context: CallerContext, taken: Reservation): Sliced<HttpAnswer> {
    try {
      const requests = yield* bodyInSlices(body, this.#limits, this.#takesRawParams);
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
  call(name: string, params: unknown, context: CallerContext): Outcome | PromiseLike<Outcome> {
    const method = this.#methods.get(name);
    return method === undefined ? this.#methods.refusal(name) : this.#run(method, params, context, 0);
  }

  #lone(request: RpcRequest, context: CallerContext, bytes: number): HttpAnswer {
    const { id } = request;
    if (id === undefined) {
      const unheard = this.#answer(request, new NotificationContext(context), bytes);
      if (unheard instanceof Deferred) unheard.discard();
      return EMPTY_ANSWER;
    }
    const outcome = this.#answer(request, context, bytes);
    if (typeof outcome === 'string') return resultAnswer(id, outcome);
    if (outcome instanceof RpcError) return errorAnswer(id, outcome);
    const answered = (settled: Outcome): HttpResponse =>
      typeof settled === 'string' ? resultAnswer(id, settled) : errorAnswer(id, settled);
    return outcome instanceof Deferred ? outcome.map(answered) : outcome.then(answered);
  }

  *#batch(
    requests: readonly RpcRequest[],
    context: CallerContext,
    bytes: number,
  ): Sliced<HttpResponse | Promise<HttpResponse>> {
    let cost = 0;
    for (const { error, method } of requests) {
      if (error === undefined) cost += this.#methods.get(method)?.declaration.cost ?? 0;
    }
    const { maxBatchCost, maxBatchAnswerBytes } = this.#limits;
    if (cost > maxBatchCost) {
      this.#metrics.refuse('limit_exceeded');
      const message = `compute units of a batch: at most ${maxBatchCost}, got ${cost}; send fewer calls at a time`;
      return errorAnswer(
        'null',
        new RpcError('limit_exceeded', message, {
          subject: 'batch_cost',
          limit: maxBatchCost,
          given: cost,
        }),
      );
    }
    const share = Math.ceil(bytes / requests.length);
    return yield* answerBatch(requests, (request, caller) => this.#answer(request, caller, share), {
      maxAnswerBytes: maxBatchAnswerBytes,
      budget: this.#budget,
      context,
      isBusy: () => this.#metrics.callsInFlight.own >= BUSY_CALLS,
    });
  }

  #answer(request: RpcRequest, context: CallerContext, bytes: number): Answer {
    if (request.error !== undefined) {
      this.#metrics.refuse(request.error.kind);
      return request.error;
    }
    const method = this.#methods.get(request.method);
    if (method === undefined) {
      const refusal = this.#methods.refusal(request.method);
      this.#metrics.refuse(refusal.kind);
      return refusal;
    }
    return this.#run(method, request.params, context, bytes);
  }

  /** @param bytes size of the request, or the call's share of it */
  #run(method: CallableMethod, params: unknown, context: CallerContext, bytes: number): Answer {
    const { declaration, stats } = method;
    const begun = stats.begin(method.mayWait);
    let place: CallSlot | undefined;
    try {
      if (context.refusal !== undefined) throw context.refusal;
      if (!covers(context.tier, declaration.tier)) throw denied(method, context);
      if (method.mayWait) place = this.#acquireSlot(bytes, context);
      const result = method.handler(this.#params(method, params), context);
      if (result instanceof Deferred)
        return this.#deferredOutcome(method, result, begun, place ?? this.#newSlot());
      if (result instanceof Promise) return this.#wait(method, result, begun, place ?? this.#newSlot());
      const text = this.#text(declaration, result);
      place?.release();
      stats.succeeded(begun, false);
      return text;
    } catch (error) {
      place?.release();
      return this.#failure(method, error, begun, false);
    }
  }

  /** @throws RpcError, JsonDecodeError */
  #params({ declaration, takesRawParams }: CallableMethod, params: unknown): unknown {
    if (!(params instanceof JsonSource)) {
      return takesRawParams
        ? new JsonSource(params === undefined ? '{}' : JSON.stringify(params), undefined, params ?? {})
        : declaration.decodeParams(params);
    }
    if (takesRawParams) return params;
    const { maxJsonValues } = this.#limits;
    const { text, values = 0 } = params;
    // Admins may send long parameters, such as the chunks of a snapshot.
    if (values > maxJsonValues && declaration.tier !== 'admin') {
      throw limitExceeded('json_values', maxJsonValues, values);
    }
    return declaration.decodeParams(JSON.parse(text));
  }

  /** @throws RpcError overloaded */
  #acquireSlot(bytes: number, context: CallerContext): CallSlot {
    const { callsInFlight } = this.#metrics;
    const place = callsInFlight.tryEnter(this.#limits.maxCallsInFlight, context);
    if (place === undefined) throw overloaded();
    const taken = this.#budget.reserve(bytes, context);
    if (taken === undefined) {
      callsInFlight.leave(place);
      throw overloaded();
    }
    return new CallSlot(callsInFlight, place, taken);
  }

  /** Takes a slot for a method that turns out to be asynchronous on its first call. */
  #newSlot(): CallSlot {
    const { callsInFlight } = this.#metrics;
    return new CallSlot(callsInFlight, callsInFlight.enter(), undefined);
  }

  async #wait(
    method: CallableMethod,
    promise: Promise<unknown>,
    begun: number,
    place: CallSlot,
  ): Promise<Outcome> {
    method.mayWait = true;
    try {
      let result = await promise;
      if (result instanceof Parked) {
        place.release();
        await result.until;
        place.reenter();
        result = await result.resume();
      }
      const text = this.#text(method.declaration, result);
      method.stats.succeeded(begun, true);
      return text;
    } catch (error) {
      return this.#failure(method, error, begun, true);
    } finally {
      place.release();
    }
  }

  #deferredOutcome(
    method: CallableMethod,
    result: Deferred<EncodedResult | Error>,
    begun: number,
    place: CallSlot,
  ): Deferred<Outcome> {
    method.mayWait = true;
    return result.map((settled) => {
      place.release();
      if (settled instanceof Error) return this.#failure(method, settled, begun, true);
      method.stats.succeeded(begun, true);
      return settled.json;
    });
  }

  /** Encodes a result and checks its length; workers check the results that they encode. */
  #text(declaration: MethodDeclaration, result: unknown): string {
    return result instanceof EncodedResult
      ? result.json
      : encodedResult(declaration, result, this.#limits.maxAnswerBytes);
  }

  #failure({ declaration, stats }: CallableMethod, error: unknown, begun: number, waited: boolean): RpcError {
    const refusal = toRpcError(error, declaration.qualifiedName, this.#log);
    stats.failed(refusal.kind, begun, waited);
    return refusal;
  }
}

/** A waiting call's slot and byte reservation. */
class CallSlot {
  readonly #calls: CallsInFlight;
  readonly #slot: Slot;
  readonly #reservation: Reservation | undefined;
  #isIn = true;

  constructor(calls: CallsInFlight, place: Slot, taken: Reservation | undefined) {
    this.#calls = calls;
    this.#slot = place;
    this.#reservation = taken;
  }

  release(): void {
    if (!this.#isIn) return;
    this.#isIn = false;
    this.#calls.leave(this.#slot);
    this.#reservation?.release();
  }

  /** Takes the slot again, even if none is free: the call was admitted before and has little left to do. */
  reenter(): void {
    this.#isIn = true;
    this.#calls.enter(this.#slot);
  }
}

function denied({ declaration }: CallableMethod, { authenticated, tier }: CallerContext): RpcError {
  const { name, tier: required } = declaration;
  if (authenticated) {
    return new RpcError('forbidden', `${name} needs a token of tier ${required}; yours has tier ${tier}`, {
      required,
      tier,
    });
  }
  return new RpcError(
    'unauthorized',
    `${name} needs a token of tier ${required}: send it as "Authorization: Bearer <token>"`,
    { required },
  );
}
