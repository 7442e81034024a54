import type { Log } from '../config/log.js';
import { reaches } from './access.js';
import { answerBatch } from './batch.js';
import type { ByteBudget } from './byte-budget.js';
import type { TakenBytes } from './byte-takers.js';
import { answerTooLong, overloaded, toRpcError } from './domain-errors.js';
import { RpcError } from './errors.js';
import { type CallContext, EncodedResult, Parked } from './handlers.js';
import type { HttpAnswer, HttpResponse } from './http-server.js';
import { bodyText, parseRpcBody, type RpcRequest } from './json-rpc.js';
import { Later } from './later.js';
import type { RpcLimits } from './limits.js';
import { type CallableMethod, MethodTable } from './method-table.js';
import type { RpcMetrics } from './metrics.js';
import { EMPTY_ANSWER, errorAnswer, resultAnswer } from './rpc-answer.js';
import type { BoundInterface, MethodDeclaration } from './rpc-interface.js';

/** A result as JSON text, or why there is none. */
export type Outcome = string | RpcError;

type Answer = Outcome | Promise<Outcome> | Later<Outcome>;

/** Who calls, as far as access goes. */
export interface CallerContext extends CallContext {
  /** Whether a good token came with the request. */
  readonly authenticated: boolean;
  /** Why the token that came is not good: what every call of the request is answered with. */
  readonly refusal: RpcError | undefined;
}

export interface DispatcherParts {
  readonly interfaces: readonly BoundInterface[];
  readonly limits: RpcLimits;
  readonly metrics: RpcMetrics;
  readonly log: Log;
  /** Of the process: calls that wait take what their text has. */
  readonly budget: ByteBudget;
}

/**
 * Turns a JSON-RPC 2.0 body into its answer (specification of 2013-01-04; the readings it leaves open are listed in
 * `json-rpc.ts`):
 *
 * 1. A notification is run, counted and charged like any call; nothing is answered, whatever comes of it. A lone one, or a
 *    batch of nothing else, is answered with HTTP 204 and no body.
 * 2. The calls of a batch start in their order and run side by side; their answers are in the order of the calls.
 * 3. A batch whose calls cost more than the limit is refused whole, before any of them runs.
 * 4. A method that always answers at once is served even while the node sheds load; a call of any other is answered with
 *    overloaded, at once, while `maxCallsInFlight` others wait, or while those, or those of its client, have too many bytes.
 *
 * Hot path: a lone call of a handler that answers at once makes no promise. `bench/http.bench.ts` guards it.
 */
export class Dispatcher {
  readonly #methods: MethodTable;
  readonly #limits: RpcLimits;
  readonly #metrics: RpcMetrics;
  readonly #log: Log;
  readonly #budget: ByteBudget;

  constructor({ interfaces, limits, metrics, log, budget }: DispatcherParts) {
    this.#methods = new MethodTable(interfaces, metrics);
    this.#limits = limits;
    this.#metrics = metrics;
    this.#log = log;
    this.#budget = budget;
  }

