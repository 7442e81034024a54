import { settle } from '../../../async/maybe-async.js';
import type {
  HttpResponse,
  HttpServerOptions,
  ServerWebSocket,
  UpgradeAccepted,
  UpgradeRequest,
  UpgradeVerdict,
  WebSocketListener,
  WebSocketRoute,
} from '../http-server.js';
import { PacedMessages } from './paced-messages.js';
import type {
  UwsApp,
  UwsBehavior,
  UwsRequest,
  UwsResponse,
  UwsWebSocket,
  UwsWebSocketContext,
} from './uws-binding.js';
import { STATUS_LINES, textAddress } from './uws-exchange.js';
import { HeaderNames, type HeadReader } from './uws-head.js';

export interface WebSocketOwner extends Pick<HttpServerOptions, 'refused' | 'onError'> {
  readonly head: HeadReader;
  /** The filter does not learn of the end of a WebSocket. @param lingerMs how long it may keep its descriptor */
  readonly onClosed: (lingerMs: number) => void;
}

/** Above the 60 s within which a peer answers pings, see `rpc/web-socket/`. Closing connections have this long to end. */
const IDLE_SECONDS = 72;
/** Includes the inaccuracy of the library's timers. */
const LINGER_MS = (IDLE_SECONDS + 8) * 1_000;

/**
 * The WebSockets of an app. Behavior of the library:
 *
 * - After a close frame, sent or received, it calls the close handler, which detaches the socket's object, but keeps the
 *   buffer until the peer has read it, and the descriptor until the peer has closed too, or has been idle.
 * - It closes a connection without a close frame, so that its peer sees code 1006, after a message that is too long or
 *   not UTF-8, a reserved bit or opcode, and a malformed control frame.
 * - It reads frames as if they were masked. An unmasked frame, which no WebSocket client sends, is read as garbage.
 * - After the callback of `cork`, it may close a connection that the callback has upgraded, because it still reads the
 *   memory of the HTTP connection.
 * - The maximum message length belongs to a pattern, so two lengths need two patterns. Each connection gets the context
 *   of one of them, regardless of the pattern that it matched.
 */
export class UwsWebSockets {
  readonly #route: WebSocketRoute;
  readonly #headers: HeaderNames;
  readonly #owner: WebSocketOwner;
  readonly #contexts: { [S in UpgradeAccepted['size']]?: UwsWebSocketContext } = {};

  constructor(app: UwsApp, route: WebSocketRoute, owner: WebSocketOwner) {
    this.#route = route;
    this.#headers = new HeaderNames(route.headers);
    this.#owner = owner;
    app.ws(route.path, this.#behavior('full', route.maxMessageBytes));
    app.ws('/*', this.#behavior('crowded', route.crowdedMessageBytes));
  }

  #behavior(size: UpgradeAccepted['size'], maxPayloadLength: number): UwsBehavior<SocketData> {
    return {
      maxPayloadLength,
      maxBackpressure: this.#route.maxUnsentBytes,
      closeOnBackpressureLimit: true,
      idleTimeout: IDLE_SECONDS,
      sendPingsAutomatically: false,
      compression: 0,
      upgrade: (response, request, context) => {
        this.#contexts[size] = context;
        const { full, crowded } = this.#contexts;
        const isOurs = request.getUrl() === this.#route.path;
        // The first request passes through both patterns, which makes both contexts known.
        if (!isOurs || full === undefined || crowded === undefined) request.setYield(true);
        else this.#upgrade(response, request, { full, crowded });
      },
      open: (socket) => socket.getUserData().peer.opened(socket),
      message: (socket, message, isBinary) => socket.getUserData().peer.received(message, isBinary),
      ping: (socket) => socket.getUserData().peer.listener?.onControlFrame(),
      pong: (socket) => socket.getUserData().peer.listener?.onControlFrame(),
      drain: (socket) => socket.getUserData().peer.drained(),
      close: (socket) => {
        const { peer } = socket.getUserData();
        peer.closed();
        this.#owner.onClosed(peer.isTerminated ? 0 : LINGER_MS);
      },
    };
  }

  #upgrade(
    response: UwsResponse,
    request: UwsRequest,
    contexts: Record<UpgradeAccepted['size'], UwsWebSocketContext>,
  ): void {
    const { head, refused, onError } = this.#owner;
    const { headers, accept } = this.#route;
    const values = head.read(request, this.#headers);
    const problem = head.problem();
    const remoteAddress = textAddress(response.getRemoteAddressAsText());
    const asked: UpgradeRequest = { remoteAddress, header: (name) => values[headers.indexOf(name)] ?? '' };
    if (problem !== undefined) {
      refuse(response, refused(...problem, asked));
      return;
    }
    const key = request.getHeader('sec-websocket-key');
    let isGone = false;
    response.onAborted(() => {
      isGone = true;
    });
    const judged = (verdict: UpgradeVerdict): void => {
      if ('refusal' in verdict) {
        if (!isGone) response.cork(() => refuse(response, verdict.refusal));
      } else if (isGone) {
        verdict.abandoned();
      } else {
        const data: SocketData = { peer: new UwsSocket(remoteAddress, verdict) };
        response.upgrade(data, key, verdict.protocol, '', contexts[verdict.size]);
      }
    };
    settle(accept(asked), judged, onError);
  }
}

function refuse(response: UwsResponse, { status, headers, body }: HttpResponse): void {
  response.writeStatus(STATUS_LINES.get(status) ?? String(status));
  for (const [name, value] of headers) response.writeHeader(name, value);
  response.writeHeader('connection', 'close');
  response.end(body, true);
}

/** The library copies the members of this object. */
interface SocketData {
  readonly peer: UwsSocket;
}

class UwsSocket implements ServerWebSocket {
  readonly remoteAddress: string;
  readonly #accepted: UpgradeAccepted;
  #socket: UwsWebSocket<SocketData> | undefined;
  #messages: PacedMessages | undefined;
  isTerminated = false;
  listener: WebSocketListener | undefined;

  constructor(remoteAddress: string, accepted: UpgradeAccepted) {
    this.remoteAddress = remoteAddress;
    this.#accepted = accepted;
  }

  opened(socket: UwsWebSocket<SocketData>): void {
    this.#socket = socket;
    this.#messages = new PacedMessages(socket);
    this.listener = this.#accepted.open(this);
  }

  received(message: ArrayBuffer, isBinary: boolean): void {
    this.listener?.onMessage(Buffer.from(message), isBinary);
  }

  drained(): void {
    this.#messages?.flush();
    this.listener?.onDrain();
  }

  closed(): void {
    this.#socket = undefined;
    this.#messages?.end();
    if (this.listener === undefined) this.#accepted.abandoned();
    else this.listener.onClose();
  }

  get unsentBytes(): number {
    return this.#messages?.unsentBytes ?? 0;
  }

  get heldBytes(): number {
    return this.#messages?.heldBytes ?? 0;
  }

  send(message: string | Uint8Array): void {
    this.#messages?.send(message);
  }

  cork(send: () => void): void {
    this.#socket?.cork(send);
  }

  ping(): void {
    this.#socket?.ping();
  }

  close(code: number, reason: string): void {
    this.#socket?.end(code, reason);
  }

  terminate(): void {
    this.isTerminated = true;
    this.#socket?.close();
  }
}
