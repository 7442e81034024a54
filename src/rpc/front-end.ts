import { parse as parseContentType } from 'content-type';
import type { SlicedWork } from '../async/sliced-work.js';
import { BoundedLog } from '../config/bounded-log.js';
import type { Log } from '../config/log.js';
import { CALL_KINDS, type CallKind } from '../execution/views/batched-calls.js';
import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { Tier } from '../idl/manifest.js';
import type { Access, Caller } from './access/access.js';
import { Deferred } from './deferred.js';
import type { Discovery } from './discovery.js';
import { Dispatcher } from './dispatcher.js';
import { overloaded, toRpcError } from './domain-errors.js';
import { limitExceeded, RpcError } from './errors.js';
import type { CallerContext, MethodHandlers } from './handlers.js';
import type { AllowedHosts } from './http/allowed-hosts.js';
import { bufferingIn } from './http/body-buffer.js';
import { Connections } from './http/connections.js';
import { Cors, type CorsOptions } from './http/cors.js';
import type {
  HttpAnswer,
  HttpHandler,
  HttpRequest,
  HttpResponse,
  HttpServerOptions,
} from './http/http-server.js';
import { ByteBudget } from './limits/byte-budget.js';
import { clientOf } from './limits/client-of.js';
import type { RpcLimits } from './limits.js';
import type { RenderedMetrics } from './metrics/metrics.js';
import type { RpcMetrics } from './metrics/rpc-metrics.js';
import { errorAnswer, plainError } from './rpc-answer.js';
import { type BoundInterface, bindInterface, type MethodDeclaration } from './rpc-interface.js';

