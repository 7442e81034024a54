import { SlicedWork } from '../../../src/async/sliced-work.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/config/limits.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import type { JsonValue } from '../../../src/idl/json-value.js';
import type { Access, AccessRules } from '../../../src/rpc/access/access.js';
import { Discovery } from '../../../src/rpc/discovery.js';
import { RpcFrontEnd } from '../../../src/rpc/front-end.js';
import { deferredResult, type Handler } from '../../../src/rpc/handlers.js';
import { AllowedHosts } from '../../../src/rpc/http/allowed-hosts.js';
import type { HttpAnswer, HttpRequest } from '../../../src/rpc/http/http-server.js';
import { NodeMetrics } from '../../../src/rpc/metrics/node-metrics.js';
import { type BoundInterface, bindInterface } from '../../../src/rpc/rpc-interface.js';
import { compileInterface } from '../runtime-codecs.js';
import { TestAccess } from '../tokens/test-access.js';

/** A small interface with one method for every way in which a call can end. */
export const TEST_IDL = `
interface TestV1 {
  @tier(public) @cost(1) method subtract(minuend: i64, subtrahend: i64) -> i64;
  @tier(public) @cost(1) method echo(value: json) -> json;
  @tier(public) @cost(1) @immutable method repeat(text: string, times: u32) -> string;
  /// Answers later, through a promise.
  @tier(public) @cost(5) method later(value: json) -> json;
  /// Answers when the test lets it.
  @tier(public) @cost(1) method held() -> bool;
  /// Answers in the next turn of the event loop, as workers do.
  @tier(public) @cost(1) method soon(text?: string) -> string;
  @tier(public) @cost(1) method fail(how: string) -> bool;
  @tier(paid) @cost(500) method expensive() -> bool;
  @tier(admin) @cost(1) method secret() -> string;
  @tier(public) @cost(1) method health() -> TestHealth;
  @tier(public) @cost(1) method readiness() -> TestReadiness;
}
interface OtherV1 {
  @tier(public) @cost(1) method echo() -> string;
  @tier(public) @cost(1) method lonely() -> string;
}
struct TestHealth { status: TestStatus; }
enum TestStatus { Ok, Degraded: string }
struct TestReadiness { ready: bool; }
`;

interface TestMethods {
  subtract: { params: { minuend: bigint; subtrahend: bigint }; result: bigint };
  echo: { params: { value: JsonValue }; result: JsonValue };
  repeat: { params: { text: string; times: number }; result: string };
  later: { params: { value: JsonValue }; result: JsonValue };
  held: { params: Record<string, never>; result: boolean };
  soon: { params: { text?: string }; result: string };
  fail: { params: { how: string }; result: boolean };
  expensive: { params: Record<string, never>; result: boolean };
  secret: { params: Record<string, never>; result: string };
  health: {
    params: Record<string, never>;
    result: { status: { type: 'ok' } | { type: 'degraded'; value: string } };
  };
  readiness: { params: Record<string, never>; result: { ready: boolean } };
}

interface OtherMethods {
  echo: { params: Record<string, never>; result: string };
  lonely: { params: Record<string, never>; result: string };
}

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface FakeRpcOptions {
  readonly limits?: Partial<Limits>;
  readonly corsOrigins?: readonly string[];
  /** Whether pages on this machine may call the node. */
  readonly localPages?: () => boolean;
  readonly baseUrl?: string;
  /** Values of --allowed-hosts; default: any host is served. */
  readonly allowedHosts?: readonly string[];
  /** Errors thrown by the method `fail`, by its argument. */
  readonly failures?: Readonly<Record<string, unknown>>;
  /** Serves OtherV1 beside TestV1, with a method of the same name. */
  readonly twoInterfaces?: boolean;
  readonly now?: () => number;
  readonly rules?: Partial<AccessRules>;
  /** Default 0: no call counts as slow. */
  readonly slowCallMs?: number;
}

export interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body, if there is one. */
  readonly json: unknown;
}

/** The whole front end over {@link TEST_IDL}, without a socket unless a test opens one. */
export class FakeRpc {
  readonly frontEnd: RpcFrontEnd;
  readonly tokens: TestAccess;
  readonly access: Access;
  readonly metrics: NodeMetrics;
  readonly log: LogLine[];
  readonly directory: string;
  /** Result of `health` and `readiness`. */
  healthy = true;
  ready = true;
  /** Calls that ran, by method. */
  readonly ran: string[] = [];
  /** Signals of the calls of `held`. */
  readonly signals: AbortSignal[] = [];
  readonly #held: ((value: boolean) => void)[] = [];

  static async create(options: FakeRpcOptions = {}): Promise<FakeRpc> {
    const log: LogLine[] = [];
    const tokens = await TestAccess.open({
      rules: options.rules ?? {},
      log: collectingLog(log),
      now: options.now,
    });
    return new FakeRpc(options, tokens, await tokens.access(), log);
  }

