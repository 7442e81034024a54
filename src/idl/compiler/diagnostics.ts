import { IDL_LIMITS } from './idl-limits.js';

/** One IDL text of a unit. */
export interface IdlSource {
  /** Name in errors: usually the file name. */
  readonly name: string;
  readonly text: string;
  /** True if its types must have a binary form: none may contain `json`. */
  readonly binary?: boolean;
}

/** A range of one source, in UTF-16 code units from its start. */
export interface Span {
  readonly source: IdlSource;
  readonly start: number;
  readonly end: number;
}

/** One mistake in an IDL text. */
export interface IdlDiagnostic {
  /** Name of the source. */
  readonly source: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** Marked length in UTF-16 code units, at least 1. */
  readonly length: number;
  readonly message: string;
  /** The whole source line, without its line break. */
  readonly sourceLine: string;
}

/** Thrown with all mistakes in a unit of IDL texts, in source order. */
export class IdlError extends Error {
  override readonly name = 'IdlError';
  readonly diagnostics: readonly IdlDiagnostic[];

  constructor(diagnostics: readonly IdlDiagnostic[]) {
    const shown = diagnostics.slice(0, IDL_LIMITS.shownDiagnostics).map(formatDiagnostic);
    const more = diagnostics.length - shown.length;
    super([...shown, ...(more > 0 ? [`and ${more} more mistakes`] : [])].join('\n\n'));
    this.diagnostics = diagnostics;
  }
}

/** Collects mistakes, so that one run reports them all. */
export class DiagnosticSink {
  readonly #found: { readonly span: Span; readonly message: string }[] = [];

  get count(): number {
    return this.#found.length;
  }

  get full(): boolean {
    return this.#found.length >= IDL_LIMITS.diagnostics;
  }

  /** @param message a function if the message takes long to compose; not called for a mistake that is dropped */
  report(span: Span, message: string | (() => string)): void {
    if (this.full) return;
    this.#found.push({ span, message: typeof message === 'string' ? message : message() });
  }

  /** @param sources in the order in which to report them @throws IdlError if anything was reported */
  throwIfAny(sources: readonly IdlSource[]): void {
    if (this.#found.length === 0) return;
    const sorted = [...this.#found].sort(
      (a, b) =>
        sources.indexOf(a.span.source) - sources.indexOf(b.span.source) || a.span.start - b.span.start,
    );
    throw new IdlError(sorted.map(({ span, message }) => locate(span, message)));
  }
}

/** `file:line` of a span, for messages about another span. */
export function place({ source, start }: Span): string {
  return `${source.name}:${lineAt(source, start)}`;
}

/** Ends of lines, kept because a text with many lines may have many mistakes. */
const lineEnds = new WeakMap<IdlSource, readonly number[]>();

/** The line of a position, 1-based. */
function lineAt(source: IdlSource, position: number): number {
  const ends = lineEnds.get(source) ?? endsOfLines(source.text);
  lineEnds.set(source, ends);
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

function endsOfLines(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at);
  return ends;
}

/** Computes line and column of a span. */
function locate(span: Span, message: string): IdlDiagnostic {
  const { text, name } = span.source;
  const start = Math.min(span.start, text.length);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const nextBreak = text.indexOf('\n', start);
  const lineEnd = nextBreak === -1 ? text.length : nextBreak;
  const sourceLine = text.slice(lineStart, lineEnd).replace(/\r$/, '');
  const line = lineAt(span.source, lineStart);
  const column = start - lineStart + 1;
  const length = Math.max(1, Math.min(span.end, lineEnd) - start);
  return { source: name, line, column, length, message, sourceLine };
}

/**
 * Formats as `file:line:column: error: message`, the source line, and carets under the span. Long lines are cut around
 * the span.
 */
export function formatDiagnostic(diagnostic: IdlDiagnostic): string {
  const { source, line, column, length, message } = diagnostic;
  const cutFrom = column > 100 ? column - 60 : 0;
  const shown = diagnostic.sourceLine.slice(cutFrom, cutFrom + 160);
  const lead = shown.slice(0, column - 1 - cutFrom).replace(/[^\t]/g, ' ');
  const marks = '^'.repeat(Math.max(1, Math.min(length, shown.length - lead.length)));
  const gutter = `${line} | `;
  const blank = `${' '.repeat(gutter.length - 2)}| `;
  return `${source}:${line}:${column}: error: ${message}\n${gutter}${shown}\n${blank}${lead}${marks}`;
}

/** Thrown if the IDL for a contract client does not declare exactly one contract. */
export class ContractCountError extends Error {
  override readonly name = 'ContractCountError';
}
