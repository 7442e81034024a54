import type { Caller } from '../async/caller.js';
import type { CallKind } from '../execution/views/batched-calls.js';
import type { NodeRpcV1Methods } from '../generated/node-rpc-v1.js';
import type { Tier } from '../idl/manifest.js';
import { Deferred } from './deferred.js';
import type { RpcError } from './errors.js';
import type { JsonSource } from './json/json-text.js';

/** A result that is JSON text already: from a worker, or from a cache. Must be valid JSON; it goes out as it is. */
export class EncodedResult {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/**
 * An answer that waits for something that costs the node nothing meanwhile, such as a block: such calls have a budget of their
 * own, and take no place among those that are under way until `resume` is called.
 */
export class Parked<R> {
  readonly until: Promise<void>;
  readonly resume: () => R | EncodedResult | Promise<R | EncodedResult>;

  constructor(until: Promise<void>, resume: Parked<R>['resume']) {
    this.until = until;
    this.resume = resume;
  }
}

/** Who calls, and whether they still wait. One for all calls of one HTTP request. */
export interface CallContext extends Caller {
  /** The peer's address in text form. */
  readonly remoteAddress: string;
  /** What the caller may use. */
  readonly tier: Tier;
  /** `sub` of the token; undefined where none was sent. */
  readonly subject: string | undefined;
  /**
   * Aborted when the client goes away before it is answered. Made on first use: ask for it only where there is
   * something to stop.
   */
  readonly signal: AbortSignal;
}

/** The caller and its access rights. */
export interface CallerContext extends CallContext {
  /** Whether the request came with a valid token. */
  readonly authenticated: boolean;
  /** The refusal of an invalid token; it answers every call of the request. */
  readonly refusal: RpcError | undefined;
}

export type HandlerResult<R> =
  | R
  | EncodedResult
  | Promise<R | EncodedResult | Parked<R>>
  | Deferred<EncodedResult | Error>;

/**
 * Answers one method. What it returns at once is sent at once; a promise counts as a call in flight until it settles, but
 * for the time that it is {@link Parked}, and so does a Later, which stands for a rejection where its value is an error.
 * It throws or rejects with an `RpcError` or with a domain error that `domain-errors.ts` knows; anything else is
 * answered as internal_error and logged.
 */
export type Handler<P, R> = (params: P, call: CallContext) => HandlerResult<R>;

/**
 * The handlers of an interface, one a method; a missing one, or one that the IDL does not declare, does not compile. Those of
 * `T` get their parameters as they were written.
 */
export type HandlersOf<M extends MethodTypes<M>, T extends keyof M = never> = {
  readonly [K in keyof M]: Handler<K extends T ? JsonSource : M[K]['params'], M[K]['result']>;
};

/** What the generated description of an interface says of each method. */
export type MethodTypes<M> = {
  readonly [K in keyof M]: { readonly params: unknown; readonly result: unknown };
};

/**
 * The handlers of `idl/node_rpc_v1.idl`. What workers answer, calls and traces, goes there as it was sent, to be read and
 * checked there.
 */
export type MethodHandlers = HandlersOf<NodeRpcV1Methods, CallKind>;

/** What a worker will answer: `ask` has it call one of the two, with the JSON of the result or with why there is none. */
export function deferredResult(
  ask: (resolve: (json: string) => void, reject: (error: Error) => void) => void,
): Deferred<EncodedResult | Error> {
  const later = new Deferred<EncodedResult | Error>();
  ask(
    (json) => later.resolve(new EncodedResult(json)),
    (error) => later.resolve(error),
  );
  return later;
}
