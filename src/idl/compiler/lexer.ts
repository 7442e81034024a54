import type { DiagnosticSink, IdlSource } from './diagnostics.js';
import { IDL_LIMITS } from './idl-limits.js';

export type TokenKind = 'word' | 'integer' | 'string' | 'punctuation' | 'doc' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The word, digits, punctuation mark, string value, or doc line without `///` and one leading space. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is the first token on its line, where a parser may recover from a mistake. */
  readonly startsLine: boolean;
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const MINUS = 45;
const SLASH = 47;
const BACKSLASH = 92;

const PUNCTUATION = '{}()[]:;,?=@';

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWordStart(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/**
 * Copies a word, which is ASCII. V8 stores a slice of a text that has other characters with two bytes a character, and so
 * every text that the slice becomes a part of, such as an answer with the word as an event's name.
 */
function narrowSlice(text: string, start: number, end: number): string {
  // Few words are longer, and a call takes a limited number of arguments.
  if (end - start > IDL_LIMITS.nameLength) return text.slice(start, end);
  const codes: number[] = [];
  for (let at = start; at < end; at++) codes.push(text.charCodeAt(at));
  return String.fromCharCode(...codes);
}

/** Splits a source into tokens, the last an `end` token. Invalid text is reported and skipped. */
export function tokenize(source: IdlSource, sink: DiagnosticSink): readonly Token[] {
  const { text } = source;
  const tokens: Token[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let startsLine = true;

  const push = (kind: TokenKind, value: string, start: number, end: number): void => {
    tokens.push({ kind, text: value, start, end, startsLine });
    startsLine = false;
    at = end;
  };

  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) {
      startsLine = true;
      at++;
    } else if (code === SPACE || code === TAB || code === CARRIAGE_RETURN) {
      at++;
    } else if (code === SLASH && text.charCodeAt(at + 1) === SLASH) {
      const lineBreak = text.indexOf('\n', at);
      const end = lineBreak === -1 ? text.length : lineBreak;
      // Four slashes draw a horizontal rule; they are not documentation.
      if (text.charCodeAt(at + 2) === SLASH && text.charCodeAt(at + 3) !== SLASH) {
        const line = text.slice(at + 3, end);
        push('doc', line.replace(/^ /, '').trimEnd(), at, end);
      } else {
        at = end;
      }
    } else if (isWordStart(code)) {
      let end = at + 1;
      while (isWordStart(text.charCodeAt(end)) || isDigit(text.charCodeAt(end))) end++;
      push('word', narrowSlice(text, at, end), at, end);
    } else if (isDigit(code) || (code === MINUS && isDigit(text.charCodeAt(at + 1)))) {
      let end = at + 1;
      while (isDigit(text.charCodeAt(end))) end++;
      if (isWordStart(text.charCodeAt(end))) {
        while (isWordStart(text.charCodeAt(end)) || isDigit(text.charCodeAt(end))) end++;
        sink.report({ source, start: at, end }, `expected a decimal integer, got ${text.slice(at, end)}`);
        at = end;
      } else {
        push('integer', text.slice(at, end), at, end);
      }
    } else if (code === QUOTE) {
      readString();
    } else if (PUNCTUATION.includes(text[at] as string)) {
      push('punctuation', text[at] as string, at, at + 1);
    } else if (code === MINUS && text[at + 1] === '>') {
      push('punctuation', '->', at, at + 2);
    } else {
      const character = String.fromCodePoint(text.codePointAt(at) as number);
      const comment = text.startsWith('/*', at) ? '; comments are written // to the end of the line' : '';
      const span = { source, start: at, end: at + character.length };
      sink.report(span, `unexpected character ${JSON.stringify(character)}${comment}`);
      at += character.length;
    }
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length, startsLine: true });
  return tokens;

  function readString(): void {
    const start = at;
    let value = '';
    let end = at + 1;
    for (;;) {
      const code = text.charCodeAt(end);
      if (end >= text.length || code === LINE_FEED) {
        sink.report({ source, start, end }, 'expected " to close the string before the line ends');
        at = end;
        return;
      }
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        const escaped = text[end + 1];
        if (escaped === '"' || escaped === '\\') value += escaped;
        else if (escaped === 'n') value += '\n';
        else {
          const span = { source, start: end, end: end + 2 };
          sink.report(span, 'unknown escape in a string; known are \\" \\\\ \\n');
        }
        end += escaped === undefined || escaped === '\n' ? 1 : 2;
      } else {
        value += text[end];
        end++;
      }
    }
    push('string', value, start, end + 1);
  }
}
