import { assertPlainDefinition, assertPlainType } from '../../codecs/manifest-check.js';
import type { EnumDefinition, StructDefinition, TypeReference } from '../../manifest.js';
import { fixedBytesLength } from '../../primitives.js';
import type { ExpandedType, TypeTable } from '../../type-table.js';
import { typeScriptType } from '../typescript.js';

/**
 * Place of a value, as pieces of generated code. The path is only joined for errors and for calls to other functions,
 * never for primitives.
 */
export interface PathSuffix {
  /** A literal: `.name`, or empty. */
  readonly member: string;
  /** An expression: the index in a list, or −1. */
  readonly index: string;
}

/** Prefixes of generated functions: the directions to and from Borsh, and to and from JSON. */
export const DIRECTIONS = ['readBorsh', 'writeBorsh', 'readJson', 'writeJson'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Names of structs and enums, by the direction of the functions meant. */
export type CodecSelection = { readonly [D in Direction]?: Iterable<string> };

export function mergeSelections(selections: readonly CodecSelection[]): CodecSelection {
  return Object.fromEntries(
    DIRECTIONS.map((direction) => [
      direction,
      new Set(selections.flatMap((selection) => [...(selection[direction] ?? [])])),
    ]),
  );
}

/** Names that a module's functions import. */
export class ModuleImports {
  /** Structs and enums whose functions another module declares. */
  readonly functions: { readonly [D in Direction]: Set<string> } = {
    readBorsh: new Set(),
    writeBorsh: new Set(),
    readJson: new Set(),
    writeJson: new Set(),
  };
  /** Names of all structs and enums used. */
  readonly types = new Set<string>();
}

export interface FunctionScope {
  readonly types: TypeTable;
  /** Whether this module declares the functions of a struct or enum; others are imported. */
  readonly declares: (name: string) => boolean;
  readonly imports: ModuleImports;
}

/**
 * Generates a TypeScript function for each struct, enum, list and option. Subclasses supply the code for one of four
 * directions (to and from Borsh, to and from JSON).
 */
export abstract class CodecFunctions {
  protected readonly types: TypeTable;
  readonly #scope: FunctionScope;
  readonly #functions: string[] = [];
  readonly #named = new Map<unknown, string>();
  readonly #taken = new Set<string>();
  /** Functions that have a name but no text yet. */
  readonly #pending: (() => string)[] = [];

  constructor(scope: FunctionScope) {
    this.types = scope.types;
    this.#scope = scope;
  }

  /** Prefix of the function names, such as `readBorsh`. */
  protected abstract readonly prefix: Direction;
  /** The function's parameters and return type. */
  protected abstract head(valueType: string, body: string): string;
  /** Bodies of the functions, by kind of type. */
  protected abstract struct(definition: StructDefinition, valueType: string): string;
  protected abstract enumeration(definition: EnumDefinition): string;
  protected abstract list(type: ExpandedType & { readonly kind: 'list' }): string;
  protected abstract option(item: TypeReference): string;
  protected abstract primitive(type: ExpandedType & { readonly kind: 'primitive' }): string;

  /** Adds the function for a type and everything it needs. Returns its name. */
  addType(type: TypeReference): string {
    assertPlainType(type);
    const expanded = this.types.expand(type);
    if (expanded.kind !== 'primitive') return this.functionFor(expanded);
    const key = `primitive ${JSON.stringify([expanded.name, expanded.max ?? null])}`;
    return this.#define(key, hintOf(type), this.valueType(type), () => this.primitive(expanded));
  }

  /**
   * Adds the function for a struct that no IDL declares, such as a method's parameters. Returns its name.
   * @param hint base of the name
   * @param valueType its TypeScript type
   */
  addRecord(definition: StructDefinition, hint: string, valueType: string): string {
    return this.#define(`record ${hint}`, hint, valueType, () => this.#body(definition, valueType));
  }

  /** Name of the function of a struct or enum, if the module declares or imports it. */
  nameOf(definition: StructDefinition | EnumDefinition): string | undefined {
    const isImported = this.#scope.imports.functions[this.prefix].has(definition.name);
    return isImported ? this.prefix + definition.name : this.#named.get(definition);
  }

  /** The functions added so far. */
  text(): string {
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      this.#functions.push(next());
    }
    return this.#functions.join('\n');
  }

  /** Parameters of the functions before the value. */
  protected abstract readonly leading: readonly string[];

  /** The codec's method for a primitive, and its arguments between the value and the place. */
  protected method(name: string, max: number | undefined): readonly [string, ...string[]] {
    const length = fixedBytesLength(name);
    if (length !== undefined) return ['fixed', `${length}`];
    return name === 'bytes' || name === 'string' ? [name, `${max ?? 0xffff_ffff}`] : [name];
  }

  /** Code that reads or writes a value. @param value code of the value; undefined if there is none to pass */
  protected code(type: TypeReference, value: string | undefined, place: PathSuffix, max?: number): string {
    const expanded = this.types.expand(type, max);
    const given = value === undefined ? [] : [value];
    if (expanded.kind !== 'primitive') {
      return `${this.functionFor(expanded)}(${[...this.leading, ...given, placePath(place)].join(', ')})`;
    }
    const [method, ...more] = this.method(expanded.name, expanded.max);
    const codec = this.prefix.startsWith('read') ? 'r' : 'w';
    const passed = method === 'json' && this.prefix === 'writeBorsh' ? [] : given;
    return `${codec}.${method}(${[...passed, ...more, placeArguments(place)].join(', ')})`;
  }

  protected valueType(type: TypeReference): string {
    return typeScriptType(type, this.types, this.#scope.imports.types);
  }

  /** Name of the function for a type that is not primitive; generated on first use. */
  protected functionFor(type: Exclude<ExpandedType, { readonly kind: 'primitive' }>): string {
    switch (type.kind) {
      case 'struct':
      case 'enum':
        return this.#declared(type.definition);
      case 'list': {
        const { item, length } = type;
        const reference = { list: item, ...(length !== undefined && { length }) };
        const hint = `${hintOf(reference)}${type.max === undefined ? '' : `Max${type.max}`}`;
        const key = `list ${JSON.stringify([item, length ?? null, type.max ?? null])}`;
        return this.#define(key, hint, this.valueType(reference), () => this.list(type));
      }
      default: {
        const reference = { option: type.item };
        const key = `option ${JSON.stringify(type.item)}`;
        return this.#define(key, hintOf(reference), this.valueType(reference), () => this.option(type.item));
      }
    }
  }

  /** Wraps the body of a recursive function, so that it cannot exhaust the stack. */
  protected guarded(definition: StructDefinition | EnumDefinition, runtime: string, body: string): string {
    if (!this.types.isRecursive(definition)) return body;
    return `${runtime}.enter(path);\ntry {\n${indented(body)}\n} finally {\n  ${runtime}.leave();\n}`;
  }

  #body(definition: StructDefinition | EnumDefinition, valueType: string): string {
    assertPlainDefinition(definition);
    return 'fields' in definition ? this.struct(definition, valueType) : this.enumeration(definition);
  }

  #declared(definition: StructDefinition | EnumDefinition): string {
    const { name } = definition;
    if (this.#scope.declares(name)) {
      this.#scope.imports.types.add(name);
      return this.#define(definition, name, name, () => this.#body(definition, name));
    }
    this.#scope.imports.functions[this.prefix].add(name);
    return this.prefix + name;
  }

  #define(key: unknown, hint: string, valueType: string, body: () => string): string {
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    let name = this.prefix + hint;
    for (let n = 2; this.#taken.has(name) || (typeof key === 'string' && this.#isDeclared(name)); n++) {
      name = `${this.prefix}${hint}_${n}`;
    }
    this.#taken.add(name);
    this.#named.set(key, name);
    const isPublic = typeof key !== 'string';
    this.#pending.push(() => {
      const text = body();
      return `${isPublic ? 'export ' : ''}function ${name}${this.head(valueType, text)} {\n${indented(text)}\n}\n`;
    });
    return name;
  }

  /** Whether the name belongs to the function of a declared struct or enum, generated or not. */
  #isDeclared(name: string): boolean {
    return this.types.declares(name.slice(this.prefix.length));
  }
}

