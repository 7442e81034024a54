import type {
  Documented,
  EnumDefinition,
  FieldDefinition,
  Manifest,
  StructDefinition,
  TypeReference,
} from '../manifest.js';
import { fixedBytesLength, INTEGERS, type IntegerType } from '../primitives.js';
import { type ExpandedType, TypeTable } from '../type-table.js';

/** A JSON Schema (draft 7). */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * Whether a schema describes parameters or results. The node accepts more forms than it writes: integers as text, hex
 * digits of either case, null for an absent member, and an enum without its empty `value`.
 */
type Direction = 'params' | 'result';

/** Suffix for the input schema of a type that the node writes in a narrower form. */
const INPUT = 'Input';

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** Decimal digits of 2^53, the smallest integer that is written as text. */
const LEAST_WIDE_DIGITS = 16;
const U64_DIGITS = 20;
const I64_DIGITS = 19;
const WIDE_DIGITS = 39;
const NULL: JsonSchema = { type: 'null' };

/**
 * The JSON forms of a manifest's types as JSON Schemas of draft 7, the draft of OpenRPC. The first reference to a type
 * adds it to {@link components}.
 *
 * The schemas contain no reference cycles, because common OpenRPC tools inline every reference. Inside a recursive
 * type, the type itself is only described as an object.
 */
export class JsonSchemas {
  readonly #types: TypeTable;
  readonly #root: string;
  readonly #components = new Map<string, JsonSchema>();
  /** Index of each struct and enum in the manifest; selects the reference to cut in a cycle. */
  readonly #order: ReadonlyMap<string, number>;
  /** Names of the types in results. */
  readonly #written: ReadonlySet<string>;

