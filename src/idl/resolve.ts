import { type Annotations, documentation, readAnnotations } from './annotations.js';
import type { FieldNode, FileNode, ItemNode, MethodNode, NameNode, RecordNode, TypeNode } from './ast.js';
import type { DiagnosticSink, IdlSource, Span } from './diagnostics.js';
import type {
  AliasDefinition,
  ContractDefinition,
  ContractFunctionDefinition,
  EnumDefinition,
  ErrorDefinition,
  EventDefinition,
  EventFieldDefinition,
  FieldDefinition,
  InterfaceDefinition,
  Manifest,
  MethodDefinition,
  StructDefinition,
  TypeReference,
  VariantDefinition,
} from './manifest.js';
import { nearestName } from './nearest-name.js';
import { INTEGERS, isPrimitive, isReservedTypeName, snakeCase } from './primitives.js';

export interface ParsedSource {
  readonly source: IdlSource;
  readonly file: FileNode;
}

/** A manifest whose names are all known, with the places in the texts that later checks point at. */
export interface ResolvedUnit {
  readonly manifest: Manifest;
  /** Where each top-level name is declared. */
  readonly declarations: ReadonlyMap<string, Span>;
  /** Where the types of a declaration's members stand, by `Name.member`. */
  readonly memberTypes: ReadonlyMap<string, Span>;
}

/** Turns syntax into definitions. Reports unknown and duplicate names, misplaced annotations, impossible types. */
export function resolve(files: readonly ParsedSource[], sink: DiagnosticSink): ResolvedUnit {
  return new Resolver(files, sink).unit();
}

const MAX_VARIANTS = 256;
/** Contracts may bring their own IDL: what follows must not take longer than the text is worth. */
const MAX_DECLARATIONS = 1000;
const MAX_SHOWN_NAMES = 10;

/** Where nothing could be resolved; what was reported keeps it from being used. */
const EMPTY_UNIT: ResolvedUnit = {
  manifest: { manifest_version: 1, interfaces: [], contracts: [], structs: [], enums: [], aliases: [] },
  declarations: new Map(),
  memberTypes: new Map(),
};

class Resolver {
  readonly #files: readonly ParsedSource[];
  readonly #sink: DiagnosticSink;
  readonly #declarations = new Map<string, Span>();
  readonly #memberTypes = new Map<string, Span>();
  readonly #aliases = new Map<string, TypeNode>();

  constructor(files: readonly ParsedSource[], sink: DiagnosticSink) {
    this.#files = files;
    this.#sink = sink;
  }

  unit(): ResolvedUnit {
    const items = this.#files.flatMap(({ file }) => file.items);
    const tooMany = items[MAX_DECLARATIONS];
    if (tooMany !== undefined) {
      this.#sink.report(
        tooMany.name.span,
        `expected at most ${MAX_DECLARATIONS} declarations, got ${items.length}`,
      );
      return EMPTY_UNIT;
    }
    for (const item of items) this.#declare(item);
    for (const item of items) if (item.kind === 'alias') this.#aliases.set(item.name.text, item.type);
    for (const item of items) if (item.kind === 'alias') this.#checkAliasEnds(item);

