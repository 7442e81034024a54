import { parse as parseContentType } from 'content-type';
import type { SlicedWork } from '../async/sliced-work.js';
import { BoundedLog } from '../config/bounded-log.js';
import { clientOfAddress } from '../config/host.js';
import type { Log } from '../config/log.js';
import { CALL_KINDS, type CallKind } from '../execution/views/batched-calls.js';
import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { Access, Caller } from './access/access.js';
import { SlowCalls } from './calls/slow-calls.js';
import { Deferred } from './deferred.js';
import { type Discovery, discoverInterface } from './discovery.js';
import { Dispatcher } from './dispatcher.js';
import { overloaded, toRpcError } from './domain-errors.js';
import { limitExceeded, RpcError } from './errors.js';
import { GET_CALL_VERBS, GetCalls } from './get-calls.js';
import type { MethodHandlers } from './handlers.js';
import type { AllowedHosts } from './http/allowed-hosts.js';
import { bufferingIn } from './http/body-buffer.js';
import { Connections } from './http/connections.js';
import { Cors, type CorsOptions } from './http/cors.js';
import type { ExplorerSite } from './http/explorer-site.js';
import {
  type HttpAnswer,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type HttpServerOptions,
  isShared,
  type RequestHead,
} from './http/http-server.js';
import { REQUEST_ID_HEADER, RequestIds } from './http/request-id.js';
import type { TrustedProxies } from './http/trusted-proxies.js';
import { ByteBudget } from './limits/byte-budget.js';
import type { Reservation } from './limits/byte-reservations.js';
import type { RpcLimits } from './limits.js';
import type { RenderedMetrics } from './metrics/metrics.js';
import type { RpcMetrics } from './metrics/rpc-metrics.js';
import { type CallRequest, RequestContext } from './request-context.js';
import type { KeptResults } from './results/kept-results.js';
import { errorAnswer, plainError } from './rpc-answer.js';
import { type BoundInterface, bindInterface, type MethodDeclaration } from './rpc-interface.js';
import { EventHub } from './subscriptions/event-hub.js';
import { subscriptionMethods } from './subscriptions/subscription-methods.js';
import { type SubscriptionMemory, subscriptionMemory } from './subscriptions/subscription-room.js';
import type { RequestSpan, Tracing } from './tracing/tracing.js';
import type { SocketMessage } from './web-socket/socket-message.js';
import { upgradeRequired } from './web-socket/upgrade-rules.js';
import { WebSockets } from './web-socket/web-sockets.js';

export interface RpcFrontEndParts {
  /** The served interfaces with their handlers: {@link bindNodeRpcV1} for the node's interface. */
  readonly interfaces: readonly BoundInterface[];
  readonly access: Access;
  /** This thread's RPC metrics. */
  readonly metrics: RpcMetrics;
  readonly renderMetrics: () => Promise<RenderedMetrics>;
  readonly limits: RpcLimits;
  readonly discovery: Discovery;
  /** Absent to serve no explorer. */
  readonly explorer?: ExplorerSite | undefined;
  readonly log: Log;
  /** Calls that take at least this long are logged; 0 or absent: none. */
  readonly slowCallMs?: number;
  /** Prefix of every path, such as `/node1`; may be empty. */
  readonly baseUrl: string;
  readonly cors: CorsOptions;
  /** Runs work that would block this thread for too long. */
  readonly work: SlicedWork;
  /** Absent to trace nothing. */
  readonly tracing?: Tracing | undefined;
  /** Decides which results never change; without it, answers to GET calls are never cacheable. */
  readonly results?: KeptResults | undefined;
  /** Absent to allow every host. */
  readonly allowedHosts?: AllowedHosts | undefined;
  /** Absent to use the peer's address as the client's. */
  readonly trustedProxies?: TrustedProxies | undefined;
  /** Shared by the subscriptions of all threads; by default of this thread alone. */
  readonly subscriptionMemory?: SubscriptionMemory | undefined;
}

/** @param methods the compiled interface NodeRpcV1: `rpcMethods` of `ledger/rpc-codecs.ts` */
export function bindNodeRpcV1(
  methods: ReadonlyMap<string, MethodDeclaration>,
  handlers: MethodHandlers,
): BoundInterface {
  return bindInterface<NodeRpcV1Methods, CallKind>(methods, handlers, CALL_KINDS);
}

