import { createHash } from 'node:crypto';
import fresh from 'fresh';
import type { Sliced, SlicedWork } from '../async/sliced-work.js';
import type { BoundedLog } from '../config/bounded-log.js';
import type { Dispatcher } from './dispatcher.js';
import { toRpcError } from './domain-errors.js';
import { limitExceeded, RpcError } from './errors.js';
import type { InvocationContext } from './handlers.js';
import type { HttpRequest, HttpResponse } from './http/http-server.js';
import { type JsonSource, JsonText } from './json/json-text.js';
import type { AskedResult, KeptResults } from './results/kept-results.js';
import { plainError, plainResult } from './rpc-answer.js';
import { sliceEnd } from './text-slices.js';

const GET_CALL_VERBS = 'GET, HEAD, OPTIONS';

/** Maximum length of the query, in characters. Servers may refuse long heads before that. */
const MAX_QUERY_LENGTH = 8_192;
const IMMUTABLE = 'max-age=31536000, immutable';

export interface GetCallsParts {
  readonly dispatcher: Dispatcher;
  /** Decides which results never change; without it, no answer is cacheable. */
  readonly results: KeptResults | undefined;
  readonly work: SlicedWork;
  readonly log: BoundedLog;
  readonly maxNesting: number;
  readonly rpcPath: string;
}

/**
 * Calls by GET, `/v2/rpc/call/<method>?params=<JSON>`, for caches between node and client. Only methods marked
 * @immutable are allowed: they only read, and their results for final blocks and transactions never change. The body is
 * the bare result, or the error object with a matching status.
 */
export class GetCalls {
  readonly #parts: GetCallsParts;

  constructor(parts: GetCallsParts) {
    this.#parts = parts;
  }

  verbsOf(name: string): string {
    return this.#parts.dispatcher.declaration(name)?.isImmutable === false ? 'OPTIONS' : GET_CALL_VERBS;
  }

  /** @param name as in the path, not checked */
  async answer(request: HttpRequest, name: string, context: InvocationContext): Promise<HttpResponse> {
    const { dispatcher, results } = this.#parts;
    const method = dispatcher.declaration(name);
    if (method === undefined) return failed(dispatcher.refuse(dispatcher.unknown(name), context));
    if (!method.isImmutable) return this.#notAllowed(name, context);
    const known = request.header('if-none-match');
    const isPrivate = request.header('authorization') !== '';
    let params: JsonSource;
    try {
      params = this.#params(request.query);
    } catch (error) {
      if (error instanceof RpcError) return failed(dispatcher.refuse(error, context));
      throw error;
    }
    const asked = results?.asked(method.name, params);
    const outcome = await dispatcher.call(name, params, context);
    if (outcome instanceof RpcError) return failed(outcome);
    let tag: string | undefined;
    try {
      if (asked !== undefined) tag = await this.#tagOf(outcome, asked, context);
    } catch (error) {
      return failed(toRpcError(error, 'the tag of a result', this.#parts.log, context));
    }
    if (asked === undefined || tag === undefined) {
      return plainResult(outcome, [['cache-control', 'no-store']]);
    }
    const lifetime = asked.isDevelopment ? 'no-cache' : IMMUTABLE;
    const headers = [
      ['etag', tag],
      ['cache-control', `${isPrivate ? 'private' : 'public'}, ${lifetime}`],
      ['vary', 'Authorization'],
    ] as const;
    return fresh({ 'if-none-match': known }, { etag: tag })
      ? { status: 304, headers, body: '' }
      : plainResult(outcome, headers);
  }

  /**
   * A strong ETag, from a hash of the text; that of a kept result is made only once.
   * @returns undefined for a result that may change
   * @throws CallerGoneError
   */
  async #tagOf(
    outcome: string,
    { kept, isFixed }: AskedResult,
    context: InvocationContext,
  ): Promise<string | undefined> {
    const { work } = this.#parts;
    const same = kept(outcome);
    if (same === undefined) return isFixed(outcome) ? work.run(tagInSlices(outcome), context) : undefined;
    // Others wait for the tag too, so it is computed even if the first caller hangs up.
    same.tag ??= work.run(tagInSlices(same.json), { client: context.client, isGone: false });
    return same.tag;
  }

  #notAllowed(name: string, context: InvocationContext): HttpResponse {
    const { dispatcher, rpcPath } = this.#parts;
    const message = `${name} cannot be called by GET; send it to POST ${rpcPath}`;
    const error = new RpcError('invalid_request', message, { allow: 'OPTIONS' });
    const refusal = dispatcher.refuse(error, context);
    return refusal === error ? plainError(405, error, [['allow', 'OPTIONS']]) : failed(refusal);
  }

  /** The only query parameter, decoded. @throws RpcError */
  #params(query: string): JsonSource {
    if (query.length > MAX_QUERY_LENGTH) {
      throw limitExceeded('query_characters', MAX_QUERY_LENGTH, query.length, 'the query, in characters');
    }
    const given = new URLSearchParams(query);
    const others = [...given.keys()].filter((key) => key !== 'params');
    if (others.length > 0 || given.getAll('params').length > 1) {
      const got = others[0] === undefined ? 'several' : JSON.stringify(others[0].slice(0, 60));
      throw wrongQuery(`nothing but one params=<JSON object>, got ${got}`);
    }
    let params: unknown;
    try {
      params = JSON.parse(given.get('params') ?? '{}');
    } catch (error) {
      throw wrongQuery(`params=<JSON object>: ${(error as SyntaxError).message}`);
    }
    if (typeof params !== 'object' || params === null) throw wrongQuery('a JSON object as params');
    const source = new JsonText(JSON.stringify(params), this.#parts.maxNesting).unparsed();
    if (source === undefined) throw wrongQuery(`at most ${this.#parts.maxNesting} levels of nesting`);
    return source;
  }
}

function* tagInSlices(json: string): Sliced<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < json.length; ) {
    const end = sliceEnd(json, at);
    hash.update(json.slice(at, end));
    at = end;
    if (at < json.length) yield;
  }
  return `"${hash.digest('base64url')}"`;
}

function wrongQuery(expected: string): RpcError {
  return new RpcError('invalid_params', `the query: expected ${expected}`, { path: 'params', expected });
}

/** The bare error object, without the envelope of JSON-RPC. */
function failed(error: RpcError): HttpResponse {
  const headers = [['cache-control', 'no-store'], ...error.httpHeaders] as const;
  return { ...plainResult(error.toJsonText(), headers, error.getStatus), isError: true };
}
