import { mapAsync } from '../async/maybe-async.js';
import type { SlicedWork } from '../async/sliced-work.js';
import { BoundedLog } from '../config/bounded-log.js';
import type { Limits } from '../config/limits.js';
import type { Log } from '../config/log.js';
import { CALL_KINDS, type CallKind } from '../execution/views/batched-calls.js';
import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { Access } from './access/access.js';
import { IdentifiedCalls } from './calls/identified-calls.js';
import { SlowCalls } from './calls/slow-calls.js';
import { type Discovery, discoverInterface } from './discovery.js';
import { Dispatcher } from './dispatcher.js';
import { overloaded, toRpcError } from './domain-errors.js';
import { limitExceeded, RpcError } from './errors.js';
import { GetCalls } from './get-calls.js';
import type { MethodHandlers } from './handlers.js';
import type { AllowedHosts } from './http/allowed-hosts.js';
import { bufferingIn } from './http/body-buffer.js';
import { Connections } from './http/connections.js';
import { Cors, type CorsOptions } from './http/cors.js';
import type { ExplorerSite } from './http/explorer-site.js';
import type {
  HttpAnswer,
  HttpHandler,
  HttpRequest,
  HttpResponse,
  HttpServerOptions,
  RequestHead,
} from './http/http-server.js';
import { REQUEST_ID_HEADER, RequestIds } from './http/request-id.js';
import type { TrustedProxies } from './http/trusted-proxies.js';
import { ByteBudget } from './limits/byte-budget.js';
import type { RenderedMetrics } from './metrics/node-metrics.js';
import type { RpcMetrics } from './metrics/rpc-metrics.js';
import { Probes } from './probes.js';
import type { KeptResults } from './results/kept-results.js';
import { Routes } from './routes.js';
import { errorAnswer, plainError } from './rpc-answer.js';
import { type BoundInterface, bindInterface, type MethodDeclaration } from './rpc-interface.js';
import { EventHub } from './subscriptions/event-hub.js';
import { subscriptionMethods } from './subscriptions/subscription-methods.js';
import { type SubscriptionMemory, subscriptionMemory } from './subscriptions/subscription-quota.js';
import type { RequestSpan, Tracing } from './tracing/tracing.js';
import type { SocketMessage } from './web-socket/socket-message.js';
import { WebSockets } from './web-socket/web-sockets.js';

export interface RpcFrontEndParts {
  /** The served interfaces with their handlers: {@link bindNodeRpcV1} for the node's interface. */
  readonly interfaces: readonly BoundInterface[];
  readonly access: Access;
  readonly metrics: RpcMetrics;
  readonly renderMetrics: () => Promise<RenderedMetrics>;
  readonly limits: Limits;
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
  /** Number of threads that share the limit of calls in flight; 1 if absent. */
  readonly threads?: number | undefined;
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

const POST_HEADERS = ['content-type', 'authorization', 'host', REQUEST_ID_HEADER];
/** Browsers send about twenty; uWebSockets.js itself allows 98. */
const MAX_HEADERS = 90;
const TRACEPARENT_HEADER = 'traceparent';
/** Spans record any other method as `_OTHER`, as OpenTelemetry prescribes, because a client may send anything. */
const TRACED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
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
];

/** JSON-RPC, WebSockets and the paths of {@link Routes}. A `Host` that is not allowed is refused with 403. */
export class RpcFrontEnd {
  /** Memory held for clients' requests. */
  readonly budget: ByteBudget;
  /** The subscriptions; refuses them until it has a chain. */
  readonly events: EventHub;
  readonly #parts: RpcFrontEndParts;
  readonly #webSockets: WebSockets;
  readonly #cors: Cors;
  readonly #calls: IdentifiedCalls;
  readonly #log: BoundedLog;
  readonly #routes: Routes;
  readonly #rpcPath: string;
  readonly #ids = new RequestIds();

