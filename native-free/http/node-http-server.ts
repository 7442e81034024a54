import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isFragmented } from '../../src/async/fragmented-body.js';
import { settle } from '../../src/async/maybe-async.js';
import { clientOfAddress } from '../../src/config/host.js';
import type {
  HttpAnswer,
  HttpRequest,
  HttpResponse,
  HttpServer,
  HttpServerOptions,
  RequestHead,
} from '../../src/rpc/http/http-server.js';
import { headerOf, NodeWebSockets, refuseUpgrade, UpgradableMessage } from './node-web-sockets.js';

/** Idle timeout of a connection. */
const KEEP_ALIVE_MS = 10_000;
const MAX_HEAD_BYTES = 16_384;
const NOT_IMPLEMENTED = 'HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/** Opens an HTTP server on node:http alone. Rejects with the system's error if it cannot listen. */
export async function openNodeHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = new NodeHttpServer(options);
  await server.listen();
  return server;
}

class NodeHttpServer implements HttpServer {
  readonly implementation = 'node:http';
  readonly host: string;
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections = new Map<Socket, Connection>();
  #port: number;
  #stopping = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.host = options.host;
    this.#port = options.port;
    this.#server = createServer({
      requestTimeout: options.requestTimeoutMs,
      headersTimeout: options.requestTimeoutMs,
      connectionsCheckingInterval: checkingIntervalMs(options.requestTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      noDelay: true,
      IncomingMessage: UpgradableMessage,
    });
    this.#server.on('connection', (socket) => {
      const client = clientOfAddress(remoteAddress(socket));
      if (options.connections?.enter(client) === false) {
        socket.destroy();
        return;
      }
      const connection: Connection = {
        backlogBytes: 0,
        inFlight: 0,
        isUpgraded: false,
        isEnding: false,
        onClosed: new Set(),
      };
      this.#connections.set(socket, connection);
      socket.once('close', () => {
        this.#connections.delete(socket);
        for (const listener of connection.onClosed) listener();
        options.connections?.leave(client);
      });
    });
    this.#server.on('request', (request, response) => this.#handle(request, response));
    // Without this listener, node:http silently closes the socket of a CONNECT; other methods reach the handler.
    this.#server.on('connect', (_request, socket) => {
      // node:http has removed its own listeners.
      socket.on('error', () => socket.destroy());
      socket.end(NOT_IMPLEMENTED, () => socket.destroy());
    });
    const { webSockets, onError } = options;
    if (webSockets !== undefined) {
      const opened = new NodeWebSockets(webSockets, onError);
      this.#server.on('upgrade', (request, socket, rest) =>
        // The stream of a TCP server is always a socket.
        this.#upgrade(opened, request, socket as Socket, rest),
      );
    }
    this.#server.on('checkContinue', (request, response) => this.#handleExpectContinue(request, response));
  }

  get port(): number {
    return this.#port;
  }

  get connections(): number {
    return this.#connections.size;
  }

  async listen(): Promise<void> {
    const { host, port, onError } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, exclusive: true }, () => {
        this.#server.off('error', reject);
        // A server on a TCP port has an address object; it is a string only for pipes.
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
    this.#server.on('error', onError);
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const webSockets = this.#options.webSockets?.stop(graceMs);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(async () => {
        await webSockets;
        this.#server.closeAllConnections();
        // node:http no longer tracks connections that became WebSockets.
        for (const socket of this.#connections.keys()) socket.destroy();
      }, graceMs);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      // node:http does not count a connection as idle before its first request.
      for (const [socket, { inFlight, isUpgraded }] of this.#connections) {
        if (inFlight === 0 && !isUpgraded) socket.destroy();
      }
    });
  }

  #upgrade(opened: NodeWebSockets, request: IncomingMessage, socket: Socket, rest: Buffer): void {
    const { handler, failure } = this.#options;
    // node:http has removed its own listeners.
    socket.on('error', () => socket.destroy());
    const address = remoteAddress(socket);
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.isUpgraded = true;
    const refusal = this.#headRefusal(request);
    if (refusal !== undefined) {
      refuseUpgrade(socket, refusal);
    } else if (opened.serves(request.url)) {
      opened.upgrade(request, socket, rest, address);
    } else {
      const asked = new NodeHttpRequest(request, undefined, NO_BYTES, connection);
      let answer: HttpAnswer;
      try {
        answer = handler(asked);
      } catch (error) {
        answer = failure(error, asked);
      }
      settle(
        answer,
        (response) => refuseUpgrade(socket, response),
        (error) => refuseUpgrade(socket, failure(error, asked)),
      );
    }
  }

  /** Answers `Expect: 100-continue`, and refuses an overlong body immediately. */
  #handleExpectContinue(request: IncomingMessage, response: ServerResponse): void {
    const { maxBodyBytes, bodyTooLong } = this.#options;
    const announced = contentLength(request);
    if (announced > maxBodyBytes) {
      this.#send(request, response, bodyTooLong(announced, headOf(request)), true);
      return;
    }
    response.writeContinue();
    this.#handle(request, response);
  }

  /** The answer to a request whose head is not accepted; node:http itself checks the body's framing. */
  #headRefusal(request: IncomingMessage): HttpResponse | undefined {
    const { refused, maxHeaders } = this.#options;
    const head = headOf(request);
    if (request.rawHeaders.length / 2 > maxHeaders) {
      return refused(431, `at most ${maxHeaders} headers are accepted`, head);
    }
    if (hostLines(request) > 1) return refused(400, 'a request has one Host header', head);
    return isPlainOrChunked(request) ? undefined : refused(400, 'Transfer-Encoding: expected chunked', head);
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { maxBodyBytes, maxDrainBytes, bodyTooLong, overloaded, collectBody, onError } = this.#options;
    const connection = this.#connections.get(request.socket);
    if (connection === undefined || connection.isEnding) return;
    connection.inFlight++;
    response.once('close', () => {
      connection.inFlight--;
    });
    const announced = contentLength(request);
    const refusal =
      this.#headRefusal(request) ??
      (announced > maxBodyBytes + maxDrainBytes ? bodyTooLong(announced, headOf(request)) : undefined);
    if (refusal !== undefined) {
      this.#send(request, response, refusal, true);
      return;
    }
    let first: Buffer | undefined;
    let pieces: ReturnType<typeof collectBody> | undefined;
    let received = 0;
    let pieceCount = 0;
    const cut = () => {
      if (!response.headersSent) this.#send(request, response, overloaded(headOf(request)), true);
    };
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (response.headersSent) return;
      if (isFragmented(++pieceCount, received)) {
        first = undefined;
        pieces?.drop();
        request.socket.destroy();
        return;
      }
      if (received > maxBodyBytes) {
        first = undefined;
        pieces?.drop();
        if (received > maxBodyBytes + maxDrainBytes) {
          this.#send(request, response, bodyTooLong(received, headOf(request)), true);
        }
        return;
      }
      if (first === undefined && pieces === undefined && received === announced) {
        first = chunk;
        return;
      }
      pieces ??= collectBody(remoteAddress(request.socket), cut);
      if (!pieces.add(chunk)) cut();
    });
    request.once('end', () => {
      if (response.headersSent) return;
      if (received > maxBodyBytes)
        this.#send(request, response, bodyTooLong(received, headOf(request)), false);
      else {
        const body = pieces?.take() ?? first ?? NO_BYTES;
        // The listeners of this function live until the answer is complete and would keep the body in memory.
        first = undefined;
        this.#answer(request, response, body);
      }
    });
    request.once('close', () => pieces?.drop());
    // The peer may disconnect while it sends the body; then there is no one to answer.
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'HPE_INVALID_EOF_STATE') onError(error);
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
    const { handler, failure } = this.#options;
    const connection = this.#acceptingConnection(request.socket);
    if (connection === undefined) return;
    let answer: HttpAnswer;
    const taken = new NodeHttpRequest(request, response, body, connection);
    try {
      answer = handler(taken);
    } catch (error) {
      answer = failure(error, taken);
    }
    // Releases the body that the handler has read; the answer may come much later.
    taken.body = NO_BYTES;
    settle(
      answer,
      (settled) => this.#send(request, response, settled, false),
      (error) => this.#send(request, response, failure(error, taken), false),
    );
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, body }: HttpResponse,
    close: boolean,
  ): void {
    const { socket } = request;
    const connection = this.#acceptingConnection(socket);
    if (connection === undefined) return;
    for (const [name, value] of headers) response.setHeader(name, value);
    if (close) connection.isEnding = true;
    if (close || this.#stopping) response.setHeader('connection', 'close');
    response.statusCode = status;
    if (status === 204 || status === 304) {
      response.end();
      return;
    }
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    response.setHeader('content-length', length);
    connection.backlogBytes += length;
    let unsent: ReturnType<HttpServerOptions['budget']['hold']>;
    const release = () => unsent?.release();
    response.end(request.method === 'HEAD' ? undefined : body, () => {
      connection.backlogBytes -= length;
      connection.onClosed.delete(release);
      release();
    });
    if (socket.writableLength > 0 || response.writableLength > 0) {
      unsent = this.#options.budget.hold(length, () => socket.destroy(), remoteAddress(socket));
      if (unsent === undefined) socket.destroy();
      else connection.onClosed.add(release);
    }
    // node:http destroys the connection if the backlog does not shrink for this long.
    if (socket.writableLength > 0) socket.setTimeout(this.#options.requestTimeoutMs);
  }

  /** Returns the connection if its peer reads the answers; cuts it off otherwise. */
  #acceptingConnection(socket: Socket): Connection | undefined {
    const connection = this.#connections.get(socket);
    if (socket.destroyed || connection === undefined) return undefined;
    // Answers to pipelined requests queue outside the socket, so the socket's own count does not include them.
    if (connection.backlogBytes <= this.#options.maxBacklogBytes) return connection;
    socket.destroy();
    return undefined;
  }
}

/** The server's state of an open connection. */
interface Connection {
  /** Bytes of answers that the peer has not read yet. */
  backlogBytes: number;
  /** Requests in flight: received, and not fully answered. */
  inFlight: number;
  /** True once the connection is a WebSocket. */
  isUpgraded: boolean;
  /** True once an answer that ends the connection is on its way: no request behind its own is taken. */
  isEnding: boolean;
  /**
   * Called when the connection closes. node:http tells only the response that is being sent, not those that queue behind it.
   */
  readonly onClosed: Set<() => void>;
}

const NO_BYTES = new Uint8Array(0);

/** The body's length according to the head; 0 for a chunked body. */
function contentLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

function isPlainOrChunked({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.trim().toLowerCase() === 'chunked';
}

function hostLines({ rawHeaders }: IncomingMessage): number {
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') lines++;
  }
  return lines;
}

/** Shows IPv4 peers of a dual-stack socket as IPv4. */
function remoteAddress({ remoteAddress: address = '' }: Socket): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** Interval at which node:http looks for requests that arrive too slowly. */
function checkingIntervalMs(requestTimeoutMs: number): number {
  return Math.min(1_000, Math.max(10, Math.floor(requestTimeoutMs / 4)));
}

function headOf(message: IncomingMessage): RequestHead {
  return { header: (name) => headerOf(message, name) };
}

class NodeHttpRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  requestId: string | undefined = undefined;
  span: HttpRequest['span'] = undefined;
  body: Uint8Array;
  readonly #request: IncomingMessage;
  /** Undefined for an upgrade request. */
  readonly #response: ServerResponse | undefined;
  /** Undefined if it was closed before the request arrived. */
  readonly #connection: Connection | undefined;
  #controller: AbortController | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse | undefined,
    body: Uint8Array,
    connection: Connection | undefined,
  ) {
    this.#request = request;
    this.#response = response;
    this.#connection = connection;
    this.body = body;
    this.method = request.method ?? '';
    const url = request.url ?? '';
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
  }

  keepBody(): Uint8Array {
    return this.body;
  }

  header(name: string): string {
    return headerOf(this.#request, name);
  }

  get remoteAddress(): string {
    return remoteAddress(this.#request.socket);
  }

  get isOver(): boolean {
    return this.#request.socket.destroyed || this.#response?.writableEnded === true;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#request.socket.destroyed) controller.abort();
      const abort = () => controller.abort();
      this.#connection?.onClosed.add(abort);
      this.#response?.once('finish', () => this.#connection?.onClosed.delete(abort));
    }
    return this.#controller.signal;
  }
}