  /** @param root prefix of references, such as `#/components/schemas/` */
  constructor(manifest: Manifest, root: string) {
    this.#types = new TypeTable(manifest);
    this.#root = root;
    const results = manifest.interfaces.flatMap(({ methods }) =>
      methods.flatMap(({ returns = [] }) => returns),
    );
    this.#written = new Set([...this.#types.reachable(results)].map(({ name }) => name));
    const definitions = [...manifest.structs, ...manifest.enums];
    this.#order = new Map(definitions.map(({ name }, index) => [name, index]));
    for (const { name } of definitions) {
      if (this.#order.has(`${name}${INPUT}`))
        throw new Error(`the schemas of ${name} need the name ${name}${INPUT}`);
    }
  }

  /** The schemas referenced so far, by name, in alphabetical order. */
  get components(): Readonly<Record<string, JsonSchema>> {
    const sorted = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  /** The schema of a result; null without a type. */
  result(type: TypeReference | undefined): JsonSchema {
    return type === undefined ? NULL : this.#of(type, 'result', undefined, '');
  }

  /** The schema of a parameter, which also accepts null if it is optional. */
  param(field: FieldDefinition): JsonSchema {
    return this.#member(field, 'params', '');
  }

  /** Adds the schema of a method's whole `params`, if that is a struct, and returns the struct. */
  soleStruct(params: readonly FieldDefinition[]): StructDefinition | undefined {
    const sole = this.#types.soleStruct(params);
    if (sole !== undefined) this.#of(sole.name, 'params', undefined, '');
    return sole;
  }

  /** @param inside name of the struct or enum that contains the reference; empty at the top level */
  #of(type: TypeReference, direction: Direction, max: number | undefined, inside: string): JsonSchema {
    const expanded = this.#types.expand(type, max);
    switch (expanded.kind) {
      case 'option':
        return { anyOf: [this.#of(expanded.item, direction, undefined, inside), NULL] };
      case 'list':
        return this.#list(expanded, direction, inside);
      case 'primitive':
        return this.#primitive(expanded, direction);
      default:
        return this.#declared(expanded.definition, direction, inside);
    }
  }

  #list(
    { item, length, max }: ExpandedType & { readonly kind: 'list' },
    direction: Direction,
    inside: string,
  ): JsonSchema {
    return {
      type: 'array',
      items: this.#of(item, direction, undefined, inside),
      ...(length !== undefined && { minItems: length, maxItems: length }),
      ...(length === undefined && max !== undefined && { maxItems: max }),
    };
  }

  #primitive({ name, max }: ExpandedType & { readonly kind: 'primitive' }, direction: Direction): JsonSchema {
    if (max !== undefined) return limited(name, max, direction);
    const isNarrower = direction === 'params' && hasWiderInput(name);
    return this.#reference(isNarrower ? `${name}${INPUT}` : name, () => primitive(name, direction));
  }

  #declared(definition: StructDefinition | EnumDefinition, direction: Direction, inside: string): JsonSchema {
    const { name } = definition;
    if (this.#closesCycle(name, inside)) {
      return { type: 'object', title: name, description: `A ${name}, like the one that contains it.` };
    }
    return this.#reference(this.#nameOf(name, direction), () =>
      'fields' in definition ? this.#struct(definition, direction) : this.#enum(definition, direction),
    );
  }

  #nameOf(name: string, direction: Direction): string {
    return direction === 'params' && this.#written.has(name) ? `${name}${INPUT}` : name;
  }

  /** True if a reference from `inside` to `name` leads back within a cycle. Such a reference is cut. */
  #closesCycle(name: string, inside: string): boolean {
    const isBack = inside !== '' && (this.#order.get(name) ?? 0) <= (this.#order.get(inside) ?? 0);
    if (!isBack) return false;
    return name === inside || [...this.#types.reachable([name])].some((reached) => reached.name === inside);
  }

  #reference(name: string, create: () => JsonSchema): JsonSchema {
    if (!this.#components.has(name)) {
      // Reserves the name while the schema's own references are added.
      this.#components.set(name, {});
      this.#components.set(name, create());
    }
    return { $ref: `${this.#root}${name}` };
  }

  #struct(definition: StructDefinition, direction: Direction): JsonSchema {
    const { name, fields } = definition;
    const required = fields
      .filter(({ optional, type }) => optional !== true && !(direction === 'params' && this.#takesNull(type)))
      .map((field) => field.name);
    return {
      title: this.#nameOf(name, direction),
      ...described(definition),
      type: 'object',
      properties: Object.fromEntries(
        fields.map((field) => [field.name, this.#documented(field, direction, name)]),
      ),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  #documented(field: FieldDefinition, direction: Direction, inside: string): JsonSchema {
    const schema = this.#member(field, direction, inside);
    const notes = described(field);
    if (Object.keys(notes).length === 0) return schema;
    // Draft 7 ignores the siblings of `$ref`.
    return '$ref' in schema ? { allOf: [schema], ...notes } : { ...schema, ...notes };
  }

  #member(field: FieldDefinition, direction: Direction, inside: string): JsonSchema {
    const schema = this.#of(field.type, direction, field.max, inside);
    return field.optional === true && direction === 'params' ? { anyOf: [schema, NULL] } : schema;
  }

  #enum(definition: EnumDefinition, direction: Direction): JsonSchema {
    const { name, variants } = definition;
    return {
      title: this.#nameOf(name, direction),
      ...described(definition),
      oneOf: variants.map((variant) => {
        const { tag, payload } = variant;
        const value = payload === undefined ? NULL : this.#of(payload, direction, undefined, name);
        const mayOmit = direction === 'params' && (payload === undefined || this.#takesNull(payload));
        return {
          title: `${name}_${tag}`,
          ...described(variant),
          type: 'object',
          properties: { type: { type: 'string', const: tag }, value },
          required: mayOmit ? ['type'] : ['type', 'value'],
          additionalProperties: false,
        };
      }),
    };
  }

  #takesNull(type: TypeReference): boolean {
    return this.#types.expand(type).kind === 'option';
  }
}

/** The documentation of a declaration as schema keywords. */
function described({ doc, deprecated, since }: Documented): JsonSchema {
  const notes = [doc, deprecated === undefined ? undefined : `Deprecated: ${deprecated}.`];
  const description = notes.filter((note) => note !== undefined).join('\n\n');
  return {
    ...(description !== '' && { description }),
    ...(deprecated !== undefined && { deprecated: true }),
    ...(since !== undefined && { 'x-since': since }),
  };
}

function hasWiderInput(name: string): boolean {
  return INTEGERS.has(name) || fixedBytesLength(name) !== undefined || name === 'bytes';
}

function primitive(name: string, direction: Direction): JsonSchema {
  const title = direction === 'params' && hasWiderInput(name) ? `${name}${INPUT}` : name;
  const integer = INTEGERS.get(name);
  if (integer !== undefined) return { title, ...integerForm(integer, direction) };
  const digit = direction === 'params' ? '[0-9a-fA-F]' : '[0-9a-f]';
  const length = fixedBytesLength(name);
  if (length !== undefined) {
    const prefix = name === 'address' || length !== 32 ? '0x' : direction === 'params' ? '(0x)?' : '';
    return { title, type: 'string', pattern: `^${prefix}${digit}{${2 * length}}$` };
  }
  switch (name) {
    case 'bool':
      return { title, type: 'boolean' };
    case 'bytes':
      return { title, type: 'string', pattern: `^0x(${digit}{2})*$` };
    case 'string':
      return { title, type: 'string' };
    default:
      return { title, description: 'Any JSON value, at most 64 levels deep.' };
  }
}

/** A primitive with a maximum length. A string's limit counts UTF-8 bytes, at least one per character. */
function limited(name: string, max: number, direction: Direction): JsonSchema {
  return { ...primitive(name, direction), maxLength: name === 'bytes' ? 2 + 2 * max : max };
}

function integerForm({ bits, signed }: IntegerType, direction: Direction): JsonSchema {
  const sign = signed ? '-?' : '';
  const text = (least: number, most: number): JsonSchema => ({
    type: 'string',
    pattern:
      least <= 1 ? `^(0|${sign}[1-9][0-9]{0,${most - 1}})$` : `^${sign}[1-9][0-9]{${least - 1},${most - 1}}$`,
  });
  const number = (minimum: number, maximum: number): JsonSchema => ({ type: 'integer', minimum, maximum });
  if (bits < 64) {
    const exact = signed ? number(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) : number(0, 2 ** bits - 1);
    return direction === 'result' ? exact : { oneOf: [exact, text(1, `${2 ** bits}`.length)] };
  }
  const safe = number(signed ? -MAX_SAFE : 0, MAX_SAFE);
  if (bits === 128) {
    return direction === 'result' ? text(1, WIDE_DIGITS) : { oneOf: [text(1, WIDE_DIGITS), safe] };
  }
  const digits = signed ? I64_DIGITS : U64_DIGITS;
  return { oneOf: [safe, text(direction === 'result' ? LEAST_WIDE_DIGITS : 1, digits)] };
}