  /** Never throws and never rejects. */
  dispatch(body: Uint8Array, context: CallerContext): HttpAnswer {
    let requests: RpcRequest | readonly RpcRequest[];
    try {
      requests = parseRpcBody(bodyText(body), this.#limits);
    } catch (error) {
      const refusal = toRpcError(error, 'the request body', this.#log);
      this.#metrics.refuse(refusal.kind);
      return errorAnswer('null', refusal);
    }
    if ('method' in requests) return this.#lone(requests, context, body.length);
    return this.#batch(requests, context, body.length);
  }

  /** Calls one method by its name, as the probes do; a name that is not there is an outcome too. */
  call(name: string, params: unknown, context: CallerContext): Outcome | PromiseLike<Outcome> {
    const method = this.#methods.get(name);
    return method === undefined ? this.#methods.refusal(name) : this.#run(method, params, context, 0);
  }

  #lone(request: RpcRequest, context: CallerContext, bytes: number): HttpAnswer {
    const { id } = request;
    const outcome = this.#answer(request, context, bytes);
    if (id === undefined) {
      if (outcome instanceof Later) outcome.discard();
      return EMPTY_ANSWER;
    }
    if (typeof outcome === 'string') return resultAnswer(id, outcome);
    if (outcome instanceof RpcError) return errorAnswer(id, outcome);
    const answered = (settled: Outcome): HttpResponse =>
      typeof settled === 'string' ? resultAnswer(id, settled) : errorAnswer(id, settled);
    return outcome instanceof Later ? outcome.map(answered) : outcome.then(answered);
  }

  #batch(
    requests: readonly RpcRequest[],
    context: CallerContext,
    bytes: number,
  ): HttpResponse | Promise<HttpResponse> {
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
    return answerBatch(requests, (request) => this.#answer(request, context, share), {
      maxAnswerBytes: maxBatchAnswerBytes,
      budget: this.#budget,
      client: context,
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

  /** @param bytes of the request that the call came with, or its share of them */
  #run(method: CallableMethod, params: unknown, context: CallerContext, bytes: number): Answer {
    const { declaration, stats } = method;
    const begun = stats.begin(method.mayWait);
    let taken: TakenBytes | undefined;
    try {
      if (context.refusal !== undefined) throw context.refusal;
      if (!reaches(context.tier, declaration.tier)) throw denied(method, context);
      if (method.mayWait) {
        if (this.#metrics.callsInFlight >= this.#limits.maxCallsInFlight) throw overloaded();
        taken = this.#budget.take(bytes, context);
        if (taken === undefined) throw overloaded();
      }
      const result = method.handler(declaration.decodeParams(params), context);
      if (result instanceof Later) return this.#later(method, result, begun, taken);
      if (result instanceof Promise) return this.#wait(method, result, begun, taken);
      const text = this.#text(declaration, result);
      taken?.give();
      stats.succeeded(begun, false);
      return text;
    } catch (error) {
      taken?.give();
      return this.#failure(method, error, begun, false);
    }
  }

  async #wait(
    method: CallableMethod,
    promise: Promise<unknown>,
    begun: number,
    taken: TakenBytes | undefined,
  ): Promise<Outcome> {
    const metrics = this.#metrics;
    method.mayWait = true;
    metrics.callsInFlight++;
    try {
      let result = await promise;
      if (result instanceof Parked) {
        metrics.callsInFlight--;
        taken?.give();
        await result.until;
        metrics.callsInFlight++;
        result = await result.resume();
      }
      const text = this.#text(method.declaration, result);
      method.stats.succeeded(begun, true);
      return text;
    } catch (error) {
      return this.#failure(method, error, begun, true);
    } finally {
      metrics.callsInFlight--;
      taken?.give();
    }
  }

  #later(
    method: CallableMethod,
    result: Later<EncodedResult | Error>,
    begun: number,
    taken: TakenBytes | undefined,
  ): Later<Outcome> {
    const metrics = this.#metrics;
    method.mayWait = true;
    metrics.callsInFlight++;
    return result.map((settled) => {
      metrics.callsInFlight--;
      taken?.give();
      if (settled instanceof Error) return this.#failure(method, settled, begun, true);
      method.stats.succeeded(begun, true);
      return settled.json;
    });
  }

  /** Workers hold what they encode against the limit themselves. */
  #text(declaration: MethodDeclaration, result: unknown): string {
    if (result instanceof EncodedResult) return result.json;
    const text = declaration.encodeResult(result);
    const { maxAnswerBytes } = this.#limits;
    if (text.length * 3 > maxAnswerBytes && Buffer.byteLength(text) > maxAnswerBytes) {
      throw answerTooLong(maxAnswerBytes, Buffer.byteLength(text));
    }
    return text;
  }

  #failure({ declaration, stats }: CallableMethod, error: unknown, begun: number, waited: boolean): RpcError {
    const refusal = toRpcError(error, declaration.qualifiedName, this.#log);
    stats.failed(refusal.kind, begun, waited);
    return refusal;
  }
}

function denied({ declaration }: CallableMethod, { authenticated, tier }: CallerContext): RpcError {
  const { name, tier: required } = declaration;
  if (authenticated) {
    return new RpcError('forbidden', `${name} needs a token of the tier ${required}; yours has ${tier}`, {
      required,
      tier,
    });
  }
  return new RpcError(
    'unauthorized',
    `${name} needs a token of the tier ${required}: send it as "Authorization: Bearer <token>"`,
    { required },
  );
}
