import type { SlicedWork } from '../../async/sliced-work.js';
import type { Deferred } from '../deferred.js';

/** A body that may be gone when its handler returns. */
export interface BorrowedBody {
  /** At most the server's limit. Valid only until the handler returns. */
  readonly body: Uint8Array;
  /** The body, to keep: a copy where its memory is the server's. */
  keepBody(): Uint8Array;
}

/** What an HTTP front end hands over: one whole request. Valid until answered. */
export interface HttpRequest extends BorrowedBody {
  /** Upper case. */
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** Query string without `?`, possibly empty. */
  readonly query: string;
  /**
   * Value of a request header by its lower-case name, or the empty string. Only for the names that
   * {@link HttpServerOptions.keepHeaders} gives for the method.
   */
  header(name: string): string;
  /** The peer's address in text form; the empty string once the peer is gone. */
  readonly remoteAddress: string;
  /** Aborted when the peer goes away before the answer; made on first use. */
  readonly signal: AbortSignal;
  /** Whether it has been answered, or the peer is gone. */
  readonly isOver: boolean;
}

/** An answer; `content-length` is set by the server. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
}

/** A response, or one that comes later. */
export type HttpAnswer = HttpResponse | Promise<HttpResponse> | Deferred<HttpResponse>;

/**
 * Answers a request: at once with a response, or later. Where it throws or rejects,
 * {@link HttpServerOptions.failure} answers; it never takes the server down.
 */
export type HttpHandler = (request: HttpRequest) => HttpAnswer;

/** A body that comes in pieces. */
export interface BodyPieces {
  /** @returns false where there is no room for it; then this is over */
  add(piece: Uint8Array): boolean;
  /** The whole body; this is over then. */
  take(): Uint8Array;
  drop(): void;
}

/** An answer that is counted until it is out. */
export interface HeldAnswer {
  /** To be called once it is out, or its connection gone; may be called again. */
  release(): void;
}

/** Decides which connections may stay. */
export interface ConnectionGate {
  /**
   * @param client the owner of the peer's address
   * @returns whether it may stay; the server closes one that may not at once
   */
  enter(client: string): boolean;
  /** One that was let in has ended. @param client whose it was; undefined where the server cannot tell */
  leave(client?: string): void;
  /** For a server that cannot tell whose connection ended. @param census see `Connections` */
  useCensus(census: () => Promise<ReadonlyMap<string, number> | undefined>): void;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Whether other threads of the process listen there too, where the implementation can share a port; false if absent. */
  readonly shared?: boolean;
  /** Absent: any number of connections may be open. */
  readonly connections?: ConnectionGate;
  /** Lower-case names of the headers that the handler looks at, by the request's method. */
  readonly keepHeaders: (method: string) => readonly string[];
  /** A longer body is answered with {@link bodyTooLong} and never kept. */
  readonly maxBodyBytes: number;
  /**
   * How much of a body is read and dropped beyond `maxBodyBytes`, so that its sender comes to read the answer; after that
   * the connection is closed behind the answer.
   */
  readonly maxDrainBytes: number;
  /**
   * A connection that has not taken this much of what was sent to it gets nothing more and is cut off. A single longer
   * answer is sent all the same, as long as the peer keeps taking some of it every `requestTimeoutMs`.
   */
  readonly maxBacklogBytes: number;
  /** A request whose head and body have not arrived within this time, however steadily they come, is cut off. */
  readonly requestTimeoutMs: number;
  readonly handler: HttpHandler;
  /**
   * The answer to a body that is too long.
   * @param given how many bytes came, or were announced, by the time it is answered
   */
  readonly bodyTooLong: (given: number) => HttpResponse;
  /** The answer to a head that HTTP does not allow, or that this server does not take; the connection is closed behind it. */
  readonly refused: (status: number, message: string) => HttpResponse;
  /** The answer to a body that the budget has no room for; the connection is closed behind it. */
  readonly overloaded: () => HttpResponse;
  /** More header lines than this are refused with 431. */
  readonly maxHeaders: number;
  /**
   * Where a body is put that comes in pieces.
   * @param address of its sender
   * @param cut told where the memory is taken back, because too much is held for all; the body is gone then
   */
  readonly collectBody: (address: string, cut: () => void) => BodyPieces;
  /**
   * Counts an answer that its peer has not taken.
   * @param cut told where there are too many of them: ends the connection
   * @returns undefined where there are too many already; the connection is to be ended
   */
  readonly holdAnswer: (bytes: number, cut: () => void, address: string) => HeldAnswer | undefined;
  /** What to answer where the handler threw or rejected; reports it. Must not throw. */
  readonly failure: (error: unknown) => HttpResponse;
  /** For what would take the thread too long at once. */
  readonly work: SlicedWork;
  /** Told of errors that no client is to see. */
  readonly onError: (error: unknown) => void;
}

/** A listening front end; implemented on uWebSockets.js and on node:http. */
export interface HttpServer {
  readonly implementation: string;
  readonly host: string;
  readonly port: number;
  /** Open connections now. */
  readonly connections: number;
  /** Stops listening, lets answers under way finish for at most `graceMs`, then closes every connection. */
  stop(graceMs: number): Promise<void>;
}
