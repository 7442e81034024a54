import { nodesOnCycles } from './graph-cycles.js';
import type {
  AliasDefinition,
  EnumDefinition,
  FieldDefinition,
  Manifest,
  StructDefinition,
  TypeReference,
} from './manifest.js';
import { fixedBytesLength, INTEGERS, isPrimitive } from './primitives.js';

/** A type with its aliases expanded. */
export type ExpandedType =
  | { readonly kind: 'primitive'; readonly name: string; readonly max?: number }
  | { readonly kind: 'struct'; readonly definition: StructDefinition }
  | { readonly kind: 'enum'; readonly definition: EnumDefinition }
  | { readonly kind: 'list'; readonly item: TypeReference; readonly length?: number; readonly max?: number }
  | { readonly kind: 'option'; readonly item: TypeReference };

/** Depth limit of a lower bound, which only recursive types reach; a type below it counts as little as possible. */
const MAX_LEVELS = 200;

/** The types of a manifest, which must be complete: all names known and no cyclic aliases. */
export class TypeTable {
  readonly #structs = new Map<string, StructDefinition>();
  readonly #enums = new Map<string, EnumDefinition>();
  readonly #aliases = new Map<string, AliasDefinition>();
  readonly #expanded = new Map<string, ExpandedType>();
  readonly #parts = new Map<StructDefinition | EnumDefinition, readonly TypeReference[]>();
  readonly #minSizes = new Map<string, number>();
  readonly #minValues = new Map<string, number>();
  readonly #exactSizes = new Map<string, number | undefined>();
  #recursive?: ReadonlySet<string>;
  #jsonHolders?: ReadonlySet<string>;

  constructor(manifest: Manifest) {
    for (const definition of manifest.structs) this.#structs.set(definition.name, definition);
    for (const definition of manifest.enums) this.#enums.set(definition.name, definition);
    for (const definition of manifest.aliases) this.#aliases.set(definition.name, definition);
  }

  declares(name: string): boolean {
    return this.#structs.has(name) || this.#enums.has(name);
  }

  aliases(): Iterable<AliasDefinition> {
    return this.#aliases.values();
  }

  /**
   * Expands aliases.
   * @param max limit where the type is used; the smaller of this and the alias's limit applies
   * @throws Error for a name that the manifest does not declare
   */
  expand(type: TypeReference, max?: number): ExpandedType {
    return limited(typeof type === 'string' ? this.#expandName(type) : expandedForm(type), max);
  }

  #expandName(name: string): ExpandedType {
    let expanded = this.#expanded.get(name);
    if (expanded === undefined) {
      expanded = this.#expansionOf(name);
      this.#expanded.set(name, expanded);
    }
    return expanded;
  }

