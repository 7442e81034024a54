import { RpcError } from '../errors.js';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const ZERO = 0x30;
export const NINE = 0x39;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** An object or array within a text. */
export interface Span {
  /** Position after the closing bracket. */
  readonly end: number;
  /** Number of values in the object or array, including itself and excluding member names. */
  readonly values: number;
  /** Depth of nesting, including the object's or array's own level. */
  readonly nesting: number;
}

/** A valid JSON value kept as source text. */
export class JsonSource {
  constructor(
    readonly text: string,
    /** Number of values, including the outermost one, if known. */
    readonly values: number | undefined,
    /** The parsed value, if the text was short. */
    readonly parsed?: unknown,
  ) {}
}

const NO_SPANS: ReadonlyMap<number, Span> = new Map();

/**
 * Reads a JSON text (RFC 8259) from front to back. The caller may step into objects and arrays at {@link at}; other
 * values are parsed whole by `JSON.parse` once their nesting is known to be within the limit. Syntax errors are thrown
 * as RpcError parse_error with their position. Long objects and arrays that a previous scan has recorded are neither
 * read again nor parsed.
 *
 * Hot path: every request passes here; `bench/http.bench.ts` guards it.
 */
export class JsonText {
  readonly source: string;
  readonly maxNesting: number;
  at = 0;
  /** True if the last value read or skipped exceeds the nesting limit. */
  tooDeep = false;
  readonly #spans: ReadonlyMap<number, Span>;

  /** @param spans long objects and arrays recorded by a previous scan */
  constructor(source: string, maxNesting: number, spans = NO_SPANS) {
    this.source = source;
    this.maxNesting = maxNesting;
    this.#spans = spans;
  }

  /** Expects the end of the text, after optional white space. */
  end(): void {
    if (!Number.isNaN(this.next())) this.fail('expected the end of the body');
  }

  name(): string {
    if (this.next() !== QUOTE) this.fail("expected a member's name in double quotes");
    const start = this.at;
    const plain = this.#skipString();
    const name = plain ? this.source.slice(start + 1, this.at - 1) : (this.#parse(start, this.at) as string);
    if (this.next() !== COLON) this.fail("expected ':'");
    this.at++;
    return name;
  }

  /** The next non-white-space character, or NaN at the end of the text. */
  next(): number {
    const text = this.source;
    let at = this.at;
    let character = text.charCodeAt(at);
    while (character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09) {
      character = text.charCodeAt(++at);
    }
    this.at = at;
    return character;
  }

  startOfValue(): number {
    this.next();
    return this.at;
  }

  /** Skips an integer made of digits only, as almost every id is; otherwise leaves the position unchanged. */
  skipPlainInteger(): boolean {
    const text = this.source;
    let at = this.at;
    let character = text.charCodeAt(at);
    if (!(character > ZERO && character <= NINE)) return false;
    do character = text.charCodeAt(++at);
    while (character >= ZERO && character <= NINE);
    if (character !== COMMA && character !== CLOSE_BRACE && !(character <= 0x20)) return false;
    this.at = at;
    return true;
  }

  /** Skips the object or array that starts at `start` if it is long. */
  skipLongFrom(start: number): boolean {
    const span = this.#spans.get(start);
    if (span !== undefined) this.#skipSpan(span);
    return span !== undefined;
  }

  /** Validates an object or array and returns its source; undefined if it nests too deep (see {@link tooDeep}). */
  unparsed(): JsonSource | undefined {
    this.next();
    const start = this.at;
    this.tooDeep = false;
    const span = this.#spans.get(start);
    this.skipValue();
    if (this.tooDeep) return undefined;
    const text = this.source.slice(start, this.at);
    // For a short text, `JSON.parse` is the fastest validator.
    const parsed = span === undefined ? this.#parse(start, this.at) : undefined;
    return new JsonSource(text, span?.values, parsed);
  }

  /** Reads any JSON value and keeps a long one as source; undefined if it nests too deep (see {@link tooDeep}). */
  value(): unknown {
    const first = this.next();
    const start = this.at;
    this.tooDeep = false;
    if (first === QUOTE) {
      const plain = this.#skipString();
      return plain ? this.source.slice(start + 1, this.at - 1) : this.#parse(start, this.at);
    }
    if (this.#spans.has(start)) return this.unparsed();
    this.skipValue();
    if (this.tooDeep) return undefined;
    return this.#parse(start, this.at);
  }

  /** Skips a value, looking only at strings and brackets. */
  skipValue(): void {
    const first = this.next();
    if (first === QUOTE) {
      this.#skipString();
    } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (!this.skipLongFrom(this.at)) this.#skipNested();
    } else if (first === MINUS || (first >= ZERO && first <= NINE) || (first >= 0x61 && first <= 0x7a)) {
      this.#skipWord();
    } else {
      this.fail('expected a value');
    }
  }

  #skipSpan({ end, nesting }: Span): void {
    if (nesting > this.maxNesting) this.tooDeep = true;
    this.at = end;
  }