  private constructor(options: FakeRpcOptions, tokens: TestAccess, access: Access, log: LogLine[]) {
    this.tokens = tokens;
    this.access = access;
    this.directory = tokens.directory;
    this.log = log;
    this.metrics = new NodeMetrics();
    const { manifest } = compileIdl([{ name: 'test.idl', text: TEST_IDL }]);
    const interfaces: BoundInterface[] = [
      bindInterface<TestMethods>(
        compileInterface(manifest, 'TestV1'),
        this.#handlers(options.failures ?? {}),
      ),
    ];
    if (options.twoInterfaces === true) {
      interfaces.push(
        bindInterface<OtherMethods>(compileInterface(manifest, 'OtherV1'), {
          echo: () => 'the other echo',
          lonely: () => 'lonely',
        }),
      );
    }
    this.frontEnd = new RpcFrontEnd({
      // No tick counts as long: synchronous answers stay synchronous, on slow machines too.
      work: new SlicedWork({ now: () => 0 }),
      interfaces,
      access,
      metrics: this.metrics.rpc,
      renderMetrics: () => this.metrics.render(),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      discovery: new Discovery({
        idl: TEST_IDL,
        manifest,
        limits: { body_bytes: 7 },
        rpcUrl: () => 'http://localhost:1/v2/rpc',
      }),
      log: collectingLog(log),
      slowCallMs: options.slowCallMs ?? 0,
      baseUrl: options.baseUrl ?? '',
      cors: { origins: options.corsOrigins ?? [], localPages: options.localPages },
      allowedHosts:
        options.allowedHosts === undefined ? undefined : AllowedHosts.of('127.0.0.1', options.allowedHosts),
    });
  }

  async dispose(): Promise<void> {
    await this.tokens.dispose();
  }

  /** Answers the waiting calls of `held`. */
  release(value = true): void {
    for (const resolve of this.#held.splice(0)) resolve(value);
  }

  /** The handler's answer, synchronous or later. */
  handle(request: FakeRequestOptions): HttpAnswer {
    return this.frontEnd.handle(fakeRequest(request));
  }

  async request(request: FakeRequestOptions): Promise<FakeAnswer> {
    const { status, headers, body } = await this.handle(request);
    const text = typeof body === 'string' ? body : Buffer.from(body).toString();
    return {
      status,
      headers: Object.fromEntries(headers),
      text,
      json: /^[{[]/.test(text) ? (JSON.parse(text) as unknown) : undefined,
    };
  }

  /** POSTs a body to the RPC path. */
  post(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<FakeAnswer> {
    return this.request({
      method: 'POST',
      path: '/v2/rpc',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? Buffer.from(body) : body,
    });
  }

  /** Calls one method, id 1. */
  call(
    method: string,
    params: unknown = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<FakeAnswer> {
    return this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
  }

  #handlers(failures: Readonly<Record<string, unknown>>): {
    [K in keyof TestMethods]: Handler<TestMethods[K]['params'], TestMethods[K]['result']>;
  } {
    const ran = <T>(method: string, result: T): T => {
      this.ran.push(method);
      return result;
    };
    return {
      subtract: ({ minuend, subtrahend }) => ran('subtract', minuend - subtrahend),
      echo: ({ value }) => ran('echo', value),
      repeat: ({ text, times }) => ran('repeat', text.repeat(times)),
      later: async ({ value }) => {
        await new Promise((resolve) => setImmediate(resolve));
        return ran('later', value);
      },
      held: (_params, call) => {
        this.signals.push(call.signal);
        return new Promise((resolve) => this.#held.push(resolve));
      },
      soon: ({ text = '' }) =>
        deferredResult((resolve) => {
          setImmediate(() => resolve(JSON.stringify(text)));
        }),
      fail: ({ how }) => {
        throw failures[how];
      },
      expensive: () => ran('expensive', true),
      secret: (_params, call) => ran('secret', `of ${call.subject ?? 'nobody'}`),
      health: () => ({ status: this.healthy ? { type: 'ok' } : { type: 'degraded', value: 'tired' } }),
      readiness: () => ({ ready: this.ready }),
    };
  }
}

export interface FakeRequestOptions {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly remoteAddress?: string;
}

function fakeRequest({
  method,
  path,
  query = '',
  headers = {},
  body,
  remoteAddress = '192.0.2.1',
}: FakeRequestOptions): HttpRequest {
  return {
    method,
    path,
    query,
    header: (name) => headers[name] ?? '',
    body: body ?? new Uint8Array(0),
    keepBody: () => body ?? new Uint8Array(0),
    remoteAddress,
    signal: new AbortController().signal,
    isOver: false,
  };
}

function collectingLog(lines: LogLine[]): Record<'debug' | 'info' | 'warn' | 'error', LogMethod> {
  const at =
    (level: string): LogMethod =>
    (fields, message) => {
      lines.push({ level, fields: fields as Readonly<Record<string, unknown>>, message });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

type LogMethod = (fields: object, message: string) => void;