  #expansionOf(name: string): ExpandedType {
    const struct = this.#structs.get(name);
    if (struct) return { kind: 'struct', definition: struct };
    const enumeration = this.#enums.get(name);
    if (enumeration) return { kind: 'enum', definition: enumeration };
    const alias = this.#aliases.get(name);
    if (alias) return this.expand(alias.type, alias.max);
    if (!isPrimitive(name)) throw new Error(`the manifest declares no type ${name}`);
    return { kind: 'primitive', name };
  }

  /** The types that a struct's or enum's encoding directly contains. */
  parts(definition: StructDefinition | EnumDefinition): readonly TypeReference[] {
    let parts = this.#parts.get(definition);
    if (parts === undefined) {
      parts =
        'fields' in definition
          ? definition.fields.map((field) => (field.optional ? { option: field.type } : field.type))
          : definition.variants.flatMap(({ payload }) => (payload === undefined ? [] : [payload]));
      this.#parts.set(definition, parts);
    }
    return parts;
  }

  /** All structs and enums among the types or reachable from them. */
  reachable(types: Iterable<TypeReference>): ReadonlySet<StructDefinition | EnumDefinition> {
    const seen = new Set<StructDefinition | EnumDefinition>();
    const todo = [...types];
    for (let type = todo.pop(); type !== undefined; type = todo.pop()) {
      const expanded = this.expand(type);
      if (expanded.kind === 'list' || expanded.kind === 'option') todo.push(expanded.item);
      else if (expanded.kind !== 'primitive' && !seen.has(expanded.definition)) {
        seen.add(expanded.definition);
        todo.push(...this.parts(expanded.definition));
      }
    }
    return seen;
  }

  /** Whether a value of the type may contain another value of it. */
  isRecursive(definition: StructDefinition | EnumDefinition): boolean {
    this.#recursive ??= nodesOnCycles(
      new Map([...this.#structs, ...this.#enums].map(([name, each]) => [name, this.#neighbours(each)])),
    );
    return this.#recursive.has(definition.name);
  }

  /** Names of the structs and enums that a definition contains, directly or in lists and options. */
  #neighbours(definition: StructDefinition | EnumDefinition): readonly string[] {
    return this.parts(definition).flatMap((part) => {
      const inner = this.#innermost(part);
      return inner.kind === 'primitive' ? [] : [inner.definition.name];
    });
  }

  /** The type inside all lists and options. */
  #innermost(type: TypeReference): ExpandedType & { readonly kind: 'primitive' | 'struct' | 'enum' } {
    let expanded = this.expand(type);
    while (expanded.kind === 'list' || expanded.kind === 'option') expanded = this.expand(expanded.item);
    return expanded;
  }

  /** Whether the type contains `json`, and so has no binary form. */
  holdsJson(type: TypeReference): boolean {
    this.#jsonHolders ??= this.#findJsonHolders();
    const inner = this.#innermost(type);
    return inner.kind === 'primitive' ? inner.name === 'json' : this.#jsonHolders.has(inner.definition.name);
  }

  /** Names of the structs and enums that contain `json`. */
  #findJsonHolders(): ReadonlySet<string> {
    const users = new Map<string, string[]>();
    const holders = new Set<string>();
    for (const definition of [...this.#structs.values(), ...this.#enums.values()]) {
      const { name } = definition;
      for (const part of this.parts(definition)) {
        const inner = this.#innermost(part);
        if (inner.kind !== 'primitive') append(users, inner.definition.name, name);
        else if (inner.name === 'json') holders.add(name);
      }
    }
    // A loop over a set also visits what is added meanwhile.
    for (const holder of holders) for (const user of users.get(holder) ?? []) holders.add(user);
    return holders;
  }

  /** Lower bound of the type's Borsh size in bytes; 0 only if the encoding can be empty. */
  minSize(type: TypeReference, level = 0): number {
    if (level > MAX_LEVELS) return 1;
    const expanded = this.expand(type);
    switch (expanded.kind) {
      case 'option':
        return 1;
      case 'list':
        return expanded.length === undefined
          ? 4
          : bounded(expanded.length * this.minSize(expanded.item, level + 1));
      case 'primitive':
        return primitiveSize(expanded.name) ?? 4;
      default:
        return lowerBound(this.#minSizes, expanded.definition, (definition) =>
          'fields' in definition
            ? this.#total(definition, (part) => this.minSize(part, level + 1))
            : 1 + least(definition, (payload) => this.minSize(payload, level + 1)),
        );
    }
  }

  /** Lower bound of the number of structs, enums, lists and options in a value, itself included. */
  minValues(type: TypeReference, level = 0): number {
    if (level > MAX_LEVELS) return 0;
    const expanded = this.expand(type);
    switch (expanded.kind) {
      case 'primitive':
        return 0;
      case 'option':
        return 1;
      case 'list':
        return expanded.length === undefined
          ? 1
          : bounded(1 + expanded.length * this.minValues(expanded.item, level + 1));
      default:
        return lowerBound(this.#minValues, expanded.definition, (definition) =>
          'fields' in definition
            ? bounded(1 + this.#total(definition, (part) => this.minValues(part, level + 1)))
            : 1 + least(definition, (payload) => this.minValues(payload, level + 1)),
        );
    }
  }

  #total(definition: StructDefinition, sizeOf: (part: TypeReference) => number): number {
    return this.parts(definition).reduce<number>((sum, part) => bounded(sum + sizeOf(part)), 0);
  }

  /** Borsh size in bytes of every value of the type, or undefined if it depends on the value. */
  exactSize(type: TypeReference): number | undefined {
    const expanded = this.expand(type);
    switch (expanded.kind) {
      case 'option':
        return undefined;
      case 'list': {
        if (expanded.length === undefined) return undefined;
        const item = this.exactSize(expanded.item);
        return item === undefined ? undefined : bounded(item * expanded.length);
      }
      case 'primitive':
        return primitiveSize(expanded.name);
      default: {
        const { definition } = expanded;
        if (this.isRecursive(definition)) return undefined;
        // Cached by definition: the number of paths to a definition can be exponential.
        if (this.#exactSizes.has(definition.name)) return this.#exactSizes.get(definition.name);
        const size = this.#exactSizeOf(definition);
        this.#exactSizes.set(definition.name, size);
        return size;
      }
    }
  }

  #exactSizeOf(definition: StructDefinition | EnumDefinition): number | undefined {
    if ('fields' in definition) {
      let sum = 0;
      for (const part of this.parts(definition)) {
        const size = this.exactSize(part);
        if (size === undefined) return undefined;
        sum = bounded(sum + size);
      }
      return sum;
    }
    const sizes = new Set(
      definition.variants.map((v) => (v.payload === undefined ? 0 : this.exactSize(v.payload))),
    );
    const [only] = sizes;
    return sizes.size === 1 && only !== undefined ? 1 + only : undefined;
  }

  /** The struct that a method takes as its whole `params`, if it has exactly one required parameter. */
  soleStruct(params: readonly FieldDefinition[]): StructDefinition | undefined {
    const [only] = params;
    if (params.length !== 1 || only === undefined || only.optional) return undefined;
    const expanded = this.expand(only.type);
    return expanded.kind === 'struct' ? expanded.definition : undefined;
  }
}