  /** Skips a number or literal; `JSON.parse` validates it later. */
  #skipWord(): void {
    const text = this.source;
    let at = this.at + 1;
    for (;;) {
      const character = text.charCodeAt(at);
      if (Number.isNaN(character) || character <= 0x20) break;
      if (character === COMMA || character === CLOSE_BRACE || character === CLOSE_BRACKET) break;
      at++;
    }
    this.at = at;
  }

  /** Skips an object or array. Brackets are counted, not matched: `JSON.parse` finds mismatched pairs. */
  #skipNested(): void {
    const text = this.source;
    const { maxNesting } = this;
    let depth = 0;
    let at = this.at;
    for (;;) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) {
        at = this.#endOfString(at);
        continue;
      }
      if (character === OPEN_BRACE || character === OPEN_BRACKET) {
        depth++;
        if (depth > maxNesting) this.tooDeep = true;
      } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
        depth--;
        if (depth === 0) break;
      } else if (Number.isNaN(character)) {
        this.at = at;
        this.fail('the body ends inside a value');
      }
      at++;
    }
    this.at = at + 1;
  }

  /** Position after the closing quote of the string that starts at `start`: the nearest unescaped quote. */
  #endOfString(start: number): number {
    const text = this.source;
    let quote = start;
    for (;;) {
      quote = text.indexOf('"', quote + 1);
      if (quote < 0) {
        this.at = text.length;
        this.fail('the body ends inside a string');
      }
      let backslashes = 0;
      while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
      if (backslashes % 2 === 0) return quote + 1;
    }
  }

  /** Skips a string. Returns false if it has escapes or invalid characters and so must go through `JSON.parse`. */
  #skipString(): boolean {
    const text = this.source;
    for (let at = this.at + 1; ; at++) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (character === BACKSLASH || character < 0x20 || Number.isNaN(character)) break;
    }
    this.at = this.#endOfString(this.at);
    return false;
  }

  #parse(start: number, end: number): unknown {
    try {
      return JSON.parse(this.source.slice(start, end)) as unknown;
    } catch (error) {
      // V8 reports the position only in the message text, and not in every message.
      const offset = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
      this.at = start + Number(offset ?? 0);
      return this.fail('not JSON');
    }
  }

  failBefore(problem: string): never {
    this.at--;
    this.fail(problem);
  }

  fail(problem: string): never {
    throw notJson(this.source, this.at, problem);
  }
}

/** The error for a text that is not JSON, with the position of the problem. */
export function notJson(text: string, position: number, problem: string): RpcError<'parse_error'> {
  const found = position < text.length ? JSON.stringify(text.charAt(position)) : 'the end of the body';
  const message = `the body is not JSON: ${problem} at position ${position}, got ${found}`;
  return new RpcError('parse_error', message, { position });
}
