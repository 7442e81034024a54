import type { MaybeAsync } from '../../async/maybe-async.js';
import type { SlicedWork } from '../../async/sliced-work.js';
import type { ByteBudget } from '../limits/byte-budget.js';
import type { RequestSpan } from '../tracing/tracing.js';
import type { BodyBuffer } from './body-buffer.js';
import type { Connections } from './connections.js';

/** A request body that may be invalid once its handler returns. */
export interface BorrowedBody {
  /** At most the server's limit in length; valid only until the handler returns. */
  readonly body: Uint8Array;
  /** Returns the body for later use, copied if the memory belongs to the server. */
  keepBody(): Uint8Array;
}

/** A complete HTTP request. Valid until answered. */
export interface HttpRequest extends BorrowedBody {
  /** Uppercase. */
  readonly method: string;
  readonly path: string;
  /** Query string without `?`, possibly empty. */
  readonly query: string;
  /**
   * Value of a request header by its lowercase name, or the empty string. Only names that {@link
   * HttpServerOptions.keepHeaders} returns for the method are available.
   */
  header(name: string): string;
  /** Set on first use; see `RequestIds`. */
  requestId?: string | undefined;
  /** Set if the request is traced. */
  span?: RequestSpan | undefined;
  /** The peer's address as text; empty once the peer is gone. */
  readonly remoteAddress: string;
  /** Aborted when the peer disconnects before the answer; created on first use. */
  readonly signal: AbortSignal;
  /** True once the request has been answered or the peer is gone. */
  readonly isOver: boolean;
}

/** A response; the server sets `content-length`. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
  readonly isError?: boolean;
}

/** True if shared caches may store a response. It must then have no headers about one caller. */
export function isShared({ headers }: HttpResponse): boolean {
  return headers.some(([name, value]) => name === 'cache-control' && value.startsWith('public'));
}

export type HttpAnswer = MaybeAsync<HttpResponse>;

/** A request before its body has arrived, for answers that the server makes without the handler. */
export type RequestHead = Pick<HttpRequest, 'header' | 'requestId' | 'span'>;

/** Answers a request. If it throws or rejects, {@link HttpServerOptions.failure} produces the response. */
export type HttpHandler = (request: HttpRequest) => HttpAnswer;

export interface HttpServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** True if other threads listen on the same port, for implementations that can share it; default false. */
  readonly shared?: boolean;
  /** By default the number of connections is not limited. */
  readonly connections?: Connections;
  /** The path of most POSTs, whose query the handler does not read. */
  readonly callPath?: string;
  /** Lowercase names of the headers that the handler reads: of a POST, and of all other methods. */
  readonly keepHeaders: (method: 'POST' | 'other') => readonly string[];
  /** Longer bodies are answered with {@link bodyTooLong} and discarded. */
  readonly maxBodyBytes: number;
  /** Bytes beyond `maxBodyBytes` that are read and dropped, so that the sender gets to read the answer. */
  readonly maxDrainBytes: number;
  /**
   * A connection with this many unread bytes gets nothing more and is closed. A single longer answer is still sent while
   * the peer keeps reading some of it every `requestTimeoutMs`.
   */
  readonly maxBacklogBytes: number;
  /** A request whose head and body have not arrived within this time is cut off, however steadily they arrive. */
  readonly requestTimeoutMs: number;
  readonly handler: HttpHandler;
  /** The answer to a body that is too long. @param given bytes received or announced so far */
  readonly bodyTooLong: (given: number, request: RequestHead) => HttpResponse;
  /** The answer to a head that violates HTTP or that the server does not accept; the connection is closed after it. */
  readonly refused: (status: number, message: string, request: RequestHead) => HttpResponse;
  /** The answer to a body that exceeds the byte budget; the connection is closed after it. */
  readonly overloaded: (request: RequestHead) => HttpResponse;
  /** Requests with more header lines are refused with 431. */
  readonly maxHeaders: number;
  /**
   * Collects a body that arrives in pieces.
   * @param address of the sender
   * @param cut called when the memory is reclaimed because the process holds too much
   */
  readonly collectBody: (address: string, cut: () => void) => BodyBuffer;
  readonly budget: ByteBudget;
  /** Reports an error thrown by the handler and returns the response for it. Must not throw. */
  readonly failure: (error: unknown, request: RequestHead) => HttpResponse;
  /** Runs work that would block the thread for too long. */
  readonly work: SlicedWork;
  readonly onError: (error: unknown) => void;
  /** Absent for a server without WebSockets. */
  readonly webSockets?: WebSocketRoute;
}

