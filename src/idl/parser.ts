/**
 * The grammar (docs and annotations stand before any declaration; keywords are words like any other where a name is meant):
 *
 *   file      = ( interface | contract | struct | enum | alias )*
 *   interface = "interface" Name "{" method* "}"
 *   contract  = "contract" Name "{" ( method | view | event | error )* "}"
 *   method    = ( "method" | "view" ) name "(" ( parameter ( "," parameter )* ","? )? ")" ( "->" type )? ";"
 *   event     = "event" Name "{" ( "indexed"? name ":" type ";" )* "}"
 *   error     = "error" Name "{" field* "}"
 *   struct    = "struct" Name "{" field* "}"
 *   enum      = "enum" Name "{" ( Name ( ":" type )? "," )* "}"       the last comma may be left out
 *   alias     = "type" Name "=" type ";"
 *   field     = name "?"? ":" type ";"
 *   type      = Name | type "[]" | type "[" integer "]" | type "?"
 *   annotation = "@" name ( "(" literal ( "," literal )* ")" )?
 */
import type {
  AnnotationNode,
  FieldNode,
  FileNode,
  ItemNode,
  Lead,
  LiteralNode,
  MethodNode,
  NameNode,
  RecordNode,
  TypeNode,
  VariantNode,
} from './ast.js';
import type { DiagnosticSink, IdlSource, Span } from './diagnostics.js';
import { type Token, tokenize } from './lexer.js';
import { nearestName } from './nearest-name.js';

/** Deeper types are no use to anybody and would cost every later walk its stack. */
const MAX_TYPE_NESTING = 8;

const ITEM_KEYWORDS: ReadonlySet<string> = new Set(['interface', 'contract', 'struct', 'enum', 'type']);

/** Thrown where the text cannot be followed further; caught at the next border of a member or an item. */
class Lost extends Error {}

/** Parses one source; mistakes are reported, and what could be understood is returned. */
export function parse(source: IdlSource, sink: DiagnosticSink): FileNode {
  return new Parser(source, sink).file();
}

