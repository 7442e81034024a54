import type { EnumDefinition, FieldDefinition, StructDefinition, TypeReference } from '../manifest.js';
import type { ExpandedType, TypeTable } from '../type-table.js';
import { assertPlainDefinition, assertPlainType } from './code-safety.js';

/**
 * Where a value stands, as pieces of generated code. The path is put together only for errors and for calls of other
 * functions, never for primitives.
 */
export interface Place {
  /** Expression: the path of the value around it. */
  readonly path: string;
  /** Literal: `.name`, or nothing. */
  readonly member: string;
  /** Expression: the index in a list; −1 for none. */
  readonly index: string;
}

/**
 * Turns types into JavaScript functions, one for each struct, enum, list and option met. The four directions (to and from
 * Borsh, to and from JSON) differ in the code of each kind of type; finding the types and naming the functions is the same.
 *
 * What goes into the code is a name or number that was checked (code-safety.ts), or goes through JSON.stringify.
 */
export abstract class CodeGenerator {
  protected readonly types: TypeTable;
  readonly #functions: string[] = [];
  readonly #constants: string[] = [];
  readonly #names = new Map<unknown, string>();
  /** Functions that are named but not yet written. */
  readonly #pending: { readonly name: string; readonly body: () => string }[] = [];

  constructor(types: TypeTable) {
    this.types = types;
  }

  /**
   * Compiles one function for each of the given types.
   * @param runtime what the generated code knows as `r`
   */
  compile<F>(
    roots: ReadonlyMap<string, TypeReference | StructDefinition>,
    runtime: object,
  ): ReadonlyMap<string, F> {
    for (const alias of this.types.aliases()) assertPlainDefinition(alias);
    const entries = [...roots].map(([name, root]) => {
      const code =
        typeof root === 'object' && 'fields' in root
          ? this.#define(root, root.name, () => this.#structBody(root))
          : this.#bareRoot(root);
      return `[${JSON.stringify(name)}, ${code}]`;
    });
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      this.#functions.push(`function ${next.name}(${this.parameters}) {\n${next.body()}\n}`);
    }
    const source = `'use strict';\n${this.#constants.join('\n')}\n${this.#functions.join('\n')}\nreturn new Map([${entries.join(', ')}]);`;
    return new Function('r', source)(runtime);
  }

  /** Parameters of every generated function. */
  protected abstract readonly parameters: string;
  /** Code of a function for a bare type. */
  protected abstract root(type: TypeReference): string;
  /** The bodies of the functions. */
  protected abstract struct(definition: StructDefinition): string;
  protected abstract enumeration(definition: EnumDefinition): string;
  protected abstract list(type: ExpandedType & { readonly kind: 'list' }): string;
  protected abstract option(item: TypeReference): string;

  /** The name of the function for a type that is not primitive; it is generated when it is first asked for. */
  protected functionFor(type: Exclude<ExpandedType, { readonly kind: 'primitive' }>): string {
    switch (type.kind) {
      case 'struct':
        return this.#define(type.definition, type.definition.name, () => this.#structBody(type.definition));
      case 'enum':
        return this.#define(type.definition, type.definition.name, () => {
          assertPlainDefinition(type.definition);
          return this.enumeration(type.definition);
        });
      case 'list':
        return this.#define(
          `list ${JSON.stringify([type.item, type.length ?? null, type.max ?? null])}`,
          'list',
          () => this.list(type),
        );
      default:
        return this.#define(`option ${JSON.stringify(type.item)}`, 'option', () => this.option(type.item));
    }
  }

  #bareRoot(type: TypeReference): string {
    assertPlainType(type);
    return this.root(type);
  }

  #structBody(definition: StructDefinition): string {
    assertPlainDefinition(definition);
    return this.struct(definition);
  }

  #define(key: unknown, hint: string, body: () => string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `${hint.replace(/\W/g, '_')}_${this.#names.size}`;
    this.#names.set(key, name);
    this.#pending.push({ name, body });
    return name;
  }

  /** Keeps a literal outside the functions. */
  protected constant(value: unknown): string {
    const name = `C${this.#constants.length}`;
    this.#constants.push(`const ${name} = ${JSON.stringify(value)};`);
    return name;
  }

  /** Wraps the body of a function that may come back to itself, so that it cannot exhaust the stack. */
  protected guarded(definition: StructDefinition | EnumDefinition, body: string): string {
    if (!this.types.isRecursive(definition)) return body;
    return `r.enter(path); try {\n${body}\n} finally { r.leave(); }`;
  }
}

/** A member of the value at `path`. */
export function memberPlace(field: FieldDefinition): Place {
  return { path: 'path', member: `.${field.name}`, index: '-1' };
}

/** The payload of an enum: paths name the variant. */
export function payloadPlace(tag: string): Place {
  return { path: 'path', member: `.${tag}`, index: '-1' };
}

/** The value at `path` itself. */
export const HERE: Place = { path: 'path', member: '', index: '-1' };

/** The items of the list at `path`, in a loop over `i`. */
export const ITEM: Place = { path: 'path', member: '', index: 'i' };

/** A place as three arguments for the runtime. */
export function placeArguments(place: Place): string {
  return `${place.path}, ${JSON.stringify(place.member)}, ${place.index}`;
}

/** A place as one expression. */
export function placePath(place: Place): string {
  const member = place.member === '' ? place.path : `${place.path} + ${JSON.stringify(place.member)}`;
  return place.index === '-1' ? member : `${member} + '[' + ${place.index} + ']'`;
}

/** Puts the locals x0, x1, … together to the struct; absent options leave no property. */
export function structResult(definition: StructDefinition): string {
  const { fields } = definition;
  const required = fields.flatMap((field, i) => (field.optional ? [] : [`${field.name}: x${i}`]));
  if (required.length === fields.length) return `return { ${required.join(', ')} };`;
  const optional = fields.flatMap((field, i) =>
    field.optional ? [`if (x${i} !== undefined) result.${field.name} = x${i};`] : [],
  );
  return `const result = { ${required.join(', ')} };\n${optional.join('\n')}\nreturn result;`;
}