export interface RpcFrontEndParts {
  /** The served interfaces with their handlers: {@link bindNodeRpcV1} for the node's interface. */
  readonly interfaces: readonly BoundInterface[];
  readonly access: Access;
  /** This thread's RPC metrics. */
  readonly metrics: RpcMetrics;
  readonly renderMetrics: () => Promise<RenderedMetrics>;
  readonly limits: RpcLimits;
  readonly discovery: Discovery;
  readonly log: Log;
  /** Prefix of every path, such as `/node1`; may be empty. */
  readonly baseUrl: string;
  readonly cors: CorsOptions;
  /** Runs work that would block this thread for too long. */
  readonly work: SlicedWork;
  /** Absent to allow every host. */
  readonly allowedHosts?: AllowedHosts | undefined;
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

const POST_HEADERS = ['content-type', 'authorization', 'host'] as const;
/** Browsers send about twenty; uWebSockets.js itself allows 98. */
const MAX_HEADERS = 90;
/** Maximum length of a host quoted in a message. */
const MAX_SHOWN_HOST = 100;
/** Minimum number of bytes beyond the body limit to read and drop, so that the sender gets to read the answer. */
const MIN_DRAIN_BYTES = 1024 * 1024;
const OTHER_HEADERS = ['accept-encoding', 'if-none-match', 'origin', 'host'] as const;

/**
 * Every path of the node's HTTP interface:
 *
 * | path | |
 * |---|---|
 * | POST /v2/rpc | JSON-RPC 2.0 |
 * | GET /v2/rpc/idl, /v2/rpc/manifest | the interface, for tools |
 * | GET /health, /ready | the methods health and readiness: 200 or 503 |
 * | GET /metrics | Prometheus |
 *
 * Every request whose `Host` is not allowed is refused with 403. A request that is not JSON-RPC (unknown path, wrong
 * verb or content type) is answered with the matching HTTP status and a body in the form of an RPC error. HEAD works
 * wherever GET does; OPTIONS lists the verbs of a path.
 */
export class RpcFrontEnd {
  /** Memory held for clients' requests. */
  readonly budget: ByteBudget;
  readonly #access: Access;
  readonly #allowedHosts: AllowedHosts | undefined;
  readonly #cors: Cors;
  readonly #dispatcher: Dispatcher;
  readonly #limits: RpcLimits;
  readonly #log: BoundedLog;
  readonly #metrics: RpcMetrics;
  readonly #work: SlicedWork;
  readonly #renderMetrics: () => Promise<RenderedMetrics>;
  #pendingMetrics: Promise<HttpResponse> | undefined;
  readonly #rpcPath: string;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(parts: RpcFrontEndParts) {
    const { interfaces, access, metrics, limits, discovery, baseUrl, cors } = parts;
    const log = new BoundedLog(parts.log);
    this.#access = access;
    this.#work = parts.work;
    this.#allowedHosts = parts.allowedHosts;
    this.#cors = new Cors(cors);
    this.budget = new ByteBudget(limits.maxBufferedBytes, (error) =>
      log.error({ err: error }, 'failed to close a connection'),
    );
    metrics.watch(this.budget);
    this.#dispatcher = new Dispatcher({
      interfaces,
      limits,
      metrics,
      log,
      budget: this.budget,
      work: parts.work,
    });
    this.#limits = limits;
    this.#log = log;
    this.#metrics = metrics;
    this.#renderMetrics = parts.renderMetrics;
    this.#rpcPath = `${baseUrl}/v2/rpc`;
    const routes: readonly (readonly [string, Route])[] = [
      [this.#rpcPath, { methods: 'POST, OPTIONS', post: (request) => this.#rpc(request) }],
      [`${baseUrl}/v2/rpc/idl`, reading((request) => discovery.idl.answer(request))],
      [`${baseUrl}/v2/rpc/manifest`, reading((request) => discovery.manifest.answer(request))],
      [`${baseUrl}/health`, reading((request) => this.#probe(request, 'health', isHealthy))],
      [`${baseUrl}/ready`, reading((request) => this.#probe(request, 'readiness', isReady))],
      [`${baseUrl}/metrics`, reading(() => this.#publishMetrics())],
    ];
    this.#routes = new Map(routes);
  }

  /** Options for an HTTP server that serves this front end; the caller adds host and port. */
  get httpOptions(): Omit<HttpServerOptions, 'host' | 'port'> {
    const { maxBodyBytes, maxBacklogBytes, requestTimeoutMs } = this.#limits;
    const postHeaders = this.#cors.enabled ? [...POST_HEADERS, 'origin'] : POST_HEADERS;
    return {
      keepHeaders: (method) => (method === 'POST' ? postHeaders : OTHER_HEADERS),
      maxBodyBytes,
      maxDrainBytes: Math.max(MIN_DRAIN_BYTES, maxBodyBytes),
      maxBacklogBytes,
      requestTimeoutMs,
      connections: new Connections(this.#limits, this.#metrics.connections),
      handler: this.handle,
      bodyTooLong: (given) =>
        plainError(413, limitExceeded('body_bytes', maxBodyBytes, given, 'the request body, in bytes')),
      refused: (status, message) => plainError(status, new RpcError('invalid_request', message, {})),
      overloaded: () => errorAnswer('null', overloaded()),
      maxHeaders: MAX_HEADERS,
      ...bufferingIn(this.budget, maxBodyBytes),
      work: this.#work,
      failure: (error) => plainError(500, toRpcError(error, 'an HTTP request', this.#log)),
      onError: (error) => this.#log.error({ err: error }, 'HTTP server error'),
    };
  }

  readonly handle: HttpHandler = (request) => {
    this.#metrics.httpRequests++;
    this.#metrics.requestBytes += request.body.length;
    const hosts = this.#allowedHosts;
    if (hosts !== undefined) {
      const host = request.header('host');
      // HTTP/1.0 clients may omit `Host`; browsers never do.
      if (host !== '' && !hosts.allows(host)) return this.#rejectHost(host);
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
    this.#metrics.answerBytes += response.body.length;
    return this.#cors.enabled && request.method !== 'OPTIONS'
      ? this.#cors.share(request, response)
      : response;
  }

  async #finishLater(request: HttpRequest, answer: Promise<HttpResponse>): Promise<HttpResponse> {
    return this.#finish(request, await answer);
  }

  #route(request: HttpRequest): HttpAnswer {
    const { method, path } = request;
    if (method === 'POST' && path === this.#rpcPath) return this.#rpc(request);
    const route = this.#routes.get(path);
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
    const caller = this.#access.identify(request.header('authorization'));
    if (caller instanceof Promise) return this.#identified(request, request.keepBody(), caller);
    return this.#dispatcher.dispatch(request, new RequestContext(request, caller));
  }

  async #identified(request: HttpRequest, body: Uint8Array, promise: Promise<Caller>): Promise<HttpResponse> {
    let context: RequestContext;
    try {
      context = new RequestContext(request, await promise);
    } catch (error) {
      context = new RequestContext(request, UNIDENTIFIED, toRpcError(error, 'the access token', this.#log));
    }
    return this.#dispatcher.dispatch({ body, keepBody: () => body }, context);
  }

  async #probe(
    request: HttpRequest,
    method: string,
    isGood: (result: unknown) => boolean,
  ): Promise<HttpResponse> {
    const outcome = await this.#dispatcher.call(method, {}, new RequestContext(request, UNIDENTIFIED));
    if (outcome instanceof RpcError) return plainError(503, outcome);
    const status = isGood(JSON.parse(outcome)) ? 200 : 503;
    const headers = [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
    ] as const;
    return { status, headers, body: outcome };
  }

  /** Rendering is expensive and anyone may request it, so concurrent requests share one page. */
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

const UNIDENTIFIED: Caller = { tier: 'public', authenticated: false };

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

/** The context shared by the calls of one request. Address and signal are expensive and therefore fetched on demand. */
class RequestContext implements CallerContext {
  readonly #request: HttpRequest;
  readonly #caller: Caller;
  readonly refusal: RpcError | undefined;
  #client: string | undefined;

  constructor(request: HttpRequest, caller: Caller, refusal?: RpcError) {
    this.#request = request;
    this.#caller = caller;
    this.refusal = refusal;
  }

  get remoteAddress(): string {
    return this.#request.remoteAddress;
  }

  get tier(): Tier {
    return this.#caller.tier;
  }

  get subject(): string | undefined {
    return this.#caller.subject;
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
}

/** True if a content type is `application/json` in UTF-8, the only charset of JSON (RFC 8259, section 8.1). */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const { type, parameters } = parseContentType(contentType);
  const { charset } = parameters;
  return type === 'application/json' && (charset === undefined || /^utf-?8$/i.test(charset));
}
