import type { MaybeAsync } from '../../async/deferred.js';
import type { SlicedWork } from '../../async/sliced-work.js';
import type { RequestSpan } from '../tracing/tracing.js';
import type { WebSocketRoute } from './web-socket.js';

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
  /** Path without query. */
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
  /** True if the body has an RPC error. */
  readonly isError?: boolean;
}

/** True if shared caches may store a response. It must then have no headers about one caller. */
export function isShared({ headers }: HttpResponse): boolean {
  return headers.some(([name, value]) => name === 'cache-control' && value.startsWith('public'));
}

/** An immediate or asynchronous response. */
export type HttpAnswer = MaybeAsync<HttpResponse>;

/** A request before its body has arrived, for answers that the server makes without the handler. */
export type RequestHead = Pick<HttpRequest, 'header' | 'requestId' | 'span'>;

/** Answers a request. If it throws or rejects, {@link HttpServerOptions.failure} produces the response. */
export type HttpHandler = (request: HttpRequest) => HttpAnswer;

/** Collects a body that arrives in pieces. */
export interface BodyPieces {
  /** Returns false if there is no room for the piece; the collector is then closed. */
  add(piece: Uint8Array): boolean;
  /** Returns the whole body and closes the collector. */
  take(): Uint8Array;
  drop(): void;
}

/** An answer counted against the budget until it is sent. */
export interface HeldAnswer {
  /** Called when the answer is sent or its connection has closed; idempotent. */
  release(): void;
}

export interface ConnectionGate {
  /**
   * @param client the client key of the peer's address
   * @returns false to refuse the connection; the server then closes it at once
   */
  enter(client: string): boolean;
  /**
   * Called when an accepted connection ends.
   * @param client its owner; undefined if the server cannot tell
   * @param lingerMs how long the connection may keep its descriptor, if the server provides a census; default 0
   */
  leave(client?: string, lingerMs?: number): void;
  /** Called by a server that cannot tell whose connection ended. @param census see `Connections` */
  useCensus(census: () => Promise<ReadonlyMap<string, number> | undefined>): void;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** True if other threads listen on the same port, for implementations that can share it; default false. */
  readonly shared?: boolean;
  /** By default the number of connections is not limited. */
  readonly connections?: ConnectionGate;
  /** Lowercase names of the headers that the handler reads, by request method. */
  readonly keepHeaders: (method: string) => readonly string[];
  /** Longer bodies are answered with {@link bodyTooLong} and discarded. */
  readonly maxBodyBytes: number;
  /**
   * Number of bytes beyond `maxBodyBytes` that are read and dropped so that the sender gets to read the answer;
   * beyond that, the connection is closed after the answer.
   */
  readonly maxDrainBytes: number;
  /**
   * A connection with this many unread bytes gets nothing more and is closed. A single longer answer is still sent while
   * the peer keeps reading some of it every `requestTimeoutMs`.
   */
  readonly maxBacklogBytes: number;
  /** A request whose head and body have not arrived within this time is cut off, however steadily they arrive. */
  readonly requestTimeoutMs: number;
  readonly handler: HttpHandler;
  /**
   * The answer to a body that is too long.
   * @param given bytes received or announced so far
   */
  readonly bodyTooLong: (given: number, request: RequestHead) => HttpResponse;
  /** The answer to a head that violates HTTP or that the server does not accept; the connection is closed after it. */
  readonly refused: (status: number, message: string, request: RequestHead) => HttpResponse;
  /** The answer to a body that exceeds the byte budget; the connection is closed after it. */
  readonly overloaded: (request: RequestHead) => HttpResponse;
  /** Requests with more header lines are refused with 431. */
  readonly maxHeaders: number;
  /**
   * Creates a collector for a body that arrives in pieces.
   * @param address of the sender
   * @param cut called when the memory is reclaimed because the process holds too much; the body is lost by then
   */
  readonly collectBody: (address: string, cut: () => void) => BodyPieces;
  /**
   * Counts an answer that its peer has not read.
   * @param cut called to reclaim the memory; ends the connection
   * @returns undefined if the budget is exhausted; the connection must be closed
   */
  readonly holdAnswer: (bytes: number, cut: () => void, address: string) => HeldAnswer | undefined;
  /** Reports an error thrown by the handler and returns the response for it. Must not throw. */
  readonly failure: (error: unknown, request: RequestHead) => HttpResponse;
  /** Runs work that would block the thread for too long. */
  readonly work: SlicedWork;
  /** Called for errors that are not shown to clients. */
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
