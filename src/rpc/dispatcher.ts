import type { Sliced, SlicedWork } from '../async/sliced-work.js';
import type { Slot } from '../async/slot-pool.js';
import type { BoundedLog } from '../config/bounded-log.js';
import type { CallLimits } from './access/call-limits.js';
import { covers } from './access/paid-access.js';
import { encodedResult } from './answer-text.js';
import { answerBatch } from './batch.js';
import { Deferred } from './deferred.js';
import { NotificationContext } from './derived-contexts.js';
import { overloaded, toRpcError } from './domain-errors.js';
import { limitExceeded, RpcError, type RpcErrorKind } from './errors.js';
import { type CallerContext, EncodedResult, Parked } from './handlers.js';
import type { BorrowedBody, HttpAnswer, HttpResponse } from './http/http-server.js';
import { bodyText, parseRpcBody, type RpcBody, type RpcRequest } from './json/json-rpc.js';
import { JsonSource } from './json/json-text.js';
import { bodyInSlices } from './json/sliced-body.js';
import { runLimited } from './limited-calls.js';
import type { ByteBudget } from './limits/byte-budget.js';
import type { Reservation } from './limits/byte-reservations.js';
import type { CallsInFlight } from './limits/calls-in-flight.js';
import type { RpcLimits } from './limits.js';
import { type CallableMethod, MethodTable } from './method-table.js';
import type { RpcMetrics } from './metrics/rpc-metrics.js';
import { EMPTY_ANSWER, errorAnswer, type Outcome, resultAnswer } from './rpc-answer.js';
import type { BoundInterface, MethodDeclaration } from './rpc-interface.js';
import type { AnsweredCall, SlowCalls } from './slow-calls.js';
import type { RequestSpan } from './tracing/tracing.js';

type Answer = Outcome | Promise<Outcome> | Deferred<Outcome>;

export interface DispatcherParts {
  readonly interfaces: readonly BoundInterface[];
  readonly limits: RpcLimits;
  readonly metrics: RpcMetrics;
  readonly log: BoundedLog;
  readonly slowCalls: SlowCalls;
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
 * 5. Each call is checked and charged separately before it runs, even in a batch. The charge is refunded if the node
 *    could not serve the call: `internal_error`, `not_ready`, `overloaded`.
 * 6. Long requests, and those that arrive during a long event loop tick, are parsed and started in slices, alternating
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
  readonly #slowCalls: SlowCalls;
  readonly #budget: ByteBudget;
  readonly #work: SlicedWork;
  readonly #takesRawParams = (method: string): boolean => this.#methods.get(method)?.takesRawParams === true;

