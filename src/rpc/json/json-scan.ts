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
  POINT,
  QUOTE,
  type Span,
  ZERO,
} from './json-text.js';

// States: the next token expected.
const VALUE = 0;
const FIRST_ELEMENT = 1;
const FIRST_NAME = 2;
const NAME = 3;
const AFTER_NAME = 4;
const AFTER_VALUE = 5;
// States inside a string value or a member's name.
const STRING = 6;
const NAME_STRING = 7;

const IN_ARRAY = 0;
const IN_OBJECT = 1;

const LITERALS: readonly string[] = ['true', 'false', 'null'];

interface OpenContainer {
  at: number;
  values: number;
  /** Deepest level inside the object or array so far, counted from the top of the text. */
  deepest: number;
}

/** Depth down to which spans are recorded: the depth of a request's parameters in a batch. */
const MAX_SPAN_DEPTH = 2;

/**
 * Scans one JSON value (RFC 8259) to its end without building it, piece by piece, so that a long text never blocks the
 * event loop. It accepts exactly what `JSON.parse` accepts, but decodes no names or strings.
 */
export class JsonScan {
  /** Position of the next character; at the end, the position after the value. */
  at: number;
  /** Number of values so far, the outermost included. */
  values = 0;
  entries = 0;
  /** Maximum nesting; known at the end. */
  nesting = 0;
  /** Objects and arrays longer than `noted` characters, by start position, at most two levels down. */
  readonly spans = new Map<number, Span>();
  readonly #source: string;
  readonly #minSpanLength: number;
  #next = VALUE;
  #depth = 0;
  #kinds = new Uint8Array(64);
  /** Open objects and arrays, down to the depth at which spans are recorded. */
  readonly #openContainers: readonly OpenContainer[] = Array.from({ length: MAX_SPAN_DEPTH + 1 }, () => ({
    at: 0,
    values: 0,
    deepest: 0,
  }));

  /** @param noted objects and arrays longer than this many characters are recorded in `spans` */
  constructor(source: string, at = 0, noted = Number.POSITIVE_INFINITY) {
    this.#source = source;
    this.at = at;
    this.#minSpanLength = noted;
  }

  /** Scans roughly `characters`. @returns true at the end of the value @throws RpcError parse_error */
  advance(characters: number): boolean {
    const until = this.at + characters;
    do {
      if (this.#step()) return true;
    } while (this.at < until);
    return false;
  }

  /** Consumes one token, or part of one. Returns true at the end of the value. */
  #step(): boolean {
    const state = this.#next;
    if (state === STRING || state === NAME_STRING) return this.#string(state);
    const text = this.#source;
    let at = this.at;
    let character = text.charCodeAt(at);
    while (character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09) {
      character = text.charCodeAt(++at);
    }
    this.at = at;
    switch (state) {
      case AFTER_VALUE:
        return this.#separator(character);
      case AFTER_NAME:
        if (character !== COLON) this.#fail("expected ':'");
        this.at++;
        this.#next = VALUE;
        return false;
      case FIRST_NAME:
        if (character === CLOSE_BRACE) return this.#close();
        return this.#name(character);
      case NAME:
        return this.#name(character);
      case FIRST_ELEMENT:
        if (character === CLOSE_BRACKET) return this.#close();
        return this.#value(character);
      default:
        return this.#value(character);
    }
  }

  #value(first: number): boolean {
    this.values++;
    if (this.#depth === 1 && this.#kinds[0] === IN_ARRAY) this.entries++;
    if (first === QUOTE) {
      this.at++;
      this.#next = STRING;
      return false;
    }
    if (first === OPEN_BRACE) return this.#open(IN_OBJECT, FIRST_NAME);
    if (first === OPEN_BRACKET) return this.#open(IN_ARRAY, FIRST_ELEMENT);
    if (first === MINUS || (first >= ZERO && first <= NINE)) this.#number(first);
    else this.#literal();
    return this.#isComplete();
  }

  #name(character: number): boolean {
    if (character !== QUOTE) this.#fail("expected a member's name in double quotes");
    this.at++;
    this.#next = NAME_STRING;
    return false;
  }

  #separator(character: number): boolean {
    const isObject = this.#kinds[this.#depth - 1] === IN_OBJECT;
    if (character === COMMA) {
      this.at++;
      this.#next = isObject ? NAME : VALUE;
      return false;
    }
    if (character !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
      this.#fail(isObject ? "expected ',' or '}'" : "expected ',' or ']'");
    }
    return this.#close();
  }

  #open(kind: number, next: number): boolean {
    const depth = this.#depth;
    const begun = this.#openContainers[Math.min(depth, MAX_SPAN_DEPTH)];
    if (begun !== undefined) {
      if (depth <= MAX_SPAN_DEPTH) {
        begun.at = this.at;
        begun.values = this.values - 1;
        begun.deepest = depth + 1;
      } else if (depth + 1 > begun.deepest) {
        begun.deepest = depth + 1;
      }
    }
    if (depth === this.#kinds.length) {
      const longer = new Uint8Array(2 * depth);
      longer.set(this.#kinds);
      this.#kinds = longer;
    }
    this.#kinds[depth] = kind;
    this.#depth = depth + 1;
    this.at++;
    this.#next = next;
    return false;
  }

  #close(): boolean {
    this.at++;
    const depth = --this.#depth;
    if (depth <= MAX_SPAN_DEPTH) {
      const begun = this.#openContainers[depth];
      if (begun !== undefined) this.#note(depth, begun);
    }
    return this.#isComplete();
  }

  #note(depth: number, { at, values, deepest }: OpenContainer): void {
    const around = this.#openContainers[depth - 1];
    if (around !== undefined && deepest > around.deepest) around.deepest = deepest;
    if (depth === 0) this.nesting = deepest;
    if (this.at - at <= this.#minSpanLength) return;
    this.spans.set(at, { end: this.at, values: this.values - values, nesting: deepest - depth });
  }

  #isComplete(): boolean {
    this.#next = AFTER_VALUE;
    return this.#depth === 0;
  }

  /** Consumes a string, or as much of it as fits into one step. */
  #string(state: number): boolean {
    const text = this.#source;
    const until = this.at + 16_384;
    let at = this.at;
    while (at < until) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) {
        this.at = at + 1;
        if (state === STRING) return this.#isComplete();
        this.#next = AFTER_NAME;
        return false;
      }
      if (character === BACKSLASH) {
        at = this.#escape(at);
      } else if (character < 0x20) {
        this.at = at;
        this.#fail('a control character in a string');
      } else if (Number.isNaN(character)) {
        this.at = at;
        this.#fail('the body ends inside a string');
      } else {
        at++;
      }
    }
    this.at = at;
    return false;
  }

  /** Returns the position after the escape sequence at `at`. */
  #escape(at: number): number {
    const kind = this.#source.charAt(at + 1);
    if (kind !== '' && '"\\/bfnrt'.includes(kind)) return at + 2;
    if (kind === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#source.slice(at + 2, at + 6))) return at + 6;
    this.at = at;
    return this.#fail('invalid escape sequence');
  }

  #number(first: number): void {
    const text = this.#source;
    if (first === MINUS) this.at++;
    if (text.charCodeAt(this.at) === ZERO) this.at++;
    else this.#digits();
    if (text.charCodeAt(this.at) === POINT) {
      this.at++;
      this.#digits();
    }
    const character = text.charCodeAt(this.at);
    if (character === 0x65 || character === 0x45) {
      this.at++;
      const sign = text.charCodeAt(this.at);
      if (sign === 0x2b || sign === MINUS) this.at++;
      this.#digits();
    }
  }

  #digits(): void {
    const text = this.#source;
    let at = this.at;
    let character = text.charCodeAt(at);
    if (!(character >= ZERO && character <= NINE)) this.#fail('expected a digit');
    do character = text.charCodeAt(++at);
    while (character >= ZERO && character <= NINE);
    this.at = at;
  }

  #literal(): void {
    for (const literal of LITERALS) {
      if (this.#source.startsWith(literal, this.at)) {
        this.at += literal.length;
        return;
      }
    }
    this.#fail('expected a value');
  }

  #fail(problem: string): never {
    throw notJson(this.#source, this.at, problem);
  }
}
