import { parse as parseContentType } from 'content-type';
import { isAsync, mapAsync } from '../../async/maybe-async.js';
import type { BoundedLog } from '../../config/bounded-log.js';
import { clientOfAddress } from '../../config/host.js';
import type { Access, AccessRights } from '../access/access.js';
import type { Dispatcher } from '../dispatcher.js';
import { overloaded, toRpcError } from '../domain-errors.js';
import { RpcError } from '../errors.js';
import type { GetCalls } from '../get-calls.js';
import { type HttpAnswer, type HttpRequest, type HttpResponse, isShared } from '../http/http-server.js';
import type { RequestIds } from '../http/request-id.js';
import type { TrustedProxies } from '../http/trusted-proxies.js';
import type { ByteBudget, Reservation } from '../limits/byte-budget.js';
import type { RpcMetrics } from '../metrics/rpc-metrics.js';
import { type CallRequest, RequestContext } from '../request-context.js';
import { errorAnswer, plainError } from '../rpc-answer.js';

export interface IdentifiedCallsParts {
  readonly access: Access;
  readonly dispatcher: Dispatcher;
  readonly getCalls: GetCalls;
  readonly metrics: RpcMetrics;
  readonly log: BoundedLog;
  /** The process-wide budget; bodies reserve their size while a token is checked. */
  readonly budget: ByteBudget;
  readonly ids: RequestIds;
  /** Absent to use the peer's address as the client's. */
  readonly proxies: TrustedProxies | undefined;
}

/** Identifies the caller of each request, has its calls answered, and adds the caller's RateLimit headers. */
export class IdentifiedCalls {
  readonly #parts: IdentifiedCallsParts;

  constructor(parts: IdentifiedCallsParts) {
    this.#parts = parts;
  }

  context(request: CallRequest): RequestContext {
    return new RequestContext(request, this.#parts.ids, this.#parts.proxies);
  }

  /** Answers a request whose body should be JSON-RPC. */
  answerPost(request: HttpRequest): HttpAnswer {
    if (isJson(request.header('content-type'))) return this.answer(request);
    this.#parts.metrics.refuse('invalid_request');
    const message = 'content-type: expected application/json, in UTF-8';
    const headers = [['accept-post', 'application/json']] as const;
    return plainError(415, new RpcError('invalid_request', message, {}), headers);
  }

  /** Answers the body of a request or a message of a WebSocket. */
  answer(request: CallRequest): HttpAnswer {
    const context = this.context(request);
    const caller = this.#identify(request, context);
    if (isAsync(caller)) return this.#answerLater(request, context, caller);
    this.#accept(context, caller);
    return withRateHeaders(this.#parts.dispatcher.dispatch(request, context), context);
  }

  /** Answers a call by GET. @param name as in the path, not checked */
  async answerGet(request: HttpRequest, name: string): Promise<HttpResponse> {
    const context = this.context(request);
    await this.#settle(context, this.#identify(request, context));
    const answer = await this.#parts.getCalls.answer(request, name, context);
    return isShared(answer) ? answer : addRateHeaders(answer, context);
  }

  #identify(request: CallRequest, context: RequestContext): AccessRights | Promise<AccessRights> {
    return this.#parts.access.identify(request.header('authorization'), context, () =>
      clientOfAddress(context.remoteAddress),
    );
  }

  /** Answers a request once its token is checked; until then its body counts against the budget. */
  #answerLater(request: CallRequest, context: RequestContext, caller: Promise<AccessRights>): HttpAnswer {
    const reserved = this.#parts.budget.reserve(request.body.length, context);
    if (reserved !== undefined) return this.#answerChecked(context, request.keepBody(), caller, reserved);
    // Nothing waits for the result of the check any more.
    caller.catch(() => undefined);
    this.#parts.metrics.refuse('overloaded');
    return errorAnswer('null', overloaded());
  }

  async #answerChecked(
    context: RequestContext,
    body: Uint8Array,
    caller: Promise<AccessRights>,
    reserved: Reservation,
  ): Promise<HttpResponse> {
    await this.#settle(context, caller);
    // The dispatcher makes its own reservation.
    reserved.release();
    return withRateHeaders(this.#parts.dispatcher.dispatch({ body, keepBody: () => body }, context), context);
  }

  /** Waits for the check of a token. If it fails, every call is answered with its error and charged to the address. */
  async #settle(context: RequestContext, caller: AccessRights | Promise<AccessRights>): Promise<void> {
    try {
      this.#accept(context, await caller);
    } catch (error) {
      context.refusal = toRpcError(error, 'the access token', this.#parts.log, context);
      context.meter = this.#parts.access.addressMeter(() => clientOfAddress(context.remoteAddress));
    }
  }

  #accept(context: RequestContext, caller: AccessRights): void {
    context.caller = caller;
    context.meter = this.#parts.access.meterFor(caller, () => clientOfAddress(context.remoteAddress));
  }
}

/** Adds the RateLimit headers of a limited caller, once its calls are charged. */
function withRateHeaders(answer: HttpAnswer, context: RequestContext): HttpAnswer {
  return context.meter === undefined ? answer : mapAsync(answer, addRateHeaders, context);
}

function addRateHeaders(response: HttpResponse, { meter }: RequestContext): HttpResponse {
  return meter === undefined ? response : { ...response, headers: [...response.headers, ...meter.headers()] };
}

/** True if a content type is `application/json` in UTF-8, the only charset of JSON (RFC 8259, section 8.1). */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const { type, parameters } = parseContentType(contentType);
  const { charset } = parameters;
  return type === 'application/json' && (charset === undefined || /^utf-?8$/i.test(charset));
}