/** A type that is not a name. */
function expandedForm(type: Exclude<TypeReference, string>): ExpandedType {
  if ('option' in type) return { kind: 'option', item: type.option };
  return { kind: 'list', item: type.list, ...(type.length !== undefined && { length: type.length }) };
}

/** The type with the smaller of a limit and the limit that it has. */
function limited(type: ExpandedType, max: number | undefined): ExpandedType {
  if (max === undefined || (type.kind !== 'primitive' && type.kind !== 'list')) return type;
  return { ...type, max: Math.min(max, type.max ?? max) };
}

/** Adds an item to the list of a name. */
export function append(lists: Map<string, string[]>, name: string, item: string): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}

/** A definition's bound, computed once; a recursive occurrence adds nothing to it. */
function lowerBound(
  known: Map<string, number>,
  definition: StructDefinition | EnumDefinition,
  compute: (definition: StructDefinition | EnumDefinition) => number,
): number {
  const { name } = definition;
  const bound = known.get(name);
  if (bound !== undefined) return bound;
  known.set(name, 0);
  const computed = compute(definition);
  known.set(name, computed);
  return computed;
}

/** The least size of a variant's payload. */
function least({ variants }: EnumDefinition, sizeOf: (payload: TypeReference) => number): number {
  return Math.min(...variants.map(({ payload }) => (payload === undefined ? 0 : sizeOf(payload))));
}

/** Caps sums of sizes, so that they stay exact; no input can reach the cap. */
function bounded(size: number): number {
  return Math.min(size, Number.MAX_SAFE_INTEGER);
}

/** Borsh size of a primitive in bytes; undefined if it varies. */
function primitiveSize(name: string): number | undefined {
  if (name === 'bool') return 1;
  const integer = INTEGERS.get(name);
  return integer ? integer.bits / 8 : fixedBytesLength(name);
}
