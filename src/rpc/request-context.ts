import type { CallAllowance } from '../async/caller.js';
import type { Tier } from '../idl/manifest.js';
import type { AccessRights } from './access/access.js';
import type { Meter } from './access/meter.js';
import type { RpcError } from './errors.js';
import type { InvocationContext } from './handlers.js';
import type { HttpRequest } from './http/http-server.js';
import type { RequestIds } from './http/request-id.js';
import type { TrustedProxies } from './http/trusted-proxies.js';
import { clientOf } from './limits/client-of.js';
import type { Subscriber } from './subscriptions/subscriber.js';
import type { RequestSpan } from './tracing/tracing.js';

/** A request whose body is JSON-RPC, or a message of a WebSocket. */
export interface CallRequest extends Omit<HttpRequest, 'method' | 'path' | 'query'> {
  /** The WebSocket's subscriptions; absent for HTTP. */
  readonly subscriber?: Subscriber;
}

const UNIDENTIFIED: AccessRights = { tier: 'public', authenticated: false };

/** The context shared by the calls of one request. Addresses are expensive and therefore fetched on demand. */
export class RequestContext implements InvocationContext {
  readonly #request: CallRequest;
  readonly #ids: RequestIds;
  readonly #proxies: TrustedProxies | undefined;
  #caller: AccessRights = UNIDENTIFIED;
  #address: string | undefined;
  #client: string | undefined;
  meter: Meter | undefined;
  refusal: RpcError | undefined;

  constructor(request: CallRequest, ids: RequestIds, proxies: TrustedProxies | undefined) {
    this.#request = request;
    this.#ids = ids;
    this.#proxies = proxies;
  }

  set caller(caller: AccessRights) {
    this.#caller = caller;
    this.#client = undefined;
  }

  /** The client's address: the peer's, or behind trusted proxies the one in `X-Forwarded-For`. */
  get remoteAddress(): string {
    this.#address ??= this.#findAddress();
    return this.#address;
  }

  get requestId(): string {
    return this.#ids.of(this.#request);
  }

  get span(): RequestSpan | undefined {
    return this.#request.span;
  }

  get tier(): Tier {
    return this.#caller.tier;
  }

  get subject(): string | undefined {
    return this.#caller.subject;
  }

  get tokenId(): string | undefined {
    return this.#caller.token?.token.id;
  }

  get authenticated(): boolean {
    return this.#caller.authenticated;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get client(): string {
    this.#client ??= clientOf(this);
    return this.#client;
  }

  get isGone(): boolean {
    return this.#request.isOver;
  }

  get subscriber(): Subscriber | undefined {
    return this.#request.subscriber;
  }

  #findAddress(): string {
    const { remoteAddress } = this.#request;
    if (this.#proxies === undefined) return remoteAddress;
    return this.#proxies.clientOf(remoteAddress, this.#request.header('x-forwarded-for'));
  }
}

/** A modified context for some calls of a request. */
abstract class DerivedContext implements InvocationContext {
  constructor(protected readonly request: InvocationContext) {}

  get authenticated(): boolean {
    return this.request.authenticated;
  }

  get refusal(): RpcError | undefined {
    return this.request.refusal;
  }

  get span(): RequestSpan | undefined {
    return this.request.span;
  }

  get meter(): Meter | undefined {
    return this.request.meter;
  }

  get remoteAddress(): string {
    return this.request.remoteAddress;
  }

  get requestId(): string {
    return this.request.requestId;
  }

  get tier(): Tier {
    return this.request.tier;
  }

  get subject(): string | undefined {
    return this.request.subject;
  }

  get tokenId(): string | undefined {
    return this.request.tokenId;
  }

  get subscriber(): Subscriber | undefined {
    return this.request.subscriber;
  }

  get client(): string {
    return this.request.client;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  get allowance(): CallAllowance | undefined {
    return this.request.allowance;
  }

  get isGone(): boolean {
    return this.request.isGone;
  }
}

/** The context of a batch, which may stop waiting for its calls before its client disconnects. */
export class BatchContext extends DerivedContext {
  #end: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #isOver = false;

  override get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#end = new AbortController();
      if (this.#isOver) this.#end.abort();
      this.#signal = AbortSignal.any([this.request.signal, this.#end.signal]);
    }
    return this.#signal;
  }

  override get isGone(): boolean {
    return this.#isOver || super.isGone;
  }

  end(): void {
    this.#isOver = true;
    this.#end?.abort();
  }
}

export class LimitedContext extends DerivedContext {
  readonly #allowance: CallAllowance;

  constructor(request: InvocationContext, allowance: CallAllowance) {
    super(request);
    this.#allowance = allowance;
  }

  override get allowance(): CallAllowance {
    return this.#allowance;
  }
}

/** The context of a notification: it runs to the end although no one waits for an answer. */
export class NotificationContext extends DerivedContext {
  override get isGone(): boolean {
    return false;
  }
}