  constructor({ interfaces, limits, metrics, log, slowCalls, budget, work }: DispatcherParts) {
    this.#slowCalls = slowCalls;
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
    const taken = this.#budget.reserve(body.length, context);
    if (taken === undefined) {
      this.#metrics.overloads.bytes++;
      batch.return(EMPTY_ANSWER);
      return this.#refused(overloaded(), context);
    }
    return this.#inSlices(this.#restInSlices(batch, taken), context).finally(() => {
      // Ends the batch in case its remaining calls were never started.
      batch.return(EMPTY_ANSWER);
      taken.release();
    });
  }

  #refused(error: unknown, context: CallerContext): HttpResponse {
    const refusal = priced(toRpcError(error, 'the request body', this.#log, context), context);
    this.#metrics.refuse(refusal.kind);
    return errorAnswer('null', refusal);
  }

  #dispatchLater(lent: BorrowedBody, context: CallerContext): HttpAnswer {
    const taken = this.#budget.reserve(lent.body.length, context);
    if (taken === undefined) {
      this.#metrics.overloads.bytes++;
      return this.#refused(overloaded(), context);
    }
    const answer = this.#wholeInSlices(lent.keepBody(), context, taken);
    // Releases the reservation in case the work was never started.
    return this.#inSlices(answer, context).finally(() => taken.release());
  }

  /** Retains nothing of the body while waiting for an answer. */
  #inSlices(answer: Sliced<HttpAnswer>, context: CallerContext): Promise<HttpResponse> {
    return this.#work.run(answer, context).then(
      (response) => response,
      (error: unknown) => this.#refused(error, context),
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

  /** The declaration of a method by plain or qualified name. */
  declaration(name: string): MethodDeclaration | undefined {
    return this.#methods.get(name)?.declaration;
  }

  /** Counts a call of an unknown method, and returns its error. */
  unknown(name: string): RpcError {
    const refusal = this.#methods.refusal(name);
    this.#metrics.refuse(refusal.kind);
    return refusal;
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
      refund: ({ method }) => {
        const declaration = this.#methods.get(method)?.declaration;
        if (declaration !== undefined) context.meter?.refund(declaration.cost, declaration.tier);
      },
    });
  }

  #answer(request: RpcRequest, context: CallerContext, bytes: number): Answer {
    if (request.error !== undefined) return this.#misdirected(request.error, context);
    const method = this.#methods.get(request.method);
    if (method === undefined) return this.#misdirected(this.#methods.refusal(request.method), context);
    return this.#run(method, request.params, context, bytes);
  }

  /** Charges and counts a call that reaches no method. */
  #misdirected(error: RpcError, context: CallerContext): RpcError {
    const refusal = priced(error, context);
    this.#metrics.refuse(refusal.kind);
    return refusal;
  }

  /**
   * Checks access, charges the call, and runs it.
   * @param bytes size of the request, or the call's share of it
   */
  #run(method: CallableMethod, params: unknown, context: CallerContext, bytes: number): Answer {
    const { stats } = method;
    const begun = stats.begin(method.mayWait);
    const paramsBytes = params instanceof JsonSource ? params.text.length : bytes;
    const asked: AskedCall = { method, begun, context, paramsBytes };
    const refusal = context.refusal ?? denied(method, context) ?? charge(method, context);
    if (refusal === 'wait') return this.#runLater(asked, params, bytes);
    if (refusal !== undefined) return this.#failed(asked, refusal, false);
    return this.#runCharged(asked, params, bytes);
  }

  /** Runs a call once its token has units on hand. */
  async #runLater(asked: AskedCall, params: unknown, bytes: number): Promise<Outcome> {
    const { method, context } = asked;
    const { cost, tier } = method.declaration;
    let place: CallSlot | undefined;
    let refusal: RpcError | undefined;
    try {
      place = this.#acquireSlot(bytes, context);
      refusal = await context.meter?.chargeLater(cost, tier);
    } catch (error) {
      refusal = toRpcError(error, 'the charge of a call', this.#log, context);
    } finally {
      place?.release();
    }
    return refusal === undefined
      ? this.#runCharged(asked, params, bytes)
      : this.#failed(asked, refusal, true);
  }

  #runCharged(asked: AskedCall, params: unknown, bytes: number): Answer {
    const { method, context } = asked;
    const limits = method.isLimited ? context.meter?.calls : undefined;
    return limits === undefined
      ? this.#runHandler(asked, params, bytes)
      : this.#runLimited(limits, asked, params, bytes);
  }

  #runLimited(limits: CallLimits, asked: AskedCall, params: unknown, bytes: number): Answer {
    const { context } = asked;
    const { name, cost, tier } = asked.method.declaration;
    return runLimited({
      ...{ limits, method: name, params, context },
      run: (limited) => this.#runHandler({ ...asked, context: limited }, params, bytes),
      refuse: (refusal, isLate) => {
        context.meter?.refund(cost, tier);
        return this.#failed(asked, refusal, isLate);
      },
      waitInSlot: async (wait) => {
        let place: CallSlot | undefined;
        try {
          place = this.#acquireSlot(bytes, context);
          return await wait();
        } catch (error) {
          return toRpcError(error, name, this.#log, context);
        } finally {
          place?.release();
        }
      },
    });
  }

  #runHandler(asked: AskedCall, params: unknown, bytes: number): Answer {
    const { method, context } = asked;
    let place: CallSlot | undefined;
    try {
      if (method.mayWait) place = this.#acquireSlot(bytes, context);
      const result = method.handler(this.#params(method, params), context);
      if (result instanceof Deferred) return this.#deferredOutcome(asked, result, place ?? this.#newSlot());
      if (result instanceof Promise) return this.#wait(asked, result, place ?? this.#newSlot());
      const text = this.#text(method.declaration, result);
      place?.release();
      this.#succeeded(asked, text, false);
      return text;
    } catch (error) {
      place?.release();
      return this.#failure(asked, error, false);
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
    if (place === undefined) {
      this.#metrics.overloads.calls++;
      throw overloaded();
    }
    const taken = this.#budget.reserve(bytes, context);
    if (taken === undefined) {
      this.#metrics.overloads.bytes++;
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

  async #wait(asked: AskedCall, promise: Promise<unknown>, place: CallSlot): Promise<Outcome> {
    const { method } = asked;
    method.mayWait = true;
    let parkedMs: number | undefined;
    try {
      let result = await promise;
      if (result instanceof Parked) {
        place.release();
        const parkedAt = performance.now();
        await result.until;
        parkedMs = performance.now() - parkedAt;
        place.reenter();
        result = await result.resume();
      }
      const text = this.#text(method.declaration, result);
      const waitedMs = result instanceof EncodedResult ? result.waitedMs : undefined;
      this.#succeeded(asked, text, true, waitedMs, parkedMs);
      return text;
    } catch (error) {
      return this.#failure(asked, error, true, parkedMs);
    } finally {
      place.release();
    }
  }

  #deferredOutcome(
    asked: AskedCall,
    result: Deferred<EncodedResult | Error>,
    place: CallSlot,
  ): Deferred<Outcome> {
    asked.method.mayWait = true;
    return result.map((settled) => {
      place.release();
      if (settled instanceof Error) return this.#failure(asked, settled, true);
      this.#succeeded(asked, settled.json, true, settled.waitedMs);
      return settled.json;
    });
  }

  /** Encodes a result and checks its length; workers check the results that they encode. */
  #text(declaration: MethodDeclaration, result: unknown): string {
    return result instanceof EncodedResult
      ? result.json
      : encodedResult(declaration, result, this.#limits.maxAnswerBytes);
  }

  #succeeded(asked: AskedCall, text: string, isLate: boolean, waitedMs?: number, parkedMs?: number): void {
    const ms = asked.method.stats.succeeded(asked.begun, isLate, text.length);
    const { span } = asked.context;
    if (span !== undefined) trace(span, asked, 'ok', waitedMs);
    if (ms < this.#slowCalls.thresholdMs) return;
    this.#noteSlow(asked, { outcome: 'ok', ms, waitedMs, parkedMs, answerBytes: text.length });
  }

  /** The error of a charged call. Refunds the charge if the node is at fault. */
  #failure(asked: AskedCall, error: unknown, isLate: boolean, parkedMs?: number): RpcError {
    const { method, context } = asked;
    const { qualifiedName, cost, tier } = method.declaration;
    const refusal = toRpcError(error, qualifiedName, this.#log, context);
    // Refusals before the start throw the shared error and are counted there.
    if (refusal.kind === 'overloaded' && error !== overloaded()) this.#metrics.overloads.queue++;
    if (UNCHARGED.has(refusal.kind)) context.meter?.refund(cost, tier);
    return this.#failed(asked, refusal, isLate, parkedMs);
  }

  /** Counts, traces and logs a call that was refused or failed. */
  #failed(asked: AskedCall, refusal: RpcError, isLate: boolean, parkedMs?: number): RpcError {
    const { method, begun, context } = asked;
    const ms = method.stats.failed(refusal.kind, begun, isLate);
    if (context.span !== undefined) trace(context.span, asked, refusal.kind);
    if (ms >= this.#slowCalls.thresholdMs) {
      this.#noteSlow(asked, { outcome: refusal.kind, ms, parkedMs, answerBytes: 0 });
    }
    return refusal;
  }

  /** Logs a slow call, not counting the wait for a block that its client asked for. */
  #noteSlow({ method, context, paramsBytes }: AskedCall, { ms, ...call }: SlowCall): void {
    const totalMs = ms - (call.parkedMs ?? 0);
    if (totalMs < this.#slowCalls.thresholdMs) return;
    this.#metrics.slowCalls++;
    this.#slowCalls.write(
      { ...call, method: method.declaration.qualifiedName, totalMs, paramsBytes },
      context,
    );
  }
}

