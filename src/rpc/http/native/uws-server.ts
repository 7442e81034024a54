import { setImmediate as nextTick } from 'node:timers/promises';
import { clientOfAddress } from '../../../config/host.js';
import type { HttpServer, HttpServerOptions } from '../http-server.js';
import { probePort } from '../probe-port.js';
import { BodyPacer } from './body-pacer.js';
import { tcpCensus } from './tcp-census.js';
import type { UwsApp, UwsBinding, UwsListenSocket, UwsRequest, UwsResponse } from './uws-binding.js';
import { type ExchangeOwner, type RequestKind, textAddress, UwsExchange } from './uws-exchange.js';
import { HeaderNames, HeadReader } from './uws-head.js';
import { UwsWebSockets } from './uws-web-sockets.js';

/**
 * The HTTP server on uWebSockets.js 20. Rejects with the system's error if it cannot listen. Behavior of the library:
 *
 * - A request that arrives while an earlier one on the connection waits for an asynchronous answer closes the
 *   connection: the library does not queue requests. Requests answered at once may be pipelined.
 * - Malformed heads are answered with 400, 431 or 505 (also for HTTP/1.0), and their connections closed. A head that
 *   looks unfinished, such as one with a bare CR or preceded by an empty line, is closed without an answer when the
 *   connection times out; every connection times out after about ten idle seconds, even in the middle of a body, and
 *   after a resume even while its request waits for an answer.
 */
export async function openUwsServer(binding: UwsBinding, options: HttpServerOptions): Promise<HttpServer> {
  const server = new UwsServer(binding, options);
  await server.listen();
  return server;
}

const MAX_ANSWERS_BETWEEN_CHECKS = 20;

class UwsServer implements HttpServer, ExchangeOwner {
  readonly implementation = 'uWebSockets.js';
  readonly host: string;
  readonly options: HttpServerOptions;
  readonly head: HeadReader;
  readonly pacer = new BodyPacer();
  readonly #binding: UwsBinding;
  readonly #app: UwsApp;
  /** Active requests as an intrusive linked list, which is cheaper than a set. */
  #newest: UwsExchange | undefined = undefined;
  readonly #sweepMs: number;
  readonly #sweeper: NodeJS.Timeout;
  #socket: UwsListenSocket | undefined;
  connections = 0;
  port: number;
  #isRefusing = false;
  #untilCheck = 1;
  #idle: (() => void) | undefined;
  stopping = false;
  nowMs = 0;
  #sweptAtMs = performance.now();
  /** Address of a peer whose connection the library closes before it reports anything of another connection. */
  #leaving: string | undefined;

