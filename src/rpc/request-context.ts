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
