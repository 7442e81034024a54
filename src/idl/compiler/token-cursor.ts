import type { NameNode } from './ast.js';
import type { DiagnosticSink, IdlSource, Span } from './diagnostics.js';
import { type Token, tokenize } from './lexer.js';

/** Thrown when parsing cannot continue; caught at the next member or item. */
export class ParseError extends Error {}

/** Reads the tokens of a source in order. */
export class TokenCursor {
  readonly #source: IdlSource;
  readonly #sink: DiagnosticSink;
  readonly #tokens: readonly Token[];
  /** Index of the next token. */
  at = 0;

  constructor(source: IdlSource, sink: DiagnosticSink) {
    this.#source = source;
    this.#sink = sink;
    this.#tokens = tokenize(source, sink);
  }

  get token(): Token {
    // The list always ends with an `end` token, which is never passed.
    return this.#tokens[Math.min(this.at, this.#tokens.length - 1)] as Token;
  }

  /** The token at an index, or undefined beyond the end. */
  peek(at: number): Token | undefined {
    return this.#tokens[at];
  }

  isPunctuation(mark: string): boolean {
    const token = this.token;
    return token.kind === 'punctuation' && token.text === mark;
  }

  /** Consumes a mark if it is the next token. */
  take(mark: string): boolean {
    const isNext = this.isPunctuation(mark);
    if (isNext) this.at++;
    return isNext;
  }

  /** @throws ParseError if the mark is not the next token */
  expect(mark: string, expected: string = mark): void {
    if (!this.take(mark)) throw this.fail(expected, undefined, true);
  }

  /** @throws ParseError if the next token is not a word */
  name(what: string): NameNode {
    const token = this.token;
    if (token.kind !== 'word') throw this.fail(what);
    this.at++;
    return { text: token.text, span: this.spanOf(token) };
  }

  spanOf(token: Token): Span {
    return { source: this.#source, start: token.start, end: token.end };
  }

  /** The span from a token to the last one read; only the token if it has not been read yet. */
  spanFrom(first: Token): Span {
    const last = this.#tokens[this.at - 1];
    return { source: this.#source, start: first.start, end: Math.max(first.end, last?.end ?? 0) };
  }

  /** Reports an unexpected token. Returns the error to throw. */
  fail(expected: string, near?: string, isPunctuation = false): ParseError {
    const token = this.token;
    const got = {
      word: token.text,
      integer: token.text,
      string: 'a string',
      punctuation: token.text,
      doc: 'a doc comment',
      end: 'the end of the file',
    }[token.kind];
    const previous = this.#tokens[this.at - 1];
    // A missing mark is reported after the previous token, not at the start of the next line.
    const span =
      isPunctuation && token.startsLine && previous !== undefined
        ? { source: this.#source, start: previous.end, end: previous.end }
        : this.spanOf(token);
    this.#sink.report(
      span,
      `expected ${expected}, got ${got}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
    return new ParseError(expected);
  }
}