/** `Call[]` → `CallList`, `u8[4]` → `U8List4`, `address?` → `AddressOption`. */
function hintOf(type: TypeReference): string {
  if (typeof type === 'string') return type.charAt(0).toUpperCase() + type.slice(1);
  if ('option' in type) return `${hintOf(type.option)}Option`;
  return `${hintOf(type.list)}List${type.length ?? ''}`;
}

/** A field of the value at `path`, or the payload of an enum, whose place names the variant by its tag. */
export function memberPlace(name: string): PathSuffix {
  return { member: `.${name}`, index: '-1' };
}

/** The value at `path` itself. */
export const HERE: PathSuffix = { member: '', index: '-1' };

/** The items of the list at `path`, in a loop over `i`. */
export const ITEM: PathSuffix = { member: '', index: 'i' };

/** A place as three arguments of a runtime call. */
function placeArguments(place: PathSuffix): string {
  return `path, ${quoted(place.member)}, ${place.index}`;
}

/** The path of the value at a place, as one expression of generated code. */
function placePath(place: PathSuffix): string {
  const member = place.member === '' ? 'path' : `path + ${quoted(place.member)}`;
  return place.index === '-1' ? member : `${member} + '[' + ${place.index} + ']'`;
}

/** Builds the struct from the locals x0, x1, …; leaves out absent options. */
export function structResult(definition: StructDefinition, valueType: string): string {
  const { fields } = definition;
  const required = fields.flatMap((field, i) => (field.optional ? [] : [`${field.name}: x${i}`]));
  const object = required.length === 0 ? '{}' : `{ ${required.join(', ')} }`;
  if (required.length === fields.length) return `return ${object};`;
  const optional = fields.flatMap((field, i) =>
    field.optional ? [`if (x${i} !== undefined) result.${field.name} = x${i};`] : [],
  );
  return `const result: $Writable<${valueType}> = ${object};\n${optional.join('\n')}\nreturn result;`;
}

/** Quotes IDL text as a literal. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** The tags of an enum as a list literal. */
export function tagList(definition: EnumDefinition): string {
  return `[${definition.variants.map(({ tag }) => quoted(tag)).join(', ')}]`;
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
