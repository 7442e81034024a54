import type { IdentifiedCalls } from './calls/identified-calls.js';
import type { Discovery, InterfaceDocuments } from './discovery.js';
import { RpcError } from './errors.js';
import type { GetCalls } from './get-calls.js';
import type { Cors } from './http/cors.js';
import type { ExplorerSite } from './http/explorer-site.js';
import type { HttpAnswer, HttpRequest } from './http/http-server.js';
import type { Probes } from './probes.js';
import { plainError } from './rpc-answer.js';
import { upgradeRequired } from './web-socket/upgrade-rules.js';

interface Route {
  /** Value of the `Allow` header. */
  readonly methods: string;
  readonly get?: (request: HttpRequest) => HttpAnswer;
  /** Whether the path exists now; absent if it always does. */
  readonly exists?: () => boolean;
}

export interface RoutesParts {
  /** Prefix of every path, such as `/node1`; may be empty. */
  readonly baseUrl: string;
  readonly rpcPath: string;
  readonly socketPath: string;
  readonly calls: IdentifiedCalls;
  readonly getCalls: GetCalls;
  readonly probes: Probes;
  readonly discovery: Discovery;
  /** Absent to serve no explorer. */
  readonly explorer: ExplorerSite | undefined;
  readonly cors: Cors;
}

/**
 * Every path of the node's HTTP interface:
 *
 * | path | |
 * |---|---|
 * | POST /v2/rpc | JSON-RPC 2.0 |
 * | GET /v2/rpc/idl, /v2/rpc/manifest, /v2/rpc/openrpc | the interface, for tools |
 * | GET /v2/rpc/idl/…, /v2/rpc/manifest/… | another interface that the node serves, such as dev_v1 |
 * | GET /v2/rpc/call/… | one call of a method marked @immutable |
 * | GET /health, /ready | the methods health and readiness: 200 or 503 |
 * | GET /metrics | Prometheus |
 * | GET /v2/ws, upgraded | JSON-RPC 2.0 over a WebSocket, with subscriptions |
 * | GET /, /assets/… | the explorer |
 *
 * A request that is not JSON-RPC (unknown path, wrong verb or content type) is answered with the matching HTTP status and
 * a body in the form of an RPC error. HEAD works wherever GET does; OPTIONS lists the verbs of a path.
 */
export class Routes {
  readonly #parts: RoutesParts;
  readonly #rpcPath: string;
  readonly #callPath: string;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(parts: RoutesParts) {
    const { baseUrl, rpcPath, socketPath, probes, discovery, explorer } = parts;
    this.#parts = parts;
    this.#rpcPath = rpcPath;
    this.#callPath = `${this.#rpcPath}/call/`;
    this.#routes = new Map<string, Route>([
      [this.#rpcPath, { methods: 'POST, OPTIONS' }],
      [`${baseUrl}/v2/rpc/idl`, reading((request) => discovery.idl.answer(request))],
      [`${baseUrl}/v2/rpc/manifest`, reading((request) => discovery.manifest.answer(request))],
      [`${baseUrl}/v2/rpc/openrpc`, reading((request) => discovery.openRpc.answer(request))],
      [`${baseUrl}/health`, reading((request) => probes.health(request))],
      [`${baseUrl}/ready`, reading((request) => probes.readiness(request))],
      [`${baseUrl}/metrics`, reading(() => probes.metrics())],
      [socketPath, reading(upgradeRequired)],
      ...discovery.others.flatMap((other) => interfaceRoutes(this.#rpcPath, other)),
      ...explorerRoutes(baseUrl, explorer),
    ]);
  }

  answer(request: HttpRequest): HttpAnswer {
    const { method, path } = request;
    const route = this.#routes.get(path) ?? this.#callRoute(path);
    if (route === undefined || route.exists?.() === false) {
      const message = `there is nothing at this path; calls go to POST ${this.#rpcPath}`;
      return plainError(404, new RpcError('not_found', message, {}));
    }
    if (method === 'OPTIONS') return this.#parts.cors.preflight(request, route.methods);
    if (route.get !== undefined && (method === 'GET' || method === 'HEAD')) return route.get(request);
    const { methods: allow } = route;
    const refusal = new RpcError('invalid_request', `this path takes ${allow}`, { allow });
    return plainError(405, refusal, [['allow', allow]]);
  }

  /** The path of a request without its variable part, to group requests by; empty for an unknown path. */
  patternOf(path: string): string {
    if (this.#routes.has(path)) return path;
    return path.startsWith(this.#callPath) ? `${this.#callPath}{method}` : '';
  }

  #callRoute(path: string): Route | undefined {
    if (!path.startsWith(this.#callPath)) return undefined;
    const name = path.slice(this.#callPath.length);
    return {
      methods: this.#parts.getCalls.verbsOf(name),
      get: (request) => this.#parts.calls.answerGet(request, name),
    };
  }
}

function interfaceRoutes(
  rpcPath: string,
  { name, isServed: exists, ...documents }: InterfaceDocuments,
): (readonly [string, Route])[] {
  return (['idl', 'manifest'] as const).map((form) => {
    const route = reading((request) => documents[form].answer(request));
    return [`${rpcPath}/${form}/${name}`, { ...route, exists }];
  });
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
