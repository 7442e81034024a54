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

/**
 * Answers questions about the types of a manifest. The manifest must be complete: all names known and no cyclic
 * aliases.
 */
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

  constructor(manifest: Pick<Manifest, 'structs' | 'enums' | 'aliases'>) {
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
    if (typeof type !== 'string') {
      if ('option' in type) return { kind: 'option', item: type.option };
      return {
        kind: 'list',
        item: type.list,
        ...(type.length !== undefined && { length: type.length }),
        ...(max !== undefined && { max }),
      };
    }
    if (max !== undefined) return this.#expandName(type, max);
    let expanded = this.#expanded.get(type);
    if (expanded === undefined) {
      expanded = this.#expandName(type, undefined);
      this.#expanded.set(type, expanded);
    }
    return expanded;
  }

  #expandName(name: string, max: number | undefined): ExpandedType {
    const struct = this.#structs.get(name);
    if (struct) return { kind: 'struct', definition: struct };
    const enumeration = this.#enums.get(name);
    if (enumeration) return { kind: 'enum', definition: enumeration };
    const alias = this.#aliases.get(name);
    if (alias) {
      const tighter =
        max === undefined ? alias.max : alias.max === undefined ? max : Math.min(max, alias.max);
      return this.expand(alias.type, tighter);
    }
    if (!isPrimitive(name)) throw new Error(`the manifest declares no type ${name}`);
    return { kind: 'primitive', name, ...(max !== undefined && { max }) };
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
      let expanded = this.expand(part);
      while (expanded.kind === 'list' || expanded.kind === 'option') expanded = this.expand(expanded.item);
      return expanded.kind === 'primitive' ? [] : [expanded.definition.name];
    });
  }

  /** Whether the type contains `json`, and so has no binary form. */
  holdsJson(type: TypeReference): boolean {
    this.#jsonHolders ??= this.#findJsonHolders();
    return this.#holdsJson(type, this.#jsonHolders);
  }

  #holdsJson(type: TypeReference, holders: ReadonlySet<string>): boolean {
    const expanded = this.expand(type);
    if (expanded.kind === 'primitive') return expanded.name === 'json';
    if (expanded.kind === 'list' || expanded.kind === 'option')
      return this.#holdsJson(expanded.item, holders);
    return holders.has(expanded.definition.name);
  }

  #findJsonHolders(): ReadonlySet<string> {
    const holders = new Set<string>();
    const definitions = [...this.#structs.values(), ...this.#enums.values()];
    for (let before = -1; before !== holders.size; ) {
      before = holders.size;
      for (const definition of definitions) {
        if (holders.has(definition.name)) continue;
        if (this.parts(definition).some((part) => this.#holdsJson(part, holders)))
          holders.add(definition.name);
      }
    }
    return holders;
  }

  /** Lower bound of the type's Borsh size in bytes; 0 only if the encoding can be empty. */
  minSize(type: TypeReference): number {
    const expanded = this.expand(type);
    switch (expanded.kind) {
      case 'option':
        return 1;
      case 'list':
        return expanded.length === undefined ? 4 : bounded(expanded.length * this.minSize(expanded.item));
      case 'primitive':
        return primitiveSize(expanded.name) ?? 4;
      default: {
        const { definition } = expanded;
        const known = this.#minSizes.get(definition.name);
        if (known !== undefined) return known;
        // A recursive occurrence adds nothing to the lower bound.
        this.#minSizes.set(definition.name, 0);
        const size =
          'fields' in definition
            ? this.parts(definition).reduce<number>((sum, part) => bounded(sum + this.minSize(part)), 0)
            : 1 +
              Math.min(
                ...definition.variants.map((v) => (v.payload === undefined ? 0 : this.minSize(v.payload))),
              );
        this.#minSizes.set(definition.name, size);
        return size;
      }
    }
  }

  /** Lower bound of the number of structs, enums, lists and options in a value, itself included. */
  minValues(type: TypeReference): number {
    const expanded = this.expand(type);
    switch (expanded.kind) {
      case 'primitive':
        return 0;
      case 'option':
        return 1;
      case 'list':
        return bounded(1 + (expanded.length ?? 0) * this.minValues(expanded.item));
      default: {
        const { definition } = expanded;
        const known = this.#minValues.get(definition.name);
        if (known !== undefined) return known;
        // A recursive occurrence adds nothing to the lower bound.
        this.#minValues.set(definition.name, 0);
        const min = this.#minValuesOf(definition);
        this.#minValues.set(definition.name, min);
        return min;
      }
    }
  }

  #minValuesOf(definition: StructDefinition | EnumDefinition): number {
    if ('fields' in definition) {
      return this.parts(definition).reduce<number>((sum, part) => bounded(sum + this.minValues(part)), 1);
    }
    const payloads = definition.variants.map(({ payload }) =>
      payload === undefined ? 0 : this.minValues(payload),
    );
    return 1 + Math.min(...payloads);
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
