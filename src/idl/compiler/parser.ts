/**
 * The grammar, which docs/idl.md shows. Keywords are allowed as names; comments may stand between any two tokens.
 *
 *   file       = item* ;
 *   item       = lead ( interface | contract | struct | enum | alias ) ;
 *   interface  = "interface" name "{" ( lead "method" signature )* "}" ;
 *   contract   = "contract" name "{" ( lead ( function | event | error ) )* "}" ;
 *   function   = ( "method" | "view" ) signature ;
 *   signature  = name "(" ( parameter ( "," parameter )* ","? )? ")" ( "->" type )? ";" ;
 *   parameter  = name "?"? ":" type ;
 *   event      = "event" name "{" ( lead "indexed"? name "?"? ":" type ";" )* "}" ;
 *   error      = "error" name "{" field* "}" ;
 *   struct     = "struct" name "{" field* "}" ;
 *   field      = lead name "?"? ":" type ";" ;
 *   enum       = "enum" name "{" variant ( "," variant )* ","? "}" ;
 *   variant    = lead name ( ":" type )? ;
 *   alias      = "type" name "=" type ";" ;
 *   type       = name ( "?" | "[" integer? "]" )* ;
 *   lead       = ( doc | annotation )* ;
 *   annotation = "@" name ( "(" literal ( "," literal )* ")" )? ;
 *   literal    = name | integer | string ;
 */

import { nearestName } from '../nearest-name.js';
import type {
  AnnotationNode,
  Attributes,
  FieldNode,
  FileNode,
  ItemNode,
  LiteralNode,
  MethodNode,
  RecordNode,
  TypeNode,
  VariantNode,
} from './ast.js';
import type { DiagnosticSink, IdlSource } from './diagnostics.js';
import { IDL_LIMITS } from './idl-limits.js';
import type { Token } from './lexer.js';
import { ITEM_KEYWORDS, skipToItem, skipToMember } from './parse-recovery.js';
import { ParseError, TokenCursor } from './token-cursor.js';

/** Parses one source. Reports mistakes and returns everything that could be parsed. */
export function parse(source: IdlSource, sink: DiagnosticSink): FileNode {
  return new Parser(source, sink).file();
}

class Parser {
  readonly #sink: DiagnosticSink;
  readonly #cursor: TokenCursor;

  constructor(source: IdlSource, sink: DiagnosticSink) {
    this.#sink = sink;
    this.#cursor = new TokenCursor(source, sink);
  }

