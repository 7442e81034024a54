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
} from '../manifest.js';
import { snakeCase } from '../primitives.js';
import { documentation, readAnnotations } from './annotations.js';
import type { FieldNode, FileNode, ItemNode, MethodNode, RecordNode } from './ast.js';
import { checkReserved, checkUnique } from './check-names.js';
import { DeclaredTypes } from './declared-types.js';
import type { DiagnosticSink, Span } from './diagnostics.js';
import { IDL_LIMITS } from './idl-limits.js';

/** A manifest with resolved names, and source locations for later checks. */
export interface ResolvedUnit {
  readonly manifest: Manifest;
  /** Location of each top-level name. */
  readonly declarations: ReadonlyMap<string, Span>;
  /** Location of each member's type, by `Name.member`. */
  readonly memberTypes: ReadonlyMap<string, Span>;
}

/** Converts syntax to definitions. Reports unknown and duplicate names, misplaced annotations and impossible types. */
export function resolve(files: readonly FileNode[], sink: DiagnosticSink): ResolvedUnit {
  const items = files.flatMap(({ items }) => items);
  const tooMany = items[IDL_LIMITS.declarations];
  if (tooMany !== undefined) {
    sink.report(
      tooMany.name.span,
      `expected at most ${IDL_LIMITS.declarations} declarations, got ${items.length}`,
    );
    return EMPTY_UNIT;
  }
  return new Resolver(items, sink).unit();
}

/** Returned if nothing could be resolved; the reported mistakes prevent its use. */
const EMPTY_UNIT: ResolvedUnit = {
  manifest: { manifest_version: 1, interfaces: [], contracts: [], structs: [], enums: [], aliases: [] },
  declarations: new Map(),
  memberTypes: new Map(),
};

class Resolver {
  readonly #items: readonly ItemNode[];
  readonly #sink: DiagnosticSink;
  readonly #types: DeclaredTypes;
  readonly #memberTypes = new Map<string, Span>();

  constructor(items: readonly ItemNode[], sink: DiagnosticSink) {
    this.#items = items;
    this.#sink = sink;
    this.#types = new DeclaredTypes(items, sink);
  }

  unit(): ResolvedUnit {
    const interfaces: InterfaceDefinition[] = [];
    const contracts: ContractDefinition[] = [];
    const structs: StructDefinition[] = [];
    const enums: EnumDefinition[] = [];
    const aliases: AliasDefinition[] = [];
    for (const item of this.#items) {
      const annotations = readAnnotations(
        item.annotations,
        item.kind === 'alias' ? 'alias' : 'declaration',
        this.#sink,
      );
      const name = item.name.text;
      const head = { name, ...documentation(item, annotations) };
      switch (item.kind) {
        case 'interface':
          checkUnique(item.members, `method of ${name}`, this.#sink);
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
          const type = this.#types.type(item.type);
          this.#memberTypes.set(name, item.type.span);
          aliases.push({ ...head, type, ...this.#types.max(annotations, item.type) });
        }
      }
    }
    return {
      manifest: { manifest_version: 1, interfaces, contracts, structs, enums, aliases },
      declarations: this.#types.declarations,
      memberTypes: this.#memberTypes,
    };
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
      ...(annotations.once && { once: true }),
      ...(annotations.immutable && { immutable: true }),
    };
  }

  #contract(owner: string, members: readonly (MethodNode | RecordNode)[]): Omit<ContractDefinition, 'name'> {
    const functions: ContractFunctionDefinition[] = [];
    const events: EventDefinition[] = [];
    const errors: ErrorDefinition[] = [];
    const isFunction = (m: MethodNode | RecordNode): m is MethodNode =>
      m.kind === 'method' || m.kind === 'view';
    checkUnique(members.filter(isFunction), `method or view of ${owner}`, this.#sink);
    for (const kind of ['event', 'error']) {
      const named = members.filter((m) => m.kind === kind);
      checkUnique(named, `${kind} of ${owner}`, this.#sink);
    }
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
    return { returns: this.#types.type(node.returns) };
  }

  #fields(owner: string, nodes: readonly FieldNode[], what = 'field'): FieldDefinition[] {
    checkUnique(nodes, `${what} of ${owner}`, this.#sink);
    return nodes.map((node) => {
      checkReserved(node.name, this.#sink);
      this.#memberTypes.set(`${owner}.${node.name.text}`, node.type.span);
      const annotations = readAnnotations(node.annotations, 'field', this.#sink);
      const whole = this.#types.type(node.type);
      const isOption = typeof whole !== 'string' && 'option' in whole;
      if (node.optional && this.#types.isOption(node.type)) {
        const mistake = `the ${what} is optional already; leave out one of the question marks`;
        this.#sink.report(node.type.span, mistake);
      }
      const type = isOption ? whole.option : whole;
      return {
        name: node.name.text,
        ...documentation(node, annotations),
        type,
        ...((node.optional || isOption) && { optional: true as const }),
        ...this.#types.max(annotations, node.type.kind === 'option' ? node.type.item : node.type),
      };
    });
  }

  #variants(item: ItemNode & { kind: 'enum' }): VariantDefinition[] {
    const { name, variants } = item;
    if (variants.length > IDL_LIMITS.variants) {
      this.#sink.report(
        name.span,
        `expected at most ${IDL_LIMITS.variants} variants, got ${variants.length}`,
      );
    }
    checkUnique(variants, `variant of ${name.text}`, this.#sink);
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
      return { ...head, payload: this.#types.type(node.payload) };
    });
  }
}