    const interfaces: InterfaceDefinition[] = [];
    const contracts: ContractDefinition[] = [];
    const structs: StructDefinition[] = [];
    const enums: EnumDefinition[] = [];
    const aliases: AliasDefinition[] = [];
    for (const item of items) {
      const annotations = readAnnotations(
        item.annotations,
        item.kind === 'alias' ? 'alias' : 'declaration',
        this.#sink,
      );
      const name = item.name.text;
      const head = { name, ...documentation(item, annotations) };
      switch (item.kind) {
        case 'interface':
          this.#checkUnique(item.members, `method of ${name}`);
          interfaces.push({ ...head, methods: item.members.map((member) => this.#method(name, member)) });
          break;
        case 'contract':
          contracts.push({ ...head, ...this.#contract(name, item.members) });
          break;
        case 'struct':
          structs.push({ ...head, fields: this.#fields(name, item.fields) });
          break;
        case 'enum':
          enums.push({ ...head, variants: this.#variants(item) });
          break;
        case 'alias': {
          const type = this.#type(item.type);
          this.#memberTypes.set(name, item.type.span);
          aliases.push({ ...head, type, ...this.#max(annotations, type) });
        }
      }
    }
    return {
      manifest: { manifest_version: 1, interfaces, contracts, structs, enums, aliases },
      declarations: this.#declarations,
      memberTypes: this.#memberTypes,
    };
  }

  #declare(item: ItemNode): void {
    const { text, span } = item.name;
    if (isReservedTypeName(text)) {
      this.#sink.report(span, `${text} is the name of a built-in type; choose another`);
      return;
    }
    this.#checkReserved(item.name);
    const earlier = this.#declarations.get(text);
    if (earlier) this.#sink.report(span, `${text} is declared twice; first in ${place(earlier)}`);
    else this.#declarations.set(text, span);
  }

  #checkAliasEnds(item: ItemNode & { kind: 'alias' }): void {
    const trail = new Set([item.name.text]);
    for (let type: TypeNode = item.type; ; ) {
      if (type.kind !== 'name') {
        type = type.item;
        continue;
      }
      const next = this.#aliases.get(type.name);
      if (next === undefined) return;
      if (trail.has(type.name)) {
        const circle = [...trail, type.name].slice(-MAX_SHOWN_NAMES).join(' → ');
        this.#sink.report(item.name.span, `the alias leads back to itself: ${circle}`);
        return;
      }
      trail.add(type.name);
      type = next;
    }
  }

  #method(owner: string, node: MethodNode): MethodDefinition {
    const annotations = readAnnotations(node.annotations, 'method of an interface', this.#sink);
    return {
      name: node.name.text,
      ...documentation(node, annotations),
      params: this.#fields(`${owner}.${node.name.text}`, node.parameters, 'parameter'),
      ...this.#returns(owner, node),
      tier: annotations.tier ?? 'public',
      cost: annotations.cost ?? 1,
    };
  }

  #contract(owner: string, members: readonly (MethodNode | RecordNode)[]): Omit<ContractDefinition, 'name'> {
    const functions: ContractFunctionDefinition[] = [];
    const events: EventDefinition[] = [];
    const errors: ErrorDefinition[] = [];
    const isFunction = (m: MethodNode | RecordNode): m is MethodNode =>
      m.kind === 'method' || m.kind === 'view';
    this.#checkUnique(members.filter(isFunction), `method or view of ${owner}`);
    this.#checkUnique(
      members.filter((m) => m.kind === 'event'),
      `event of ${owner}`,
    );
    this.#checkUnique(
      members.filter((m) => m.kind === 'error'),
      `error of ${owner}`,
    );
    for (const member of members) {
      const annotations = readAnnotations(
        member.annotations,
        member.kind === 'method' ? 'method of a contract' : 'declaration',
        this.#sink,
      );
      const head = { name: member.name.text, ...documentation(member, annotations) };
      const path = `${owner}.${head.name}`;
      if (isFunction(member)) {
        const params = this.#fields(path, member.parameters, 'parameter');
        functions.push({
          ...head,
          kind: member.kind,
          ...(annotations.payable && { payable: annotations.payable }),
          params,
          ...this.#returns(owner, member),
        });
      } else if (member.kind === 'event') {
        const indexed = member.fields.map((field) => field.indexed);
        const fields = this.#fields(path, member.fields).map(
          (field, i): EventFieldDefinition => (indexed[i] ? { ...field, indexed: true } : field),
        );
        events.push({ ...head, fields });
      } else {
        errors.push({ ...head, fields: this.#fields(path, member.fields) });
      }
    }
    return { functions, events, errors };
  }

  #returns(owner: string, node: MethodNode): { returns?: TypeReference } {
    if (node.returns === undefined) return {};
    this.#memberTypes.set(`${owner}.${node.name.text} result`, node.returns.span);
    return { returns: this.#type(node.returns) };
  }

  #fields(owner: string, nodes: readonly FieldNode[], what = 'field'): FieldDefinition[] {
    this.#checkUnique(nodes, `${what} of ${owner}`);
    return nodes.map((node) => {
      this.#checkReserved(node.name);
      this.#memberTypes.set(`${owner}.${node.name.text}`, node.type.span);
      const annotations = readAnnotations(node.annotations, 'field', this.#sink);
      const whole = this.#type(node.type);
      const isOption = typeof whole !== 'string' && 'option' in whole;
      if (node.optional && this.#isOption(node.type)) {
        this.#sink.report(
          node.type.span,
          `the ${what} is optional already; leave out one of the question marks`,
        );
      }
      const type = isOption ? whole.option : whole;
      return {
        name: node.name.text,
        ...documentation(node, annotations),
        type,
        ...((node.optional || isOption) && { optional: true as const }),
        ...this.#max(annotations, type),
      };
    });
  }

  #variants(item: ItemNode & { kind: 'enum' }): VariantDefinition[] {
    const { name, variants } = item;
    if (variants.length === 0)
      this.#sink.report(name.span, `the enum ${name.text} has no variants and so no values`);
    if (variants.length > MAX_VARIANTS) {
      this.#sink.report(name.span, `expected at most ${MAX_VARIANTS} variants, got ${variants.length}`);
    }
    this.#checkUnique(variants, `variant of ${name.text}`);
    const tags = new Map<string, string>();
    return variants.map((node) => {
      const annotations = readAnnotations(node.annotations, 'declaration', this.#sink);
      const tag = snakeCase(node.name.text);
      const other = tags.get(tag);
      if (other !== undefined && other !== node.name.text) {
        this.#sink.report(node.name.span, `${node.name.text} and ${other} are both written ${tag} in JSON`);
      }
      tags.set(tag, node.name.text);
      const head = { name: node.name.text, tag, ...documentation(node, annotations) };
      if (node.payload === undefined) return head;
      this.#memberTypes.set(`${name.text}.${node.name.text}`, node.payload.span);
      return { ...head, payload: this.#type(node.payload) };
    });
  }

  #type(node: TypeNode): TypeReference {
    if (node.kind === 'list') {
      const list = this.#type(node.item);
      return node.length === undefined ? { list } : { list, length: node.length };
    }
    if (node.kind === 'option') {
      if (this.#isOption(node.item)) {
        this.#sink.report(
          node.span,
          'an option of an option cannot be told apart in JSON; wrap one in a struct',
        );
      }
      return { option: this.#type(node.item) };
    }
    const { name, span } = node;
    if (isPrimitive(name) || this.#aliases.has(name)) return name;
    const declared = this.#declarations.get(name);
    if (declared === undefined) this.#unknownType(name, span);
    else if (this.#isInterface(name)) {
      this.#sink.report(span, `expected a type, but ${name} is an interface or contract`);
    }
    return name;
  }

  #unknownType(name: string, span: Span): void {
    // Looking for the nearest name takes long, and nobody would see it.
    if (this.#sink.full) return;
    if (/^bytes[0-9]+$/.test(name)) {
      this.#sink.report(span, `expected bytes1 to bytes65535, got ${name}`);
      return;
    }
    const known = [
      ...this.#declarations.keys(),
      ...INTEGERS.keys(),
      'bool',
      'string',
      'bytes',
      'address',
      'hash',
      'json',
    ];
    const near = nearestName(name, known);
    this.#sink.report(span, `unknown type ${name}${near === undefined ? '' : `; did you mean ${near}?`}`);
  }

  #isInterface(name: string): boolean {
    return this.#files.some(({ file }) =>
      file.items.some(
        (item) => item.name.text === name && (item.kind === 'interface' || item.kind === 'contract'),
      ),
    );
  }

  /** Whether a type is an option, possibly by way of aliases. */
  #isOption(node: TypeNode): boolean {
    const seen = new Set<string>();
    let type = node;
    while (type.kind === 'name' && !seen.has(type.name)) {
      const alias = this.#aliases.get(type.name);
      if (alias === undefined) return false;
      seen.add(type.name);
      type = alias;
    }
    return type.kind === 'option';
  }

  #max(annotations: Annotations, type: TypeReference): { max?: number } {
    const { max, maxNode } = annotations;
    if (max === undefined || maxNode === undefined) return {};
    let bare: TypeReference | undefined = type;
    for (let steps = 0; typeof bare === 'string' && steps <= this.#aliases.size; steps++) {
      const alias: TypeNode | undefined = this.#aliases.get(bare);
      if (alias === undefined) break;
      bare =
        alias.kind === 'name'
          ? alias.name
          : alias.kind === 'list' && alias.length === undefined
            ? { list: '' }
            : undefined;
    }
    const fits =
      bare === 'string' ||
      bare === 'bytes' ||
      (typeof bare === 'object' && 'list' in bare && bare.length === undefined);
    if (!fits)
      this.#sink.report(maxNode.name.span, '@max belongs on a string, bytes or a list of varying length');
    return { max };
  }

  #checkUnique(nodes: readonly { readonly name: NameNode }[], what: string): void {
    const seen = new Map<string, Span>();
    for (const { name } of nodes) {
      const earlier = seen.get(name.text);
      if (earlier)
        this.#sink.report(name.span, `${name.text} is already a ${what}, declared in ${place(earlier)}`);
      else seen.set(name.text, name.span);
    }
  }

  /** Names that every JavaScript object has already would be read where they were never sent. */
  #checkReserved(name: NameNode): void {
    if (name.text in Object.prototype) {
      this.#sink.report(
        name.span,
        `${name.text} is reserved, because every JavaScript object has it; choose another name`,
      );
    }
  }
}

/** `file:line` of a span. */
function place(span: Span): string {
  const line = span.source.text.slice(0, span.start).split('\n').length;
  return `${span.source.name}:${line}`;
}