/** The handlers of one path. */
interface Route {
  /** Value of the `Allow` header. */
  readonly methods: string;
  readonly get?: (request: HttpRequest) => HttpAnswer;
  readonly post?: (request: HttpRequest) => HttpAnswer;
}

const POST_HEADERS = ['content-type', 'authorization', 'host', REQUEST_ID_HEADER] as const;
/** Browsers send about twenty; uWebSockets.js itself allows 98. */
const MAX_HEADERS = 90;
const TRACEPARENT_HEADER = 'traceparent';
/** Spans record any other method as `_OTHER`, as OpenTelemetry prescribes, because a client may send anything. */
const TRACED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Maximum length of a host quoted in a message. */
const MAX_SHOWN_HOST = 100;
/** Minimum number of bytes beyond the body limit to read and drop, so that the sender gets to read the answer. */
const MIN_DRAIN_BYTES = 1024 * 1024;
const OTHER_HEADERS = [
  'accept-encoding',
  'authorization',
  'if-none-match',
  'origin',
  'host',
  REQUEST_ID_HEADER,
] as const;

/**
 * Every path of the node's HTTP interface:
 *
 * | path | |
 * |---|---|
 * | POST /v2/rpc | JSON-RPC 2.0 |
 * | GET /v2/rpc/idl, /v2/rpc/manifest, /v2/rpc/openrpc | the interface, for tools |
 * | GET /v2/rpc/call/… | one call of a method marked @immutable |
 * | GET /health, /ready | the methods health and readiness: 200 or 503 |
 * | GET /metrics | Prometheus |
 * | GET /v2/ws, upgraded | JSON-RPC 2.0 over a WebSocket, with subscriptions |
 * | GET /, /assets/… | the explorer |
 *
 * Every request whose `Host` is not allowed is refused with 403. A request that is not JSON-RPC (unknown path, wrong
 * verb or content type) is answered with the matching HTTP status and a body in the form of an RPC error. HEAD works
 * wherever GET does; OPTIONS lists the verbs of a path.
 */
export class RpcFrontEnd {
  /** Memory held for clients' requests. */
  readonly budget: ByteBudget;
  /** The subscriptions; refuses them until it has a chain. */
  readonly events: EventHub;
  readonly #webSockets: WebSockets;
  readonly #access: Access;
  readonly #allowedHosts: AllowedHosts | undefined;
  readonly #proxies: TrustedProxies | undefined;
  readonly #cors: Cors;
  readonly #dispatcher: Dispatcher;
  readonly #limits: RpcLimits;
  readonly #log: BoundedLog;
  readonly #metrics: RpcMetrics;
  readonly #work: SlicedWork;
  readonly #renderMetrics: () => Promise<RenderedMetrics>;
  #pendingMetrics: Promise<HttpResponse> | undefined;
  readonly #rpcPath: string;
  readonly #callPath: string;
  readonly #getCalls: GetCalls;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #ids = new RequestIds();
  readonly #tracing: Tracing | undefined;

