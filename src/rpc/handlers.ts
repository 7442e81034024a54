import type { Caller } from '../async/caller.js';
import { Deferred } from '../async/deferred.js';
import type { CallKind } from '../execution/views/batched-calls.js';
import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { Tier } from '../idl/manifest.js';
import type { Meter } from './access/meter.js';
import type { RpcError } from './errors.js';
import type { JsonSource } from './json/json-text.js';
import type { Subscriber } from './subscriptions/subscriber.js';
import type { RequestSpan } from './tracing/tracing.js';

/** A result that is already JSON text, from a worker or a cache. It must be valid JSON and is sent unchanged. */
export class EncodedResult {
  /** @param waitedMs time that the call waited for a worker, in milliseconds; undefined if unknown */
  constructor(
    readonly json: string,
    readonly waitedMs?: number,
  ) {}
}

/**
 * An answer that waits for an event, such as a block, without costing the node anything. Parked calls have a separate
 * limit and do not count as calls in flight until `resume` is called.
 */
export class Parked<R> {
  constructor(
    readonly until: Promise<void>,
    readonly resume: () => R | EncodedResult | Promise<R | EncodedResult>,
  ) {}
}

/** Who sent a request. */
export interface Requester {
  readonly remoteAddress: string;
  /** Identifies the HTTP request in logs and answers. */
  readonly requestId: string;
  readonly tier: Tier;
  /** `sub` of the token; undefined without a token. */
  readonly subject: string | undefined;
  /** Id of the token; undefined without a token. */
  readonly tokenId: string | undefined;
}

/** What a handler knows about its call. Shared by all calls of one HTTP request. */
export interface HandlerContext extends Caller, Requester {
  /** Aborted when the client disconnects before the answer. Created on first use, so access it only if needed. */
  readonly signal: AbortSignal;
  /** The WebSocket of the call; undefined for a call over HTTP. */
  readonly subscriber?: Subscriber | undefined;
  /** Charges work beyond the price of the method; undefined if it is free. */
  readonly meter?: Meter | undefined;
}

/** What the invocation of a method needs beside what its handler does. */
export interface InvocationContext extends HandlerContext {
  readonly authenticated: boolean;
  readonly span: RequestSpan | undefined;
  /** Why the token was refused; every call of the request is answered with it. */
  readonly refusal: RpcError | undefined;
  readonly meter: Meter | undefined;
}

export type HandlerResult<R> =
  | R
  | EncodedResult
  | Promise<R | EncodedResult | Parked<R>>
  | Deferred<EncodedResult | Error>;

/**
 * Answers one method. An immediate result is sent at once. A promise or Deferred counts as a call in flight until it
 * settles, except while it is {@link Parked}; a Deferred reports a failure by resolving to an Error. A handler throws
 * or rejects with an `RpcError` or a domain error known to `domain-errors.ts`; anything else is logged and answered
 * as internal_error.
 */
export type Handler<P, R> = (params: P, call: HandlerContext) => HandlerResult<R>;

/** The handlers of an interface; missing or undeclared ones do not compile. Those in `T` get unparsed parameters. */
export type HandlersOf<M extends MethodTypes<M>, T extends keyof M = never> = {
  readonly [K in keyof M]: Handler<K extends T ? JsonSource : M[K]['params'], M[K]['result']>;
};

export type MethodTypes<M> = {
  readonly [K in keyof M]: { readonly params: unknown; readonly result: unknown };
};

/** The handlers of `idl/node_rpc_v1.idl`. Workers parse and check calls and traces, so their parameters stay text. */
export type MethodHandlers = HandlersOf<NodeRpcV1Methods, CallKind>;

/** The handlers that need a chain: all but those about the tokens of the node. */
export type ChainHandlers = Omit<MethodHandlers, 'token_usage'>;

export type ResolveJson = (json: string, waitedMs?: number) => void;

/** Wraps a worker's answer: `ask` starts the work and must call exactly one of its two callbacks. */
export function deferredResult(
  ask: (resolve: ResolveJson, reject: (error: Error) => void) => void,
): Deferred<EncodedResult | Error> {
  const later = new Deferred<EncodedResult | Error>();
  ask(
    (json, waitedMs) => later.resolve(new EncodedResult(json, waitedMs)),
    (error) => later.resolve(error),
  );
  return later;
}
