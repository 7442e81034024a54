import { DiagnosticSink } from '../../idl/compiler/diagnostics.js';
import { type Token, tokenize } from '../../idl/compiler/lexer.js';
import { isPrimitive } from '../../idl/primitives.js';

export type IdlPartKind = 'plain' | 'keyword' | 'type' | 'comment' | 'literal' | 'annotation';

/** A stretch of an interface text in one colour. */
export interface IdlPart {
  readonly kind: IdlPartKind;
  readonly text: string;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['interface', 'contract', 'struct', 'enum', 'type'],
  ...['method', 'view', 'event', 'error', 'indexed'],
]);

/** Maximum number of parts; what follows is one part without colour. */
const MAX_PARTS = 6_000;

/** Splits an interface text for colouring. The parts together are the text, whether or not it is valid. */
export function idlParts(text: string): readonly IdlPart[] {
  const parts: { kind: IdlPartKind; text: string }[] = [];
  const add = (kind: IdlPartKind, part: string): void => {
    const last = parts.at(-1);
    if (part === '') return;
    if (last !== undefined && (last.kind === kind || parts.length >= MAX_PARTS)) last.text += part;
    else parts.push({ kind: parts.length === MAX_PARTS - 1 ? 'plain' : kind, text: part });
  };
  const tokens = tokenize({ name: 'contract.idl', text }, new DiagnosticSink());
  let end = 0;
  for (const [at, token] of tokens.entries()) {
    for (const [place, piece] of text
      .slice(end, token.start)
      .split(/(\/\/[^\n]*)/)
      .entries()) {
      add(place % 2 === 0 ? 'plain' : 'comment', piece);
    }
    add(kindOf(token, at, tokens), text.slice(token.start, token.end));
    end = token.end;
  }
  return parts;
}

function kindOf(token: Token, at: number, tokens: readonly Token[]): IdlPartKind {
  const [before, next, second] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  switch (token.kind) {
    case 'doc':
      return 'comment';
    case 'integer':
    case 'string':
      return 'literal';
    case 'punctuation':
      return token.text === '@' ? 'annotation' : 'plain';
    case 'end':
      return 'plain';
    case 'word': {
      if (before?.text === '@') return 'annotation';
      // Keywords and types are allowed as names.
      if (KEYWORDS.has(token.text) && next?.kind === 'word') return 'keyword';
      const isName = next?.text === ':' || next?.text === '(' || (next?.text === '?' && second?.text === ':');
      return !isName && (isPrimitive(token.text) || /^[A-Z]/.test(token.text)) ? 'type' : 'plain';
    }
  }
}