class Parser {
  readonly #source: IdlSource;
  readonly #sink: DiagnosticSink;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(source: IdlSource, sink: DiagnosticSink) {
    this.#source = source;
    this.#sink = sink;
    this.#tokens = tokenize(source, sink);
  }

  file(): FileNode {
    const items: ItemNode[] = [];
    let complete = true;
    while (this.#token.kind !== 'end' && !this.#sink.full) {
      const before = this.#at;
      try {
        items.push(this.#item());
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        complete = false;
        if (this.#at === before) this.#at++;
        this.#skipToItem();
      }
    }
    return { items, complete };
  }

  get #token(): Token {
    // The list always ends with an `end` token, and nothing steps over it.
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] as Token;
  }

  get #next(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)] as Token;
  }

  #item(): ItemNode {
    const lead = this.#lead();
    const keyword = this.#token;
    if (keyword.kind !== 'word' || !ITEM_KEYWORDS.has(keyword.text)) {
      throw this.#lost('interface, contract, struct, enum or type', nearestName(keyword.text, ITEM_KEYWORDS));
    }
    this.#at++;
    switch (keyword.text) {
      case 'interface': {
        const name = this.#name('the name of the interface');
        const members = this.#members('method', () => {
          const memberLead = this.#lead();
          if (this.#token.text !== 'method') throw this.#lost('method or }');
          this.#at++;
          return this.#method('method', memberLead);
        });
        return { ...lead, kind: 'interface', name, members };
      }
      case 'contract': {
        const name = this.#name('the name of the contract');
        return {
          ...lead,
          kind: 'contract',
          name,
          members: this.#members('member', () => this.#contractMember()),
        };
      }
      case 'struct': {
        const name = this.#name('the name of the struct');
        return { ...lead, kind: 'struct', name, fields: this.#members('field', () => this.#field(false)) };
      }
      case 'enum': {
        const name = this.#name('the name of the enum');
        return { ...lead, kind: 'enum', name, variants: this.#members('variant', () => this.#variant()) };
      }
      default: {
        const name = this.#name('the name of the type');
        this.#expect('=');
        const type = this.#type();
        this.#expect(';');
        return { ...lead, kind: 'alias', name, type };
      }
    }
  }

  /** A braced list of members; a member that cannot be understood is skipped alone. */
  #members<T>(what: string, member: () => T): T[] {
    this.#expect('{');
    const members: T[] = [];
    while (!this.#isMark('}')) {
      if (this.#token.kind === 'end') throw this.#lost(`a ${what} or }`);
      const before = this.#at;
      try {
        members.push(member());
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        if (this.#sink.full) throw error;
        if (!this.#skipToMember(before)) throw error;
      }
    }
    this.#at++;
    return members;
  }

  #contractMember(): MethodNode | RecordNode {
    const lead = this.#lead();
    const keyword = this.#token.text;
    switch (keyword) {
      case 'method':
      case 'view':
        this.#at++;
        return this.#method(keyword, lead);
      case 'event':
      case 'error': {
        this.#at++;
        const name = this.#name(`the name of the ${keyword}`);
        return {
          ...lead,
          kind: keyword,
          name,
          fields: this.#members('field', () => this.#field(keyword === 'event')),
        };
      }
      default:
        throw this.#lost('method, view, event, error or }');
    }
  }

  #method(kind: 'method' | 'view', lead: Lead): MethodNode {
    const name = this.#name(`the name of the ${kind}`);
    this.#expect('(');
    const parameters: FieldNode[] = [];
    while (!this.#isMark(')')) {
      parameters.push(this.#nameAndType({ doc: [], annotations: [] }, false, 'the name of a parameter or )'));
      if (this.#isMark(')')) break;
      this.#expect(',', ', or )');
    }
    this.#at++;
    let returns: TypeNode | undefined;
    if (this.#isMark('->')) {
      this.#at++;
      returns = this.#type();
    }
    this.#expect(';', returns === undefined ? '-> or ;' : ';');
    return { ...lead, kind, name, parameters, ...(returns && { returns }) };
  }

  #field(inEvent: boolean): FieldNode {
    const lead = this.#lead();
    const indexed = inEvent && this.#token.text === 'indexed' && this.#next.kind === 'word';
    if (indexed) this.#at++;
    const field = this.#nameAndType(lead, indexed, 'the name of a field or }');
    this.#expect(';');
    return field;
  }

  #nameAndType(lead: Lead, indexed: boolean, what: string): FieldNode {
    const name = this.#name(what);
    const optional = this.#isMark('?');
    if (optional) this.#at++;
    this.#expect(':', optional ? ':' : ': or ?:');
    return { ...lead, name, optional, indexed, type: this.#type() };
  }

  #variant(): VariantNode {
    const lead = this.#lead();
    const name = this.#name('the name of a variant or }');
    let payload: TypeNode | undefined;
    if (this.#isMark(':')) {
      this.#at++;
      payload = this.#type();
    }
    if (!this.#isMark('}')) this.#expect(',', payload === undefined ? ': or , or }' : ', or }');
    return { ...lead, name, ...(payload && { payload }) };
  }

  #type(): TypeNode {
    const first = this.#token;
    const name = this.#name('a type');
    let type: TypeNode = { kind: 'name', name: name.text, span: name.span };
    for (let nesting = 0; ; nesting++) {
      if (nesting > MAX_TYPE_NESTING)
        throw this.#lost(`at most ${MAX_TYPE_NESTING} levels of [] and ? on a type`);
      if (this.#isMark('?')) {
        this.#at++;
        type = { kind: 'option', item: type, span: this.#spanFrom(first) };
      } else if (this.#isMark('[')) {
        this.#at++;
        let length: number | undefined;
        if (this.#token.kind === 'integer') {
          length = this.#positive(this.#token, 'the length of a list');
          this.#at++;
        }
        this.#expect(']', length === undefined ? '] or the length of the list' : ']');
        type = {
          kind: 'list',
          item: type,
          span: this.#spanFrom(first),
          ...(length !== undefined && { length }),
        };
      } else {
        return type;
      }
    }
  }

  /** Doc lines and annotations, in any order. */
  #lead(): Lead {
    const doc: string[] = [];
    const annotations: AnnotationNode[] = [];
    for (;;) {
      const token = this.#token;
      if (token.kind === 'doc') {
        doc.push(token.text);
        this.#at++;
      } else if (this.#isMark('@')) {
        this.#at++;
        annotations.push(this.#annotation());
      } else {
        return { doc, annotations };
      }
    }
  }

  #annotation(): AnnotationNode {
    const name = this.#name('the name of an annotation');
    const literals: LiteralNode[] = [];
    if (!this.#isMark('(')) return { name, arguments: literals };
    this.#at++;
    for (;;) {
      const { kind, text } = this.#token;
      if (kind !== 'word' && kind !== 'integer' && kind !== 'string') {
        throw this.#lost('a word, an integer or a string in quotes');
      }
      literals.push({ kind, text, span: this.#spanFrom(this.#token) });
      this.#at++;
      if (this.#isMark(')')) break;
      this.#expect(',', ', or )');
    }
    this.#at++;
    return { name, arguments: literals };
  }

  #positive(token: Token, what: string): number {
    const value = Number(token.text);
    if (!(value >= 1 && value <= 0xffff_ffff)) {
      this.#sink.report(this.#spanOf(token), `expected ${what} from 1 to 4294967295, got ${token.text}`);
      return 1;
    }
    return value;
  }

  #name(what: string): NameNode {
    const token = this.#token;
    if (token.kind !== 'word') throw this.#lost(what);
    this.#at++;
    return { text: token.text, span: this.#spanOf(token) };
  }

  #isMark(mark: string): boolean {
    const token = this.#token;
    return token.kind === 'punctuation' && token.text === mark;
  }

  #expect(mark: string, expected: string = mark): void {
    if (!this.#isMark(mark)) throw this.#lost(expected, undefined, true);
    this.#at++;
  }

  #spanOf(token: Token): Span {
    return { source: this.#source, start: token.start, end: token.end };
  }

  /** From a token to the last one read (or to itself, when it is still to be read). */
  #spanFrom(first: Token): Span {
    const last = this.#tokens[this.#at - 1];
    return { source: this.#source, start: first.start, end: Math.max(first.end, last?.end ?? 0) };
  }

  #lost(expected: string, near?: string, isMark = false): Lost {
    const token = this.#token;
    const got = {
      word: token.text,
      integer: token.text,
      string: 'a string',
      punctuation: token.text,
      doc: 'a doc comment',
      end: 'the end of the file',
    }[token.kind];
    const previous = this.#tokens[this.#at - 1];
    // A forgotten mark at the end of a line belongs there, not at the start of what follows.
    const span =
      isMark && token.startsLine && previous !== undefined
        ? { source: this.#source, start: previous.end, end: previous.end }
        : this.#spanOf(token);
    this.#sink.report(
      span,
      `expected ${expected}, got ${got}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
    return new Lost(expected);
  }

  /** An item begins at the start of a line, possibly with doc lines: `struct Name {`. */
  #skipToItem(): void {
    while (this.#token.kind !== 'end') {
      if (this.#token.startsLine) {
        let at = this.#at;
        while (this.#tokens[at]?.kind === 'doc') at++;
        const keyword = this.#tokens[at];
        const follows = this.#tokens[at + 1]?.kind === 'word';
        if (keyword?.kind === 'word' && keyword.startsLine && follows && ITEM_KEYWORDS.has(keyword.text))
          return;
        this.#at = Math.max(at, this.#at + 1);
      } else {
        this.#at++;
      }
    }
  }

  /** `struct Name {` or `type Name =` at the start of a line: no member looks like that. */
  #isItemHead(at: number): boolean {
    const keyword = this.#tokens[at];
    const mark = this.#tokens[at + 2];
    if (keyword?.kind !== 'word' || !keyword.startsLine || !ITEM_KEYWORDS.has(keyword.text)) return false;
    return this.#tokens[at + 1]?.kind === 'word' && mark?.text === (keyword.text === 'type' ? '=' : '{');
  }

  /**
   * Skips the rest of a member that could not be understood.
   * @returns false when the braces around it seem to have ended without notice
   */
  #skipToMember(memberStart: number): boolean {
    if (this.#isItemHead(memberStart)) {
      this.#at = memberStart;
      return false;
    }
    let depth = 0;
    for (let at = memberStart; at < this.#at; at++) {
      const token = this.#tokens[at];
      if (token?.kind !== 'punctuation') continue;
      if (token.text === '{') depth++;
      else if (token.text === '}') depth--;
    }
    let moved = this.#at > memberStart;
    for (;;) {
      const token = this.#token;
      if (token.kind === 'end') return false;
      if (this.#isItemHead(this.#at)) return false;
      if (depth <= 0 && token.startsLine && moved) return true;
      if (token.kind === 'punctuation') {
        if (token.text === '{') depth++;
        else if (token.text === '}') {
          if (depth <= 0) return true;
          depth--;
          if (depth === 0) {
            this.#at++;
            return true;
          }
        } else if ((token.text === ';' || token.text === ',') && depth <= 0) {
          this.#at++;
          return true;
        }
      }
      this.#at++;
      moved = true;
    }
  }
}
