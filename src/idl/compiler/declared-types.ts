import type { TypeReference } from '../manifest.js';
import { nearestName } from '../nearest-name.js';
import { isPrimitive, isReservedTypeName, PRIMITIVES } from '../primitives.js';
import type { Annotations } from './annotations.js';
import type { ItemNode, TypeNode } from './ast.js';
import { checkReserved } from './check-names.js';
import { type DiagnosticSink, place, type Span } from './diagnostics.js';
import { IDL_LIMITS } from './idl-limits.js';

const MAX_SHOWN_NAMES = 10;

/** The names that types of a unit may refer to. Reports duplicate and unknown names, and names that are not types. */
export class DeclaredTypes {
  readonly #sink: DiagnosticSink;
  /** Location of each top-level name. */
  readonly declarations = new Map<string, Span>();
  readonly #aliases = new Map<string, TypeNode>();
  /** Names of interfaces and contracts. */
  readonly #interfaces = new Set<string>();
  /** What the chain of aliases that begins with a name ends at, so that no chain is followed twice. */
  readonly #chainEnds = new Map<string, TypeNode>();

  constructor(items: readonly ItemNode[], sink: DiagnosticSink) {
    this.#sink = sink;
    for (const item of items) this.#declare(item);
    for (const item of items) {
      if (item.kind === 'alias') this.#aliases.set(item.name.text, item.type);
      if (item.kind === 'interface' || item.kind === 'contract') this.#interfaces.add(item.name.text);
    }
    this.#checkAliases(items);
  }

  #declare(item: ItemNode): void {
    const { text, span } = item.name;
    if (isReservedTypeName(text)) {
      this.#sink.report(span, `${text} is the name of a built-in type; choose another`);
      return;
    }
    if (text.length > IDL_LIMITS.nameLength) {
      this.#sink.report(
        span,
        `expected a name of at most ${IDL_LIMITS.nameLength} characters, got ${text.length}`,
      );
    }
    checkReserved(item.name, this.#sink);
    const earlier = this.declarations.get(text);
    if (earlier === undefined) this.declarations.set(text, span);
    else this.#sink.report(span, () => `${text} is declared twice; first in ${place(earlier)}`);
  }

  /** Reports aliases that lead back to themselves, also as items of lists and options, and aliases nested too deeply. */
  #checkAliases(items: readonly ItemNode[]): void {
    /** Levels of lists and options in each alias that ends. */
    const depths = new Map<string, number>();
    for (const item of items) {
      if (item.kind !== 'alias') continue;
      const trail = new Set<string>();
      let name = item.name.text;
      for (let type = this.#aliases.get(name); type !== undefined; type = this.#aliases.get(name)) {
        if (depths.has(name) || trail.has(name)) break;
        trail.add(name);
        name = innermost(type).name;
      }
      if (trail.has(name)) {
        if (this.#sink.full) return;
        const cycle = [...trail, name].slice(-MAX_SHOWN_NAMES).join(' → ');
        this.#sink.report(item.name.span, `the alias leads back to itself: ${cycle}`);
        continue;
      }
      let depth = depths.get(name) ?? 0;
      for (const passed of [...trail].reverse()) {
        depth += innermost(this.#aliases.get(passed)).depth;
        depths.set(passed, depth);
      }
      if (depth <= IDL_LIMITS.aliasNesting) continue;
      this.#sink.report(
        item.name.span,
        `${item.name.text} nests lists and options more than ${IDL_LIMITS.aliasNesting} levels deep`,
      );
      return;
    }
  }

  /** Converts a type; reports unknown names in it. */
  type(node: TypeNode): TypeReference {
    if (node.kind === 'list') {
      const list = this.type(node.item);
      return node.length === undefined ? { list } : { list, length: node.length };
    }
    if (node.kind === 'option') {
      if (this.isOption(node.item)) {
        const mistake = 'an option of an option cannot be told apart in JSON; wrap one in a struct';
        this.#sink.report(node.span, mistake);
      }
      return { option: this.type(node.item) };
    }
    const { name, span } = node;
    if (isPrimitive(name) || this.#aliases.has(name)) return name;
    const declared = this.declarations.get(name);
    if (declared === undefined) this.#sink.report(span, () => this.#unknownType(name));
    else if (this.#interfaces.has(name)) {
      this.#sink.report(span, `expected a type, but ${name} is an interface or contract`);
    }
    return name;
  }

  /** Whether a type is an option, directly or through aliases. */
  isOption(node: TypeNode): boolean {
    return this.#withoutAliases(node).kind === 'option';
  }

  /** The `@max` of a value of `type`; reports types that have a fixed length. */
  max(annotations: Annotations, type: TypeNode): { max?: number } {
    const { max, maxNode } = annotations;
    if (max === undefined || maxNode === undefined) return {};
    const bare = this.#withoutAliases(type);
    const fits =
      bare.kind === 'name'
        ? bare.name === 'string' || bare.name === 'bytes'
        : bare.kind === 'list' && bare.length === undefined;
    if (!fits)
      this.#sink.report(maxNode.name.span, '@max belongs on a string, bytes or a list of varying length');
    return { max };
  }

  /** Follows aliases to a type that is none; for a cycle of aliases, to one of them. */
  #withoutAliases(node: TypeNode): TypeNode {
    const passed: string[] = [];
    let type = node;
    while (type.kind === 'name') {
      const known = this.#chainEnds.get(type.name);
      const next = known ?? this.#aliases.get(type.name);
      if (next === undefined) break;
      this.#chainEnds.set(type.name, type);
      passed.push(type.name);
      type = next;
      if (known !== undefined) break;
    }
    for (const name of passed) this.#chainEnds.set(name, type);
    return type;
  }

  /** The message for an unknown name. */
  #unknownType(name: string): string {
    if (/^bytes[0-9]+$/.test(name)) return `expected bytes1 to bytes65535, got ${name}`;
    const near = nearestName(name, [...this.declarations.keys(), ...PRIMITIVES]);
    return `unknown type ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
  }
}

/** The name inside all lists and options, and the number of these. */
function innermost(node: TypeNode | undefined): { readonly name: string; readonly depth: number } {
  let depth = 0;
  let type = node;
  while (type !== undefined && type.kind !== 'name') {
    type = type.item;
    depth++;
  }
  return { name: type?.name ?? '', depth };
}