  file(): FileNode {
    const items: ItemNode[] = [];
    let complete = true;
    while (this.#cursor.token.kind !== 'end' && !this.#sink.full) {
      const before = this.#cursor.at;
      try {
        items.push(this.#item());
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        complete = false;
        if (this.#cursor.at === before) this.#cursor.at++;
        skipToItem(this.#cursor);
      }
    }
    return { items, complete };
  }

  #item(): ItemNode {
    const lead = this.#lead();
    const keyword = this.#cursor.token;
    if (keyword.kind !== 'word' || !ITEM_KEYWORDS.has(keyword.text)) {
      throw this.#cursor.fail(
        'interface, contract, struct, enum or type',
        nearestName(keyword.text, ITEM_KEYWORDS),
      );
    }
    this.#cursor.at++;
    const name = this.#cursor.name(`the name of the ${keyword.text}`);
    const head = { ...lead, name };
    switch (keyword.text) {
      case 'interface':
        return {
          ...head,
          kind: 'interface',
          members: this.#members('method', () => this.#interfaceMethod()),
        };
      case 'contract':
        return { ...head, kind: 'contract', members: this.#members('member', () => this.#contractMember()) };
      case 'struct':
        return { ...head, kind: 'struct', fields: this.#members('field', () => this.#field(false)) };
      case 'enum': {
        const mistakes = this.#sink.count;
        const variants = this.#members('variant', () => this.#variant());
        if (variants.length === 0 && this.#sink.count === mistakes) {
          this.#sink.report(name.span, `the enum ${name.text} has no variants`);
        }
        return { ...head, kind: 'enum', variants };
      }
      default: {
        this.#cursor.expect('=');
        const type = this.#type();
        this.#cursor.expect(';');
        return { ...head, kind: 'alias', type };
      }
    }
  }

  /** Parses a braced list of members. Skips an invalid member, but not the ones after it. */
  #members<T>(what: string, member: () => T): T[] {
    this.#cursor.expect('{');
    const members: T[] = [];
    while (!this.#cursor.isPunctuation('}')) {
      if (this.#cursor.token.kind === 'end') throw this.#cursor.fail(`a ${what} or }`);
      const before = this.#cursor.at;
      try {
        members.push(member());
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        if (this.#sink.full) throw error;
        if (!skipToMember(this.#cursor, before)) throw error;
      }
    }
    this.#cursor.at++;
    return members;
  }

  #interfaceMethod(): MethodNode {
    const lead = this.#lead();
    if (this.#cursor.token.text !== 'method') throw this.#cursor.fail('method or }');
    this.#cursor.at++;
    return this.#method('method', lead);
  }

  #contractMember(): MethodNode | RecordNode {
    const lead = this.#lead();
    const keyword = this.#cursor.token.text;
    switch (keyword) {
      case 'method':
      case 'view':
        this.#cursor.at++;
        return this.#method(keyword, lead);
      case 'event':
      case 'error': {
        this.#cursor.at++;
        const name = this.#cursor.name(`the name of the ${keyword}`);
        const fields = this.#members('field', () => this.#field(keyword === 'event'));
        return { ...lead, kind: keyword, name, fields };
      }
      default:
        throw this.#cursor.fail('method, view, event, error or }');
    }
  }

  #method(kind: 'method' | 'view', lead: Attributes): MethodNode {
    const name = this.#cursor.name(`the name of the ${kind}`);
    this.#cursor.expect('(');
    const parameters: FieldNode[] = [];
    while (!this.#cursor.isPunctuation(')')) {
      parameters.push(this.#nameAndType({ doc: [], annotations: [] }, false, 'the name of a parameter or )'));
      if (this.#cursor.isPunctuation(')')) break;
      this.#cursor.expect(',', ', or )');
    }
    this.#cursor.at++;
    const returns = this.#cursor.take('->') ? this.#type() : undefined;
    this.#cursor.expect(';', returns === undefined ? '-> or ;' : ';');
    return { ...lead, kind, name, parameters, ...(returns && { returns }) };
  }

  #field(inEvent: boolean): FieldNode {
    const lead = this.#lead();
    const isFlag =
      this.#cursor.token.text === 'indexed' && this.#cursor.peek(this.#cursor.at + 1)?.kind === 'word';
    const indexed = inEvent && isFlag;
    if (indexed) this.#cursor.at++;
    const field = this.#nameAndType(lead, indexed, 'the name of a field or }');
    this.#cursor.expect(';');
    return field;
  }

  #nameAndType(lead: Attributes, indexed: boolean, what: string): FieldNode {
    const name = this.#cursor.name(what);
    const optional = this.#cursor.take('?');
    this.#cursor.expect(':', optional ? ':' : ': or ?:');
    return { ...lead, name, optional, indexed, type: this.#type() };
  }

  #variant(): VariantNode {
    const lead = this.#lead();
    const name = this.#cursor.name('the name of a variant or }');
    const payload = this.#cursor.take(':') ? this.#type() : undefined;
    if (!this.#cursor.isPunctuation('}'))
      this.#cursor.expect(',', payload === undefined ? ': or , or }' : ', or }');
    return { ...lead, name, ...(payload && { payload }) };
  }

  #type(): TypeNode {
    const first = this.#cursor.token;
    const name = this.#cursor.name('a type');
    let type: TypeNode = { kind: 'name', name: name.text, span: name.span };
    for (let nesting = 0; ; nesting++) {
      if (nesting > IDL_LIMITS.typeNesting)
        throw this.#cursor.fail(`at most ${IDL_LIMITS.typeNesting} levels of [] and ? on a type`);
      if (this.#cursor.take('?')) {
        type = { kind: 'option', item: type, span: this.#cursor.spanFrom(first) };
      } else if (this.#cursor.take('[')) {
        let length: number | undefined;
        if (this.#cursor.token.kind === 'integer') {
          length = this.#positive(this.#cursor.token, 'the length of a list');
          this.#cursor.at++;
        }
        this.#cursor.expect(']', length === undefined ? '] or the length of the list' : ']');
        type = {
          kind: 'list',
          item: type,
          span: this.#cursor.spanFrom(first),
          ...(length !== undefined && { length }),
        };
      } else {
        return type;
      }
    }
  }

  /** Parses doc lines and annotations, in any order. */
  #lead(): Attributes {
    const doc: string[] = [];
    const annotations: AnnotationNode[] = [];
    for (;;) {
      const token = this.#cursor.token;
      if (token.kind === 'doc') {
        doc.push(token.text);
        this.#cursor.at++;
      } else if (this.#cursor.take('@')) {
        annotations.push(this.#annotation());
      } else {
        return { doc, annotations };
      }
    }
  }

  #annotation(): AnnotationNode {
    const name = this.#cursor.name('the name of an annotation');
    const literals: LiteralNode[] = [];
    if (!this.#cursor.take('(')) return { name, arguments: literals };
    for (;;) {
      const { kind, text } = this.#cursor.token;
      if (kind !== 'word' && kind !== 'integer' && kind !== 'string') {
        throw this.#cursor.fail('a word, an integer or a string in quotes');
      }
      literals.push({ kind, text, span: this.#cursor.spanFrom(this.#cursor.token) });
      this.#cursor.at++;
      if (this.#cursor.take(')')) return { name, arguments: literals };
      this.#cursor.expect(',', ', or )');
    }
  }

  #positive(token: Token, what: string): number {
    const value = Number(token.text);
    if (value >= 1 && value <= 0xffff_ffff) return value;
    const mistake = `expected ${what} from 1 to 4294967295, got ${token.text}`;
    this.#sink.report(this.#cursor.spanOf(token), mistake);
    return 1;
  }
}