  constructor(parts: RpcFrontEndParts) {
    const { interfaces, access, metrics, limits, discovery, baseUrl, cors } = parts;
    const log = new BoundedLog(parts.log);
    this.#access = access;
    this.#work = parts.work;
    this.#tracing = parts.tracing;
    this.#allowedHosts = parts.allowedHosts;
    this.#proxies = parts.trustedProxies;
    this.#cors = new Cors(cors);
    this.budget = new ByteBudget(limits.maxBufferedBytes, (error) =>
      log.error({ err: error }, 'failed to close a connection'),
    );
    metrics.watch(this.budget);
    metrics.watchQueue('slices', () => parts.work.size);
    const socketPath = `${baseUrl}/v2/ws`;
    this.#dispatcher = new Dispatcher({
      interfaces: [...interfaces, subscriptionMethods(socketPath), discoverInterface(discovery)],
      limits,
      metrics,
      log,
      slowCalls: new SlowCalls(new BoundedLog(parts.log), parts.slowCallMs ?? 0),
      budget: this.budget,
      work: parts.work,
    });
    this.#limits = limits;
    this.#log = log;
    this.#metrics = metrics;
    this.#renderMetrics = parts.renderMetrics;
    this.#rpcPath = `${baseUrl}/v2/rpc`;
    this.events = new EventHub({
      ...{ limits, log },
      counts: metrics.sockets,
      memory: parts.subscriptionMemory ?? subscriptionMemory(),
    });
    this.#webSockets = new WebSockets({
      ...{ path: socketPath, limits, access, metrics, log },
      ...{ budget: this.budget, cors: this.#cors, ids: this.#ids },
      allowedHosts: parts.allowedHosts,
      proxies: this.#proxies,
      call: (message) => this.#message(message, socketPath),
      failure: (error, message) => {
        const requestId = this.#ids.of(message);
        message.span?.end(500, requestId);
        return plainError(500, toRpcError(error, 'a WebSocket message', log, { requestId }));
      },
      subscriptionsOf: this.events.subscriptionsOf,
    });
    this.#callPath = `${this.#rpcPath}/call/`;
    this.#getCalls = new GetCalls({
      dispatcher: this.#dispatcher,
      results: parts.results,
      maxNesting: limits.maxNesting,
      rpcPath: this.#rpcPath,
    });
    const routes: readonly (readonly [string, Route])[] = [
      [this.#rpcPath, { methods: 'POST, OPTIONS', post: (request) => this.#rpc(request) }],
      [`${baseUrl}/v2/rpc/idl`, reading((request) => discovery.idl.answer(request))],
      [`${baseUrl}/v2/rpc/manifest`, reading((request) => discovery.manifest.answer(request))],
      [`${baseUrl}/v2/rpc/openrpc`, reading((request) => discovery.openRpc.answer(request))],
      [`${baseUrl}/health`, reading((request) => this.#probe(request, 'health', isHealthy))],
      [`${baseUrl}/ready`, reading((request) => this.#probe(request, 'readiness', isReady))],
      [`${baseUrl}/metrics`, reading(() => this.#publishMetrics())],
      [socketPath, reading(upgradeRequired)],
      ...explorerRoutes(baseUrl, parts.explorer),
    ];
    this.#routes = new Map(routes);
  }

  /** Options for an HTTP server that serves this front end; the caller adds host and port. */
  get httpOptions(): Omit<HttpServerOptions, 'host' | 'port'> {
    const { maxBodyBytes, maxBacklogBytes, requestTimeoutMs } = this.#limits;
    const added = [
      ...(this.#proxies === undefined ? [] : ['x-forwarded-for']),
      ...(this.#tracing === undefined ? [] : [TRACEPARENT_HEADER]),
    ];
    const postHeaders = [...POST_HEADERS, ...(this.#cors.enabled ? ['origin'] : []), ...added];
    const otherHeaders = [...OTHER_HEADERS, ...added];
    return {
      keepHeaders: (method) => (method === 'POST' ? postHeaders : otherHeaders),
      maxBodyBytes,
      maxDrainBytes: Math.max(MIN_DRAIN_BYTES, maxBodyBytes),
      maxBacklogBytes,
      requestTimeoutMs,
      connections: new Connections(this.#limits, this.#metrics.connections),
      handler: this.handle,
      bodyTooLong: (given, request) =>
        this.#counted(
          request,
          plainError(413, limitExceeded('body_bytes', maxBodyBytes, given, 'the request body, in bytes')),
        ),
      refused: (status, message, request) =>
        this.#counted(request, plainError(status, new RpcError('invalid_request', message, {}))),
      overloaded: (request) => this.#counted(request, errorAnswer('null', overloaded())),
      maxHeaders: MAX_HEADERS,
      ...bufferingIn(this.budget, maxBodyBytes),
      work: this.#work,
      failure: (error, request) =>
        this.#counted(
          request,
          plainError(
            500,
            toRpcError(error, 'an HTTP request', this.#log, { requestId: this.#ids.of(request) }),
          ),
        ),
      onError: (error) => this.#log.error({ err: error }, 'HTTP server error'),
      webSockets: this.#webSockets.route,
    };
  }

  readonly handle: HttpHandler = (request) => {
    this.#metrics.httpRequests++;
    this.#metrics.requestSizes.observe(request.body.length);
    if (this.#tracing !== undefined) request.span = this.#spanOf(request, this.#tracing);
    const hosts = this.#allowedHosts;
    if (hosts !== undefined) {
      const host = request.header('host');
      // HTTP/1.0 clients may omit `Host`; browsers never do.
      if (host !== '' && !hosts.allows(host)) return this.#finish(request, this.#rejectHost(host));
    }
    const answer = this.#route(request);
    if (answer instanceof Deferred) return answer.map((response) => this.#finish(request, response));
    if (answer instanceof Promise) return this.#finishLater(request, answer);
    return this.#finish(request, answer);
  };

  #rejectHost(host: string): HttpResponse {
    this.#metrics.refuse('forbidden');
    const shown = host.length > MAX_SHOWN_HOST ? `${host.slice(0, MAX_SHOWN_HOST)}…` : host;
    const message = `host ${JSON.stringify(shown)} is not allowed; the operator can allow it with --allowed-hosts`;
    return plainError(403, new RpcError('forbidden', message, { host: shown }));
  }

  #finish(request: HttpRequest, response: HttpResponse): HttpResponse {
    const marked = this.#counted(request, response);
    return this.#cors.enabled && request.method !== 'OPTIONS' ? this.#cors.share(request, marked) : marked;
  }

  async #finishLater(request: HttpRequest, answer: Promise<HttpResponse>): Promise<HttpResponse> {
    return this.#finish(request, await answer);
  }

  #spanOf(request: HttpRequest, tracing: Tracing): RequestSpan {
    const { method, path } = request;
    const route = this.#routes.has(path)
      ? path
      : path.startsWith(this.#callPath)
        ? `${this.#callPath}{method}`
        : '';
    return tracing.request({
      ...{ method: TRACED_METHODS.has(method) ? method : '_OTHER', route },
      traceparent: request.header(TRACEPARENT_HEADER),
    });
  }

  #counted(request: RequestHead, response: HttpResponse): HttpResponse {
    this.#metrics.answered(response.status, response.body.length);
    request.span?.end(response.status, this.#ids.of(request));
    return this.#ids.mark(request, response);
  }

  #route(request: HttpRequest): HttpAnswer {
    const { method, path } = request;
    if (method === 'POST' && path === this.#rpcPath) return this.#rpc(request);
    const route = this.#routes.get(path) ?? this.#callRoute(path);
    if (route === undefined) {
      return plainError(
        404,
        new RpcError('not_found', `there is nothing at this path; calls go to POST ${this.#rpcPath}`, {}),
      );
    }
    if (method === 'OPTIONS') return this.#cors.preflight(request, route.methods);
    const answer =
      method === 'GET' || method === 'HEAD' ? route.get : method === 'POST' ? route.post : undefined;
    if (answer !== undefined) return answer(request);
    const refusal = new RpcError('invalid_request', `this path takes ${route.methods}`, {
      allow: route.methods,
    });
    return plainError(405, refusal, [['allow', route.methods]]);
  }

  #rpc(request: HttpRequest): HttpAnswer {
    if (!isJson(request.header('content-type'))) {
      this.#metrics.refuse('invalid_request');
      const message = 'content-type: expected application/json, in UTF-8';
      return plainError(415, new RpcError('invalid_request', message, {}), [
        ['accept-post', 'application/json'],
      ]);
    }
    return this.#call(request);
  }

  /** The route of a call by GET. */
  #callRoute(path: string): Route | undefined {
    if (!path.startsWith(this.#callPath)) return undefined;
    const name = path.slice(this.#callPath.length);
    const refusal = this.#getCalls.refusal(name);
    if (refusal?.status === 405) return { methods: 'OPTIONS', get: () => refusal };
    return {
      methods: GET_CALL_VERBS,
      get: (request) =>
        refusal === undefined ? this.#getCall(request, name) : this.#refusedCall(request, refusal),
    };
  }

  #refusedCall(request: HttpRequest, refusal: HttpResponse): HttpResponse {
    const { remoteAddress } = new RequestContext(request, this.#ids, this.#proxies);
    const late = this.#access.addressMeter(() => clientOfAddress(remoteAddress))?.chargeRefusal();
    return late === undefined ? refusal : plainError(late.httpStatus, late);
  }

  async #getCall(request: HttpRequest, name: string): Promise<HttpResponse> {
    const context = new RequestContext(request, this.#ids, this.#proxies);
    try {
      this.#identify(
        context,
        await this.#access.identify(request.header('authorization'), context, () =>
          clientOfAddress(context.remoteAddress),
        ),
      );
    } catch (error) {
      context.refusal = toRpcError(error, 'the access token', this.#log, context);
    }
    const answer = await this.#getCalls.answer(request, name, context);
    return isShared(answer) ? answer : addRateHeaders(answer, context);
  }

  /** Answers the body of a request or a message of a WebSocket, and identifies the caller of each message. */
  #call(request: CallRequest): HttpAnswer {
    const context = new RequestContext(request, this.#ids, this.#proxies);
    const caller = this.#access.identify(request.header('authorization'), context, () =>
      clientOfAddress(context.remoteAddress),
    );
    if (caller instanceof Promise) return this.#callLater(request, context, caller);
    this.#identify(context, caller);
    return withRateHeaders(this.#dispatcher.dispatch(request, context), context);
  }

  /** Answers a message of a WebSocket. */
  #message(message: SocketMessage, path: string): HttpAnswer {
    const span = this.#tracing?.message(path);
    if (span === undefined) return this.#call(message);
    message.span = span;
    const ended = (response: HttpResponse): HttpResponse => {
      span.end(response.status, this.#ids.of(message));
      return response;
    };
    const answer = this.#call(message);
    if (answer instanceof Deferred) return answer.map(ended);
    return answer instanceof Promise ? answer.then(ended) : ended(answer);
  }

  /** Answers a request once its token is checked; until then its body counts against the budget. */
  #callLater(request: CallRequest, context: RequestContext, promise: Promise<Caller>): HttpAnswer {
    const taken = this.budget.reserve(request.body.length, context);
    if (taken !== undefined) return this.#identified(context, request.keepBody(), promise, taken);
    // The result of the check has no use any more.
    promise.catch(() => undefined);
    this.#metrics.refuse('overloaded');
    return errorAnswer('null', overloaded());
  }

  async #identified(
    context: RequestContext,
    body: Uint8Array,
    promise: Promise<Caller>,
    taken: Reservation,
  ): Promise<HttpResponse> {
    try {
      this.#identify(context, await promise);
    } catch (error) {
      context.refusal = toRpcError(error, 'the access token', this.#log, context);
    }
    // The dispatcher holds a reservation of its own.
    taken.release();
    return withRateHeaders(this.#dispatcher.dispatch({ body, keepBody: () => body }, context), context);
  }

  #identify(context: RequestContext, caller: Caller): void {
    context.caller = caller;
    context.meter = this.#access.meterFor(caller, () => clientOfAddress(context.remoteAddress));
  }

  async #probe(
    request: HttpRequest,
    method: string,
    isGood: (result: unknown) => boolean,
  ): Promise<HttpResponse> {
    const context = new RequestContext(request, this.#ids, this.#proxies);
    const outcome = await this.#dispatcher.call(method, {}, context);
    if (outcome instanceof RpcError) return plainError(503, outcome);
    const status = isGood(JSON.parse(outcome)) ? 200 : 503;
    const headers = [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
    ] as const;
    return { status, headers, body: outcome };
  }

  /** Rendering is expensive and anyone may request it, so concurrent requests share a page, and `renderMetrics` paces itself. */
  #publishMetrics(): Promise<HttpResponse> {
    this.#pendingMetrics ??= this.#metricsPage().finally(() => {
      this.#pendingMetrics = undefined;
    });
    return this.#pendingMetrics;
  }

  async #metricsPage(): Promise<HttpResponse> {
    const { contentType, text } = await this.#renderMetrics();
    return { status: 200, headers: [['content-type', contentType]], body: text };
  }
}

function explorerRoutes(baseUrl: string, site: ExplorerSite = new Map()): (readonly [string, Route])[] {
  const files = [...site].map(
    ([path, file]) => [baseUrl + path, reading((request) => file.answer(request))] as const,
  );
  // The page names its assets relative to its folder, so its address must end with a slash.
  const slash = { status: 308, headers: [['location', `${baseUrl}/`]], body: '' } as const;
  return files.length === 0 || baseUrl === '' ? files : [...files, [baseUrl, reading(() => slash)]];
}

function reading(get: (request: HttpRequest) => HttpAnswer): Route {
  return { methods: 'GET, HEAD, OPTIONS', get };
}

/** True if the status of a `HealthResult` is `ok`. */
function isHealthy(result: unknown): boolean {
  const { status } = result as { readonly status?: { readonly type?: unknown } };
  return status?.type === 'ok';
}

/** True if `ready` of a `ReadinessResult` is true. */
function isReady(result: unknown): boolean {
  return (result as { readonly ready?: unknown }).ready === true;
}

/** Adds the RateLimit headers of a limited caller, once its calls are charged. */
function withRateHeaders(answer: HttpAnswer, context: RequestContext): HttpAnswer {
  if (context.meter === undefined) return answer;
  if (answer instanceof Deferred) return answer.map((response) => addRateHeaders(response, context));
  return answer instanceof Promise
    ? answer.then((response) => addRateHeaders(response, context))
    : addRateHeaders(answer, context);
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