/** A listening HTTP server, implemented on uWebSockets.js and on node:http. */
export interface HttpServer {
  readonly implementation: string;
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** Stops listening, gives answers in progress at most `graceMs` to finish, then closes every connection. */
  stop(graceMs: number): Promise<void>;
}

/** A request to open a WebSocket (RFC 6455, section 4.1). Valid until its verdict. */
export interface UpgradeRequest {
  /** Value of one of {@link WebSocketRoute.headers}, or the empty string. */
  header(name: string): string;
  /** Set on first use; see `RequestIds`. */
  requestId?: string | undefined;
  /** The peer's address as text. */
  readonly remoteAddress: string;
}

export interface UpgradeAccepted {
  /** The chosen subprotocol; empty for none. */
  readonly protocol: string;
  /** Selects the limit of the connection's messages: `maxMessageBytes` or `crowdedMessageBytes`. */
  readonly size: 'full' | 'crowded';
  readonly open: (socket: ServerWebSocket) => WebSocketListener;
  /** Called instead of `open` if the peer is gone before its connection is open. */
  readonly abandoned: () => void;
}

/** `refusal` is the response to a refused request. */
export type UpgradeVerdict = UpgradeAccepted | { readonly refusal: HttpResponse };

/** The path on which a server opens WebSockets. Compression is never negotiated. */
export interface WebSocketRoute {
  readonly path: string;
  /** Lowercase names of the headers that {@link accept} reads. */
  readonly headers: readonly string[];
  /** Longer messages, whole or in fragments, close their connection. */
  readonly maxMessageBytes: number;
  /** The limit for connections that were accepted as `crowded`. */
  readonly crowdedMessageBytes: number;
  /** Maximum number of unsent bytes of a connection, beyond which the server cuts it off; a backstop. */
  readonly maxUnsentBytes: number;
  /** Accepts or refuses an upgrade request. Must not throw or reject. */
  readonly accept: (request: UpgradeRequest) => MaybeAsync<UpgradeVerdict>;
  /**
   * Called when the server stops: refuses further requests, gives calls in progress at most `graceMs` to finish, then
   * closes every connection with code 1001. Must not reject.
   */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** An open WebSocket, as seen by the server. Every method may be called after the end, without effect. */
export interface ServerWebSocket {
  readonly remoteAddress: string;
  /** Number of bytes that the system has not accepted yet, because the peer does not read. */
  readonly unsentBytes: number;
  /** Memory of the unsent messages; at least {@link unsentBytes}. */
  readonly heldBytes: number;
  /** Sends a text message: a string, or its UTF-8 bytes, which must not change afterwards. */
  send(message: string | Uint8Array): void;
  /** Runs a function that sends several messages, which may then share packets. */
  cork(send: () => void): void;
  ping(): void;
  /** Sends a close frame and ends the connection. @param reason at most 123 bytes */
  close(code: number, reason: string): void;
  /** Ends the connection at once, without a close frame. */
  terminate(): void;
}

/** The events of one connection. Must not throw. */
export interface WebSocketListener {
  /** @param message valid only during the call */
  onMessage(message: Uint8Array, isBinary: boolean): void;
  /** Called for a pong, and for a ping, which the server has answered. */
  onControlFrame(): void;
  /** Called when the system has accepted unsent bytes. */
  onDrain(): void;
  /** Called once, after all other events. */
  onClose(): void;
}