  constructor(binding: UwsBinding, options: HttpServerOptions) {
    this.options = options;
    this.head = new HeadReader(options.maxHeaders);
    this.host = options.host;
    this.port = options.port;
    this.#binding = binding;
    const { callPath, keepHeaders } = options;
    const posted = { method: 'POST', path: undefined, names: new HeaderNames(keepHeaders('POST')) };
    const called = { ...posted, path: callPath };
    const names = new HeaderNames(keepHeaders('other'));
    this.#app = binding
      .App()
      .filter((response, change) => this.#connection(response, change))
      .post(callPath ?? '/*', (response, request) => this.#take(response, request, called))
      .post('/*', (response, request) => this.#take(response, request, posted))
      .any('/*', (response, request) => {
        const method = request.getMethod().toUpperCase();
        // The library takes `post` for another method than `POST`.
        const kind = method === 'POST' ? posted : { method, path: undefined, names };
        this.#take(response, request, kind);
      });
    if (options.webSockets !== undefined) {
      const onClosed = (lingerMs: number): void => this.#left(lingerMs);
      new UwsWebSockets(this.#app, options.webSockets, { ...options, head: this.head, onClosed });
    }
    // Checks for slow peers.
    this.#sweepMs = Math.min(1_000, Math.max(10, Math.floor(options.requestTimeoutMs / 4)));
    this.#sweeper = setInterval(() => this.#sweep(), this.#sweepMs).unref();
  }

  async listen(): Promise<void> {
    const { host, port, shared = false } = this.options;
    // Without this option the library shares the port with any other listener.
    const sharing = shared ? 0 : this.#binding.LIBUS_LISTEN_EXCLUSIVE_PORT;
    const socket = await new Promise<UwsListenSocket | false>((resolve) => {
      this.#app.listen(host, port, sharing, resolve);
    });
    if (socket === false) {
      clearInterval(this.#sweeper);
      throw await listenFailure(host, port);
    }
    this.#socket = socket;
    this.port = this.#binding.us_socket_local_port(socket);
    this.options.connections?.useCensus(() => tcpCensus(this.port));
  }

  onLastAnswer(peer: string): void {
    this.#leaving = peer;
    // The library closes later if the peer has not read its earlier answers.
    setImmediate(() => {
      this.#leaving = undefined;
    });
  }

  checksNext(): boolean {
    if (--this.#untilCheck > 0) return false;
    // Random, so that a client cannot steer all checks to connections that do read.
    this.#untilCheck = 1 + Math.floor(Math.random() * MAX_ANSWERS_BETWEEN_CHECKS);
    return true;
  }

  onExchangeEnded(exchange: UwsExchange): void {
    const { older, newer } = exchange;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    if (older !== undefined) older.newer = newer;
    // An ended exchange in the old generation would otherwise keep all later ones alive past young collections.
    exchange.older = undefined;
    exchange.newer = undefined;
    if (this.#newest === undefined) this.#idle?.();
  }

  async stop(graceMs: number): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    const webSockets = this.options.webSockets?.stop(graceMs);
    if (this.#socket !== undefined) this.#binding.us_listen_socket_close(this.#socket);
    if (this.#newest !== undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        this.#idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    clearInterval(this.#sweeper);
    await webSockets;
    // Answers just written must go out before their connections are closed.
    await nextTick();
    this.#app.close();
  }

  /** Called by the library, also from inside `close`. */
  #connection(response: UwsResponse, change: number): void {
    if (this.#isRefusing) return;
    const { connections } = this.options;
    if (change < 0) {
      this.#leaving = undefined;
      this.#left();
    } else if (
      connections?.enter(clientOfAddress(textAddress(response.getRemoteAddressAsText()))) === false
    ) {
      this.#isRefusing = true;
      response.close();
      this.#isRefusing = false;
    } else {
      this.connections++;
    }
  }

  #left(lingerMs = 0): void {
    this.connections--;
    this.options.connections?.leave(undefined, lingerMs);
  }

  #take(response: UwsResponse, request: UwsRequest, kind: RequestKind): void {
    const leaving = this.#leaving;
    this.#leaving = undefined;
    if (leaving !== undefined && leaving === textAddress(response.getRemoteAddressAsText())) {
      this.#ignore(response);
      return;
    }
    const exchange = new UwsExchange(this, response, request, kind);
    const older = this.#newest;
    exchange.older = older;
    if (older !== undefined) older.newer = exchange;
    this.#newest = exchange;
    exchange.receive();
  }

  /**
   * Takes no notice of a request that arrived together with the last one of its connection (RFC 9112, section 9.6). The
   * library goes on with it, so the connection is closed here, once the last answer is on its way.
   */
  #ignore(response: UwsResponse): void {
    let isOver = false;
    response.onAborted(() => {
      isOver = true;
    });
    setImmediate(() => {
      if (!isOver) response.close();
    });
  }

  #sweep(): void {
    const now = performance.now();
    // If this thread was blocked, it has not yet seen what peers sent and read. Peers are not charged for that delay.
    this.nowMs += Math.min(now - this.#sweptAtMs, 2 * this.#sweepMs);
    this.head.elapsed(now - this.#sweptAtMs);
    this.#sweptAtMs = now;
    let exchange = this.#newest;
    while (exchange !== undefined) {
      // Read first: cutting an exchange off removes it from the list.
      const { older } = exchange;
      exchange.checkTime();
      exchange = older;
    }
  }
}

/** Finds the reason for a failed listen through node:net; the library reports only the failure. */
async function listenFailure(host: string, port: number): Promise<unknown> {
  try {
    await probePort(host, port);
  } catch (error) {
    return error;
  }
  return new Error('uWebSockets.js failed to listen and gives no reason');
}
