import { IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { settle } from '../../src/async/maybe-async.js';
import type {
  HttpResponse,
  ServerWebSocket,
  UpgradeAccepted,
  UpgradeVerdict,
  WebSocketListener,
  WebSocketRoute,
} from '../../src/rpc/http/http-server.js';

/** Time that a peer has to answer a close frame. */
const CLOSE_MS = 5_000;
const KEY_LENGTH = 24;
/** Maximum number of fragments per message, because each has a fixed memory overhead. */
const MAX_FRAGMENTS = 1_024;
/** Maximum number of buffered pieces that are not parsed yet, for the same reason. */
const MAX_PIECES = 16_384;

/**
 * A request whose `upgrade` is true only for WebSockets and tunnels. Otherwise node:http would emit `upgrade` instead
 * of `request` for every request that offers an upgrade, such as one to HTTP/2.
 */
export class UpgradableMessage extends IncomingMessage {
  #isUpgrade = false;

  get upgrade(): boolean {
    return this.#isUpgrade && (this.method === 'CONNECT' || isWebSocket(this));
  }

  set upgrade(isUpgrade: boolean | null) {
    // The constructor of the base class sets it to null before the field exists.
    if (isUpgrade !== null) this.#isUpgrade = isUpgrade;
  }
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  const { upgrade, 'sec-websocket-key': key } = headers;
  // The length of a valid key. The native server passes others on as plain requests too.
  return method === 'GET' && upgrade?.toLowerCase() === 'websocket' && key?.length === KEY_LENGTH;
}

/** The value of a header; the empty string if it is absent. */
export function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** Opens WebSockets on the connections of a node:http server, with the package ws. */
export class NodeWebSockets {
  readonly #route: WebSocketRoute;
  readonly #onError: (error: unknown) => void;
  readonly #servers: Record<UpgradeAccepted['size'], WebSocketServer>;
  #protocol = '';

  constructor(route: WebSocketRoute, onError: (error: unknown) => void) {
    this.#route = route;
    this.#onError = onError;
    const server = (maxPayload: number) => {
      // The type declarations lack `closeTimeout`.
      const options: ServerOptions & { closeTimeout: number } = {
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload,
        maxFragments: MAX_FRAGMENTS,
        maxBufferedChunks: MAX_PIECES,
        closeTimeout: CLOSE_MS,
        handleProtocols: () => (this.#protocol === '' ? false : this.#protocol),
      };
      return new WebSocketServer(options);
    };
    this.#servers = { full: server(route.maxMessageBytes), crowded: server(route.crowdedMessageBytes) };
  }

  /** True if a request's URL has the WebSocket path. */
  serves(url: string | undefined): boolean {
    return url === this.#route.path || url?.startsWith(`${this.#route.path}?`) === true;
  }

  /** Answers an upgrade request. @param rest bytes that arrived after its head */
  upgrade(request: IncomingMessage, socket: Socket, rest: Buffer, remoteAddress: string): void {
    settle(
      this.#route.accept({ remoteAddress, header: (name) => headerOf(request, name) }),
      (verdict) => this.#settle(verdict, request, socket, rest, remoteAddress),
      this.#onError,
    );
  }

  #settle(
    verdict: UpgradeVerdict,
    request: IncomingMessage,
    socket: Socket,
    rest: Buffer,
    remoteAddress: string,
  ): void {
    if ('refusal' in verdict) {
      refuseUpgrade(socket, verdict.refusal);
      return;
    }
    // It may have closed while its token was checked.
    if (socket.destroyed) {
      verdict.abandoned();
      return;
    }
    let isOpen = false;
    socket.once('close', () => {
      if (!isOpen) verdict.abandoned();
    });
    this.#protocol = verdict.protocol;
    this.#servers[verdict.size].handleUpgrade(request, socket, rest, (webSocket) => {
      isOpen = true;
      serve(webSocket, new NodeSocket(webSocket, remoteAddress), verdict, socket);
    });
  }
}

function serve(webSocket: WebSocket, peer: NodeSocket, verdict: UpgradeAccepted, socket: Socket): void {
  const listener: WebSocketListener = verdict.open(peer);
  webSocket.on('message', (data, isBinary) => listener.onMessage(data as Buffer, isBinary));
  webSocket.on('ping', () => listener.onControlFrame());
  webSocket.on('pong', () => listener.onControlFrame());
  webSocket.on('close', () => listener.onClose());
  // The package has sent the close frame for the error, and will emit `close`.
  webSocket.on('error', () => webSocket.close());
  socket.on('drain', () => listener.onDrain());
}

/** Answers an upgrade request with an HTTP response, and closes the connection. */
export function refuseUpgrade(socket: Duplex, { status, headers, body }: HttpResponse): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, 'connection: close'];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  lines.push(`content-length: ${bytes.length}`, '', '');
  socket.write(lines.join('\r\n'));
  socket.end(bytes, () => socket.destroy());
}

class NodeSocket implements ServerWebSocket {
  readonly remoteAddress: string;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, remoteAddress: string) {
    this.#socket = socket;
    this.remoteAddress = remoteAddress;
  }

  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  get heldBytes(): number {
    return this.unsentBytes;
  }

  send(message: string | Uint8Array): void {
    if (this.#isOpen) this.#socket.send(message, { binary: false });
  }

  cork(send: () => void): void {
    send();
  }

  ping(): void {
    if (this.#isOpen) this.#socket.ping();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }
}
