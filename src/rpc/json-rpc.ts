/**
 * Reads a JSON-RPC 2.0 request body: one request object, or a batch of them. Sources: the JSON-RPC 2.0 specification
 * (2013-01-04) and RFC 8259.
 *
 * The request object itself is scanned here and only `params` is given to `JSON.parse`, because three things are lost
 * once a parser has been over it: how the `id` was written (it is echoed as given: `1.0`, `1e3` and integers beyond 2^53
 * too), duplicate members, and how deep the text nests. The rules beyond the specification:
 *
 * 1. `id` is a string, a number or null; a request without `id` is a notification.
 * 2. A member of the request object that is there twice, or that is none of `jsonrpc`, `id`, `method`, `params`, makes the
 *    request invalid: a misspelt `params` must not pass for a call without any.
 * 3. Inside `params` the last of several members of one name counts, as `JSON.parse` has it.
 * 4. An invalid request is answered with its `id` where that is known, else with null.
 * 5. A text that nests deeper than the limit is refused with limit_exceeded before anything walks it.
 *
 * Hot path: every request passes here; `bench/http.bench.ts` guards it.
 */
import { nearestName } from '../idl/nearest-name.js';
import { limitExceeded, RpcError } from './errors.js';

/** One request of a body. */
export class RpcRequest {
  /** The source text of `id`, undefined for a notification. */
  id: string | undefined = undefined;
  method = '';
  /** Undefined where the request has none. */
  params: unknown = undefined;
  /** Why it is not valid; the members above then hold what was found. */
  error: RpcError | undefined = undefined;
}

/** A body: a lone request, or the requests of a batch, of which there is at least one. */
export type RpcBody = RpcRequest | readonly RpcRequest[];

export interface ParseLimits {
  readonly maxNesting: number;
  readonly maxBatchCalls: number;
}

const MEMBERS = ['jsonrpc', 'id', 'method', 'params'] as const;

const SEEN_JSONRPC = 1;
const SEEN_ID = 2;
const SEEN_METHOD = 4;
const SEEN_PARAMS = 8;
const SEEN_REQUIRED = SEEN_JSONRPC | SEEN_METHOD;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The longest part of what a client sent that a message repeats. */
const SHOWN_CHARACTERS = 40;

/**
 * @throws RpcError parse_error where the text is not JSON; invalid_request where it is, but neither an object nor an array
 *   with something in it; limit_exceeded for a batch that is too long
 */
export function parseRpcBody(text: string, limits: ParseLimits): RpcBody {
  return new Scanner(text, limits).body();
}

class Scanner {
  readonly #text: string;
  readonly #limits: ParseLimits;
  #at = 0;
  /** Whether the value skipped last nests too deep. */
  #tooDeep = false;