function trace(span: RequestSpan, { method, begun }: AskedCall, outcome: string, waitedMs?: number): void {
  const begunAt = begun === 0 ? undefined : performance.timeOrigin + begun;
  span.call({ method: method.declaration.qualifiedName, outcome, begunAt, waitedMs });
}

/** A call in progress. */
interface AskedCall {
  readonly method: CallableMethod;
  /** The result of `MethodStats.begin`. */
  readonly begun: number;
  readonly context: CallerContext;
  /** Size of the parameters, or of the call's share of the request. */
  readonly paramsBytes: number;
}

type SlowCall = Pick<AnsweredCall, 'outcome' | 'waitedMs' | 'parkedMs' | 'answerBytes'> & {
  /** Including the time that the call was parked. */
  readonly ms: number;
};

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

/** Errors that are the fault of the node; such calls cost nothing. */
const UNCHARGED: ReadonlySet<RpcErrorKind> = new Set(['internal_error', 'not_ready', 'overloaded']);

function charge({ declaration }: CallableMethod, { meter }: CallerContext): RpcError | 'wait' | undefined {
  return meter?.charge(declaration.cost, declaration.tier);
}

/** Charges a refusal to its caller. @returns the refusal, or another one for a caller beyond its rate */
function priced(refusal: RpcError, { meter }: CallerContext): RpcError {
  return UNCHARGED.has(refusal.kind) ? refusal : (meter?.chargeRefusal() ?? refusal);
}

/** The error for a caller whose tier does not reach the method's. */
function denied(
  { declaration }: CallableMethod,
  { authenticated, tier, meter }: CallerContext,
): RpcError | undefined {
  const { name, tier: required } = declaration;
  if (covers(tier, required)) return undefined;
  const late = meter?.chargeRefusal();
  if (late !== undefined) return late;
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
