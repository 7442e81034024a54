import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  MINUS,
  NINE,
  notJson,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  ZERO,
} from './json-characters.js';
import type { Span } from './json-scan.js';

/** A value that is known to be JSON and left as it was written. */
export class JsonSource {
  readonly text: string;
  /** How many values it is made of, itself counted, where that was found out. */
  readonly values: number | undefined;
  /** What `JSON.parse` makes of it, where it was short. */
  readonly parsed: unknown;

  constructor(text: string, values: number | undefined, parsed?: unknown) {
    this.text = text;
    this.values = values;
    this.parsed = parsed;
  }
}

const NO_SPANS: ReadonlyMap<number, Span> = new Map();

/**
 * A JSON text that is read from the front, a value at a time (RFC 8259). Objects and arrays may be entered by whoever
 * reads, at {@link at}; a value is otherwise taken whole, by `JSON.parse`, once it is known to nest no deeper than it may.
 * Every problem with the text is thrown as RpcError parse_error, with its position. Long objects and arrays of a text that has
 * been scanned before are neither read again nor parsed.
 *
 * Hot path: every request passes here; `bench/http.bench.ts` guards it.
 */
export class JsonText {
  readonly source: string;
  readonly maxNesting: number;
  /** The place of the next character to be read. */
  at = 0;
  /** Whether the value read or skipped last nests too deep. */
  tooDeep = false;
  readonly #spans: ReadonlyMap<number, Span>;

  /** @param stretches what a scan of the text found long */
  constructor(source: string, maxNesting: number, stretches = NO_SPANS) {
    this.source = source;
    this.maxNesting = maxNesting;
    this.#spans = stretches;
  }

  /** Nothing but white space may follow. */
  end(): void {
    if (!Number.isNaN(this.next())) this.fail('expected the end of the body');
  }

  /** A member's name and the colon after it. */
  name(): string {
    if (this.next() !== QUOTE) this.fail("expected a member's name in double quotes");
    const start = this.at;
    const plain = this.#skipString();
    const name = plain ? this.source.slice(start + 1, this.at - 1) : (this.#parse(start, this.at) as string);
    if (this.next() !== COLON) this.fail("expected ':'");
    this.at++;
    return name;
  }

  /** The next character that is not white space, NaN at the end of the text. */
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

  /** Behind an integer of digits alone, as almost every id is; else nothing moves. */
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

  /** Moves behind the object or array that begins at a place if it is long. */
  skipLongFrom(start: number): boolean {
    const stretch = this.#spans.get(start);
    if (stretch !== undefined) this.#skipSpan(stretch);
    return stretch !== undefined;
  }

  /** Checks an object or array and leaves it as it is; undefined where it nests too deep, which {@link tooDeep} then says. */
  unparsed(): JsonSource | undefined {
    this.next();
    const start = this.at;
    this.tooDeep = false;
    const stretch = this.#spans.get(start);
    this.skipValue();
    if (this.tooDeep) return undefined;
    const text = this.source.slice(start, this.at);
    // The engine's parser checks a short text faster than anything else could.
    const parsed = stretch === undefined ? this.#parse(start, this.at) : undefined;
    return new JsonSource(text, stretch?.values, parsed);
  }

  /** Reads any JSON value, a long one as it is; undefined where it nests too deep, which {@link tooDeep} then says. */
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

  /** Moves behind a value without looking at more than strings and brackets. */
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

  /** Behind a number or a literal; whether it is one is for `JSON.parse` to say. */
  #skipWord(): void {
    const text = this.source;
    let at = this.at + 1;
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
    this.at = at;
  }

  /** Behind an object or array. Brackets are counted, not matched: `JSON.parse` sees a pair that does not fit. */
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

  /** Behind the closing quote of the string that starts at `start`, by its nearest quote that is not escaped. */
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

  /** Behind a string; false where it has to go through `JSON.parse` for escapes or for being no JSON string at all. */
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
      // The engine tells the place only in words, and not in all of them.
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