  constructor(text: string, limits: ParseLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  body(): RpcBody {
    const first = this.#next();
    let body: RpcBody;
    if (first === OPEN_BRACE) {
      body = this.#request();
    } else if (first === OPEN_BRACKET) {
      body = this.#batch();
    } else {
      this.#value();
      this.#end();
      throw new RpcError('invalid_request', 'expected a request object or a batch of them', {});
    }
    this.#end();
    return body;
  }

  #end(): void {
    if (!Number.isNaN(this.#next())) this.#fail('expected the end of the body');
  }

  #batch(): readonly RpcRequest[] {
    const { maxBatchCalls } = this.#limits;
    const requests: RpcRequest[] = [];
    let count = 0;
    this.#at++;
    if (this.#next() === CLOSE_BRACKET) {
      this.#at++;
      this.#end();
      throw new RpcError('invalid_request', 'the batch is empty', {});
    }
    for (;;) {
      count++;
      if (count > maxBatchCalls) this.#skipValue();
      else requests.push(this.#batchEntry());
      const after = this.#next();
      this.#at++;
      if (after === CLOSE_BRACKET) break;
      if (after !== COMMA) this.#failBefore("expected ',' or ']'");
    }
    if (count > maxBatchCalls) {
      this.#end();
      throw limitExceeded('batch_calls', maxBatchCalls, count);
    }
    return requests;
  }

  #batchEntry(): RpcRequest {
    if (this.#next() === OPEN_BRACE) return this.#request();
    this.#value();
    const request = new RpcRequest();
    request.id = 'null';
    request.error = new RpcError('invalid_request', 'expected a request object', {});
    return request;
  }

  #request(): RpcRequest {
    const request = new RpcRequest();
    let seen = 0;
    let error: RpcError | undefined;
    this.#at++;
    if (this.#next() === CLOSE_BRACE) {
      this.#at++;
    } else {
      for (;;) {
        const name = this.#name();
        let bit = 0;
        let fault: RpcError | undefined;
        switch (name) {
          case 'jsonrpc':
            bit = SEEN_JSONRPC;
            fault = this.#version();
            break;
          case 'id':
            bit = SEEN_ID;
            fault = this.#id(request);
            break;
          case 'method':
            bit = SEEN_METHOD;
            fault = this.#method(request);
            break;
          case 'params':
            bit = SEEN_PARAMS;
            fault = this.#params(request);
            break;
          default:
            fault = this.#unknownMember(name);
        }
        if ((seen & bit) !== 0) fault = duplicate(name);
        seen |= bit;
        error ??= fault;
        const after = this.#next();
        this.#at++;
        if (after === CLOSE_BRACE) break;
        if (after !== COMMA) this.#failBefore("expected ',' or '}'");
      }
    }
    if ((seen & SEEN_REQUIRED) !== SEEN_REQUIRED) {
      error ??= missing((seen & SEEN_JSONRPC) === 0 ? 'jsonrpc' : 'method');
    }
    if (error !== undefined) {
      request.error = error;
      request.id ??= 'null';
    }
    return request;
  }

  /** A member's name and the colon after it. */
  #name(): string {
    if (this.#next() !== QUOTE) this.#fail("expected a member's name in double quotes");
    const start = this.#at;
    const plain = this.#skipString();
    const name = plain ? this.#text.slice(start + 1, this.#at - 1) : (this.#parse(start, this.#at) as string);
    if (this.#next() !== COLON) this.#fail("expected ':'");
    this.#at++;
    return name;
  }

  #version(): RpcError | undefined {
    const start = this.#startOfValue();
    if (this.#text.startsWith('"2.0"', start)) {
      this.#at = start + 5;
      return undefined;
    }
    const version = this.#value();
    if (version === '2.0') return undefined;
    return new RpcError('invalid_request', `jsonrpc: expected "2.0", got ${shown(version)}`, {
      member: 'jsonrpc',
    });
  }

  #method(request: RpcRequest): RpcError | undefined {
    const method = this.#value();
    if (typeof method === 'string') {
      request.method = method;
      return undefined;
    }
    return new RpcError('invalid_request', `method: expected a string, got ${shown(method)}`, {
      member: 'method',
    });
  }

