import type { TypeReference } from '../manifest.js';
import { nearestName } from '../nearest-name.js';
import { INTEGERS, isPrimitive, isReservedTypeName } from '../primitives.js';
import type { Annotations } from './annotations.js';
import type { ItemNode, TypeNode } from './ast.js';
import { checkReserved } from './check-names.js';
import { type DiagnosticSink, place, type Span } from './diagnostics.js';

const MAX_SHOWN_NAMES = 10;

/**
 * The names that types of a unit may refer to. Reports duplicate names, unknown names, and names that are not types.
 */
export class DeclaredTypes {
  readonly #sink: DiagnosticSink;
  readonly #items: readonly ItemNode[];
  readonly #declarations = new Map<string, Span>();
  readonly #aliases = new Map<string, TypeNode>();

  constructor(items: readonly ItemNode[], sink: DiagnosticSink) {
    this.#items = items;
    this.#sink = sink;
    for (const item of items) this.#declare(item);
    for (const item of items) if (item.kind === 'alias') this.#aliases.set(item.name.text, item.type);
    for (const item of items) if (item.kind === 'alias') this.#checkAliasEnds(item);
  }

  /** Location of each top-level name. */
  get declarations(): ReadonlyMap<string, Span> {
    return this.#declarations;
  }

  #declare(item: ItemNode): void {
    const { text, span } = item.name;
    if (isReservedTypeName(text)) {
      this.#sink.report(span, `${text} is the name of a built-in type; choose another`);
      return;
    }
    checkReserved(item.name, this.#sink);
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
        const cycle = [...trail, type.name].slice(-MAX_SHOWN_NAMES).join(' → ');
        this.#sink.report(item.name.span, `the alias leads back to itself: ${cycle}`);
        return;
      }
      trail.add(type.name);
      type = next;
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
        this.#sink.report(
          node.span,
          'an option of an option cannot be told apart in JSON; wrap one in a struct',
        );
      }
      return { option: this.type(node.item) };
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

  /** Whether a type is an option, directly or through aliases. */
  isOption(node: TypeNode): boolean {
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

  /** The `@max` of a value of `type`; reports types that have a fixed length. */
  max(annotations: Annotations, type: TypeReference): { max?: number } {
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

  #unknownType(name: string, span: Span): void {
    // Finding the nearest name is slow, and the report would be dropped.
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
    return this.#items.some(
      (item) => item.name.text === name && (item.kind === 'interface' || item.kind === 'contract'),
    );
  }
}
