/**
 * Parses JSON-RPC 2.0 request bodies: a single request object or a batch. Source: the JSON-RPC 2.0 specification
 * (2013-01-04).
 *
 * The request object itself is scanned here and only `params` goes to `JSON.parse`, because a parser would lose three
 * things: how `id` was written (it is echoed as given, including `1.0`, `1e3` and integers beyond 2^53), duplicate
 * members, and the nesting depth. Rules beyond the specification:
 *
 * 1. `id` is a string, a number or null, of at most 256 bytes as written, not counting the quotes of a string; a
 *    request without `id` is a notification.
 * 2. A duplicate member of the request object, or one other than `jsonrpc`, `id`, `method` and `params`, makes the
 *    request invalid: a misspelt `params` must not pass for a call without any.
 * 3. Inside `params` the last of several members with the same name counts, as in `JSON.parse`.
 * 4. An invalid request is answered with its `id` if known, else with null.
 * 5. A text that nests deeper than the limit is refused with limit_exceeded before anything recurses into it.
 *
 * Hot path: every request passes here; `bench/http.bench.ts` guards it.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import type { Sliced } from '../../async/sliced-work.js';
import { nearestName } from '../../idl/nearest-name.js';
import { limitExceeded, RpcError } from '../errors.js';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, JsonText, OPEN_BRACE, OPEN_BRACKET } from './json-text.js';

/** A single request of a body. */
export class RpcRequest {
  id: string | undefined = undefined;
  method = '';
  /** Undefined if absent; a {@link JsonSource} if long or passed to a worker unparsed. */
  params: unknown = undefined;
  /** Why the request is invalid; the fields above then hold what could be read. */
  error: RpcError | undefined = undefined;
}

/** A single request, or the requests of a non-empty batch. */
export type RpcBody = RpcRequest | readonly RpcRequest[];

export interface ParseLimits {
  readonly maxNesting: number;
  readonly maxBatchCalls: number;
}

/** True if a method takes its parameters unparsed. */
export type TakesRawParams = (method: string) => boolean;

const MEMBERS = ['jsonrpc', 'id', 'method', 'params'] as const;

const SEEN_JSONRPC = 1;
const SEEN_ID = 2;
const SEEN_METHOD = 4;
const SEEN_PARAMS = 8;
const SEEN_REQUIRED = SEEN_JSONRPC | SEEN_METHOD;

/** Maximum length of an `id`, since every answer repeats it. */
const MAX_ID_BYTES = 256;

/** V8 copies substrings shorter than this; longer ones keep the whole text alive. */
const COPIED_CHARACTERS = 13;

const SHOWN_CHARACTERS = 40;

/** Parsing of a request stops at this many members; only four are known. */
const MAX_MEMBERS = 16;

/**
 * @throws RpcError parse_error if the text is not JSON; invalid_request if it is neither an object nor a non-empty
 *   array; limit_exceeded if the batch is too long
 */
export function parseRpcBody(
  source: string,
  limits: ParseLimits,
  takesRawParams: TakesRawParams = () => false,
): RpcBody {
  const text = new JsonText(source, limits.maxNesting);
  if (text.next() === OPEN_BRACE) {
    const request = readRequest(text, takesRawParams);
    text.end();
    return request;
  }
  const requests = readRequests(text, limits, takesRawParams);
  for (;;) {
    const { done, value } = requests.next();
    if (done === true) return value;
  }
}

/** Yields after each request. @param entries length of the batch, if known @throws as {@link parseRpcBody} */
export function* readRequests(
  text: JsonText,
  { maxBatchCalls }: ParseLimits,
  takesRawParams: TakesRawParams,
  entries?: number,
): Sliced<RpcBody> {
  const first = text.next();
  if (first === OPEN_BRACE) {
    const request = readRequest(text, takesRawParams);
    text.end();
    return request;
  }
  if (first !== OPEN_BRACKET) {
    text.value();
    text.end();
    throw new RpcError('invalid_request', 'expected a request object or a batch of them', {});
  }
  if (entries !== undefined && entries > maxBatchCalls) throw tooManyCalls(maxBatchCalls, entries);
  const requests: RpcRequest[] = [];
  let count = 0;
  text.at++;
  if (text.next() === CLOSE_BRACKET) {
    text.at++;
    text.end();
    throw new RpcError('invalid_request', 'the batch is empty', {});
  }
  for (;;) {
    count++;
    if (count > maxBatchCalls) text.skipValue();
    else requests.push(readBatchEntry(text, takesRawParams));
    const after = text.next();
    text.at++;
    if (after === CLOSE_BRACKET) break;
    if (after !== COMMA) text.failBefore("expected ',' or ']'");
    yield;
  }
  text.end();
  if (count > maxBatchCalls) throw tooManyCalls(maxBatchCalls, count);
  return requests;
}

function tooManyCalls(limit: number, given: number): RpcError {
  return limitExceeded('batch_calls', limit, given, 'calls in a batch', 'send fewer at a time');
}

function readBatchEntry(text: JsonText, takesRawParams: TakesRawParams): RpcRequest {
  if (text.next() === OPEN_BRACE) return readRequest(text, takesRawParams);
  text.value();
  const request = new RpcRequest();
  request.id = 'null';
  request.error = new RpcError('invalid_request', 'expected a request object', {});
  return request;
}