  #id(request: RpcRequest): RpcError | undefined {
    const start = this.#startOfValue();
    if (this.#skipPlainInteger()) {
      request.id = this.#text.slice(start, this.#at);
      return undefined;
    }
    const id = this.#value();
    if (id === null || typeof id === 'string' || typeof id === 'number') {
      request.id = this.#text.slice(start, this.#at);
      return undefined;
    }
    return new RpcError('invalid_request', `id: expected a string, a number or null, got ${shown(id)}`, {
      member: 'id',
    });
  }

  #params(request: RpcRequest): RpcError | undefined {
    const first = this.#next();
    if (first === OPEN_BRACE && this.#text.charCodeAt(this.#at + 1) === CLOSE_BRACE) {
      this.#at += 2;
      request.params = {};
      return undefined;
    }
    const params = this.#value();
    if (this.#tooDeep) {
      return limitExceeded('nesting', this.#limits.maxNesting);
    }
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      request.params = params;
      return undefined;
    }
    return new RpcError(
      'invalid_request',
      `params: expected an object of named parameters, got ${shown(params)}; leave it out where there are none`,
      { member: 'params' },
    );
  }

  #unknownMember(name: string): RpcError {
    this.#value();
    const suggestion = nearestName(name, MEMBERS);
    const hint = suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`;
    return new RpcError('invalid_request', `a request object has no member ${shown(name)}${hint}`, {
      member: abridged(name),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  /** The next character that is not white space, NaN at the end of the text. */
  #next(): number {
    const text = this.#text;
    let at = this.#at;
    let character = text.charCodeAt(at);
    while (character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09) {
      character = text.charCodeAt(++at);
    }
    this.#at = at;
    return character;
  }

  #startOfValue(): number {
    this.#next();
    return this.#at;
  }

  /** Behind an integer of digits alone, as almost every id is; else nothing moves. */
  #skipPlainInteger(): boolean {
    const text = this.#text;
    let at = this.#at;
    let character = text.charCodeAt(at);
    if (!(character > ZERO && character <= NINE)) return false;
    do character = text.charCodeAt(++at);
    while (character >= ZERO && character <= NINE);
    if (character !== COMMA && character !== CLOSE_BRACE && !(character <= 0x20)) return false;
    this.#at = at;
    return true;
  }

  /** Reads any JSON value; undefined where it nests too deep, which `#tooDeep` then says. */
  #value(): unknown {
    const first = this.#next();
    const start = this.#at;
    this.#tooDeep = false;
    if (first === QUOTE) {
      const plain = this.#skipString();
      return plain ? this.#text.slice(start + 1, this.#at - 1) : this.#parse(start, this.#at);
    }
    this.#skipValue();
    if (this.#tooDeep) return undefined;
    return this.#parse(start, this.#at);
  }

  /** Moves behind a value without looking at more than strings and brackets. */
  #skipValue(): void {
    const first = this.#next();
    if (first === QUOTE) {
      this.#skipString();
    } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      this.#skipNested();
    } else if (first === MINUS || (first >= ZERO && first <= NINE) || (first >= 0x61 && first <= 0x7a)) {
      this.#skipWord();
    } else {
      this.#fail('expected a value');
    }
  }

  /** Behind a number or a literal; whether it is one is for `JSON.parse` to say. */
  #skipWord(): void {
    const text = this.#text;
    let at = this.#at + 1;
    for (;;) {
      const character = text.charCodeAt(at);
      if (
        Number.isNaN(character) ||
        character === COMMA ||
        character === CLOSE_BRACE ||
        character === CLOSE_BRACKET ||
        character <= 0x20
      ) {
        break;
      }
      at++;
    }
    this.#at = at;
  }

  /** Behind an object or array. Brackets are counted, not matched: `JSON.parse` sees a pair that does not fit. */
  #skipNested(): void {
    const text = this.#text;
    const { maxNesting } = this.#limits;
    let depth = 0;
    let at = this.#at;
    for (;;) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) {
        at = this.#endOfString(at);
        continue;
      }
      if (character === OPEN_BRACE || character === OPEN_BRACKET) {
        depth++;
        if (depth > maxNesting) this.#tooDeep = true;
      } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
        depth--;
        if (depth === 0) break;
      } else if (Number.isNaN(character)) {
        this.#at = at;
        this.#fail('the body ends inside a value');
      }
      at++;
    }
    this.#at = at + 1;
  }

  /** Behind the closing quote of the string that starts at `start`, by its nearest quote that is not escaped. */
  #endOfString(start: number): number {
    const text = this.#text;
    let quote = start;
    for (;;) {
      quote = text.indexOf('"', quote + 1);
      if (quote < 0) {
        this.#at = text.length;
        this.#fail('the body ends inside a string');
      }
      let backslashes = 0;
      while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
      if (backslashes % 2 === 0) return quote + 1;
    }
  }

  /** Behind a string; false where it has to go through `JSON.parse` for escapes or for being no JSON string at all. */
  #skipString(): boolean {
    const text = this.#text;
    for (let at = this.#at + 1; ; at++) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) {
        this.#at = at + 1;
        return true;
      }
      if (character === BACKSLASH || character < 0x20 || Number.isNaN(character)) break;
    }
    this.#at = this.#endOfString(this.#at);
    return false;
  }

  #parse(start: number, end: number): unknown {
    try {
      return JSON.parse(this.#text.slice(start, end)) as unknown;
    } catch (error) {
      // The engine tells the place only in words, and not in all of them.
      const offset = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
      this.#at = start + Number(offset ?? 0);
      return this.#fail('not JSON');
    }
  }

  #failBefore(problem: string): never {
    this.#at--;
    this.#fail(problem);
  }

  #fail(problem: string): never {
    const position = this.#at;
    const found =
      position < this.#text.length ? JSON.stringify(this.#text.charAt(position)) : 'the end of the body';
    throw new RpcError(
      'parse_error',
      `the body is not JSON: ${problem} at position ${position}, got ${found}`,
      {
        position,
      },
    );
  }
}

function duplicate(member: string): RpcError {
  return new RpcError('invalid_request', `${member}: the request object has this member twice`, { member });
}

function missing(member: string): RpcError {
  return new RpcError('invalid_request', `the request object lacks ${JSON.stringify(member)}`, { member });
}

function abridged(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** What came, for a message: short, and never the walk of a deep value. */
function shown(value: unknown): string {
  if (value === undefined) return 'a value that nests too deep';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(abridged(value)) : String(value);
}