  constructor(parts: RpcFrontEndParts) {
    const { metrics, limits, discovery, baseUrl, work } = parts;
    const log = new BoundedLog(parts.log);
    this.#parts = parts;
    this.#log = log;
    this.#cors = new Cors(parts.cors);
    this.budget = new ByteBudget(limits.maxBufferedBytes, (error) =>
      log.error({ err: error }, 'failed to close a connection'),
    );
    metrics.watch(this.budget);
    metrics.watchQueue('slices', () => work.size);
    const rpcPath = `${baseUrl}/v2/rpc`;
    const socketPath = `${baseUrl}/v2/ws`;
    this.#rpcPath = rpcPath;
    const shared = {
      ...parts,
      log,
      budget: this.budget,
      cors: this.#cors,
      ids: this.#ids,
      proxies: parts.trustedProxies,
    };
    const dispatcher = new Dispatcher({
      ...shared,
      interfaces: [...parts.interfaces, subscriptionMethods(socketPath), discoverInterface(discovery)],
      slowCalls: new SlowCalls(new BoundedLog(parts.log), parts.slowCallMs ?? 0),
    });
    this.events = new EventHub({
      limits,
      log,
      counts: metrics.sockets,
      memory: parts.subscriptionMemory ?? subscriptionMemory(),
    });
    this.#webSockets = new WebSockets({
      ...shared,
      path: socketPath,
      allowedHosts: parts.allowedHosts,
      call: (message) => this.#message(message, socketPath),
      failure: (error, message) => {
        const requestId = this.#ids.of(message);
        message.span?.end(500, requestId);
        return plainError(500, toRpcError(error, 'a WebSocket message', log, { requestId }));
      },
      subscriptionsOf: this.events.subscriptionsOf,
    });
    const getCalls = new GetCalls({
      ...shared,
      dispatcher,
      results: parts.results,
      maxNesting: limits.maxNesting,
      rpcPath,
    });
    this.#calls = new IdentifiedCalls({ ...shared, dispatcher, getCalls });
    this.#routes = new Routes({
      ...shared,
      rpcPath,
      socketPath,
      getCalls,
      calls: this.#calls,
      probes: new Probes({ dispatcher, calls: this.#calls, renderMetrics: parts.renderMetrics }),
      explorer: parts.explorer,
    });
  }

  /** Options for an HTTP server that serves this front end; the caller adds host and port. */
  get httpOptions(): Omit<HttpServerOptions, 'host' | 'port'> {
    const { maxBodyBytes, maxBacklogBytes, requestTimeoutMs } = this.#parts.limits;
    const added = [
      ...(this.#parts.trustedProxies === undefined ? [] : ['x-forwarded-for']),
      ...(this.#parts.tracing === undefined ? [] : [TRACEPARENT_HEADER]),
    ];
    const postHeaders = [...POST_HEADERS, ...(this.#cors.enabled ? ['origin'] : []), ...added];
    const otherHeaders = [...OTHER_HEADERS, ...added];
    return {
      callPath: this.#rpcPath,
      keepHeaders: (method) => (method === 'POST' ? postHeaders : otherHeaders),
      maxBodyBytes,
      maxDrainBytes: Math.max(MIN_DRAIN_BYTES, maxBodyBytes),
      maxBacklogBytes,
      requestTimeoutMs,
      connections: new Connections(this.#parts.limits, this.#parts.metrics.connections),
      handler: this.handle,
      bodyTooLong: (given, request) => {
        const error = limitExceeded('body_bytes', maxBodyBytes, given, 'the request body, in bytes');
        return this.#counted(request, plainError(413, error));
      },
      refused: (status, message, request) =>
        this.#counted(request, plainError(status, new RpcError('invalid_request', message, {}))),
      overloaded: (request) => this.#counted(request, errorAnswer('null', overloaded())),
      maxHeaders: MAX_HEADERS,
      ...bufferingIn(this.budget, maxBodyBytes),
      work: this.#parts.work,
      failure: (error, request) => {
        const requestId = this.#ids.of(request);
        const refusal = toRpcError(error, 'an HTTP request', this.#log, { requestId });
        return this.#counted(request, plainError(500, refusal));
      },
      onError: (error) => this.#log.error({ err: error }, 'HTTP server error'),
      webSockets: this.#webSockets.route,
    };
  }

  readonly handle: HttpHandler = (request) => {
    const { metrics, tracing, allowedHosts: hosts } = this.#parts;
    metrics.httpRequests++;
    metrics.requestSizes.observe(request.body.length);
    if (tracing !== undefined) request.span = this.#spanOf(request, tracing);
    if (hosts !== undefined) {
      const host = request.header('host');
      // HTTP/1.0 clients may omit `Host`; browsers never do.
      if (host !== '' && !hosts.allows(host)) return this.#finished(this.#rejectHost(host), request);
    }
    const isCall = request.method === 'POST' && request.path === this.#rpcPath;
    const answer = isCall ? this.#calls.answerPost(request) : this.#routes.answer(request);
    return mapAsync(answer, this.#finished, request);
  };

  #rejectHost(host: string): HttpResponse {
    this.#parts.metrics.refuse('forbidden');
    const shown = host.length > MAX_SHOWN_HOST ? `${host.slice(0, MAX_SHOWN_HOST)}…` : host;
    const message = `host ${JSON.stringify(shown)} is not allowed; the operator can allow it with --allowed-hosts`;
    return plainError(403, new RpcError('forbidden', message, { host: shown }));
  }

  readonly #finished = (response: HttpResponse, request: HttpRequest): HttpResponse => {
    const marked = this.#counted(request, response);
    return this.#cors.enabled && request.method !== 'OPTIONS' ? this.#cors.share(request, marked) : marked;
  };

  #spanOf(request: HttpRequest, tracing: Tracing): RequestSpan {
    const { method, path } = request;
    return tracing.request({
      method: TRACED_METHODS.has(method) ? method : '_OTHER',
      route: this.#routes.patternOf(path),
      traceparent: request.header(TRACEPARENT_HEADER),
    });
  }

  #counted(request: RequestHead, response: HttpResponse): HttpResponse {
    this.#parts.metrics.answered(response.status, response.body.length);
    request.span?.end(response.status, this.#ids.of(request));
    return this.#ids.mark(request, response);
  }

  #message(message: SocketMessage, path: string): HttpAnswer {
    const span = this.#parts.tracing?.message(path);
    if (span === undefined) return this.#calls.answer(message);
    message.span = span;
    const ended = (response: HttpResponse): HttpResponse => {
      span.end(response.status, this.#ids.of(message));
      return response;
    };
    return mapAsync(this.#calls.answer(message), ended, undefined);
  }
}