function readRequest(text: JsonText, takesRawParams: TakesRawParams): RpcRequest {
  const request = new RpcRequest();
  const start = text.at;
  let members = 0;
  let seen = 0;
  let error: RpcError | undefined;
  text.at++;
  if (text.next() === CLOSE_BRACE) {
    text.at++;
  } else {
    for (;;) {
      const name = text.name();
      let bit = 0;
      let fault: RpcError | undefined;
      switch (name) {
        case 'jsonrpc':
          bit = SEEN_JSONRPC;
          fault = readVersion(text);
          break;
        case 'id':
          bit = SEEN_ID;
          fault = readId(text, request);
          break;
        case 'method':
          bit = SEEN_METHOD;
          fault = readMethod(text, request);
          break;
        case 'params':
          bit = SEEN_PARAMS;
          fault = readParams(text, request, takesRawParams);
          break;
        default:
          fault = unknownMember(text, name, error === undefined);
      }
      if ((seen & bit) !== 0) fault = invalid(name, `${name}: the request object has this member twice`);
      seen |= bit;
      error ??= fault;
      const after = text.next();
      text.at++;
      if (after === CLOSE_BRACE) break;
      if (after !== COMMA) text.failBefore("expected ',' or '}'");
      if (++members === MAX_MEMBERS && text.skipLongFrom(start)) break;
    }
  }
  if ((seen & SEEN_REQUIRED) !== SEEN_REQUIRED) {
    const missing = (seen & SEEN_JSONRPC) === 0 ? 'jsonrpc' : 'method';
    error ??= invalid(missing, `the request object lacks "${missing}"`);
  }
  if (error !== undefined) {
    request.error = error;
    request.id ??= 'null';
  }
  return request;
}

function readVersion(text: JsonText): RpcError | undefined {
  const start = text.startOfValue();
  if (text.source.startsWith('"2.0"', start)) {
    text.at = start + 5;
    return undefined;
  }
  const version = text.value();
  if (version === '2.0') return undefined;
  return invalid('jsonrpc', `jsonrpc: expected "2.0", got ${shown(version)}`);
}

function readMethod(text: JsonText, request: RpcRequest): RpcError | undefined {
  const method = text.value();
  if (typeof method === 'string') {
    request.method = method;
    return undefined;
  }
  return invalid('method', `method: expected a string, got ${shown(method)}`);
}

function readId(text: JsonText, request: RpcRequest): RpcError | undefined {
  const start = text.startOfValue();
  const isPlain = text.skipPlainInteger();
  const id = isPlain ? 0 : text.value();
  if (id === null || typeof id === 'string' || typeof id === 'number') {
    const quotes = typeof id === 'string' ? 2 : 0;
    // Every character takes at least one byte, so an id that is far too long is refused without a copy.
    let bytes = text.at - start - quotes;
    if (bytes <= MAX_ID_BYTES) {
      const written = text.source.slice(start, text.at);
      if (bytes > MAX_ID_BYTES / 3) bytes = Buffer.byteLength(written) - quotes;
      if (bytes <= MAX_ID_BYTES) {
        request.id = copied(written);
        return undefined;
      }
    }
    return invalid('id', `id: at most ${MAX_ID_BYTES} bytes, got ${bytes}`);
  }
  return invalid('id', `id: expected a string, a number or null, got ${shown(id)}`);
}

/** Copies an id, so that it does not keep the text of the body alive until the call ends. */
function copied(part: string): string {
  return part.length < COPIED_CHARACTERS ? part : Buffer.from(part).toString();
}

function readParams(
  text: JsonText,
  request: RpcRequest,
  takesRawParams: TakesRawParams,
): RpcError | undefined {
  const first = text.next();
  if (first === OPEN_BRACE && text.source.charCodeAt(text.at + 1) === CLOSE_BRACE) {
    text.at += 2;
    request.params = {};
    return undefined;
  }
  const isStructure = first === OPEN_BRACE || first === OPEN_BRACKET;
  const params = isStructure && takesRawParams(request.method) ? text.unparsed() : text.value();
  if (text.tooDeep) return limitExceeded('nesting', text.maxNesting);
  if (isStructure) {
    request.params = params;
    return undefined;
  }
  const expected = 'an object of named parameters';
  return invalid(
    'params',
    `params: expected ${expected}, got ${shown(params)}; leave it out where there are none`,
  );
}

/** @param isFirst true if this is the first fault of the request, the one that is reported */
function unknownMember(text: JsonText, name: string, isFirst: boolean): RpcError | undefined {
  text.value();
  if (!isFirst) return undefined;
  const suggestion = nearestName(name, MEMBERS);
  const hint = suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`;
  return new RpcError('invalid_request', `a request object has no member ${shown(name)}${hint}`, {
    member: truncated(name),
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

function invalid(member: string, message: string): RpcError {
  return new RpcError('invalid_request', message, { member });
}

function truncated(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** Describes a value for a message, in few characters and without walking a deep value. */
function shown(value: unknown): string {
  if (value === undefined) return 'a value that nests too deep';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(truncated(value)) : String(value);
}

const REPLACEMENT = '\ufffd';

/** Decodes the text of a request body. @throws RpcError parse_error if the bytes are not UTF-8 */
export function bodyText(body: Uint8Array): string {
  const buffer = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = buffer.toString();
  // Invalid bytes decode to U+FFFD, which may also have been sent as such; only then are the bytes checked.
  if (text.includes(REPLACEMENT)) expectUtf8(buffer);
  return text;
}

/** @throws RpcError parse_error */
export function expectUtf8(body: Uint8Array): void {
  if (isUtf8(body)) return;
  const what = body[0] === 0x1f && body[1] === 0x8b ? 'compressed by gzip; send it as it is' : 'not UTF-8';
  throw new RpcError('parse_error', `the body is ${what}`, {});
}
