import type { JsonValue } from '../../idl/json-value.js';
import type { FieldDefinition, TypeReference } from '../../idl/manifest.js';
import type { ExpandedType, TypeTable } from '../../idl/type-table.js';

/**
 * The type of a decoded value by its contract's interface. JSON text alone does not tell a string from an address or
 * from a large integer, and a contract chooses its strings.
 */
export interface Shape {
  readonly types: TypeTable;
  /** The arguments of a function have fields, but no type with a name. */
  readonly type: TypeReference | { readonly fields: readonly FieldDefinition[] };
}

/** The name of a primitive type; undefined for other types and for an unknown one. Options are looked through. */
export function primitiveOf(shape: Shape | undefined): string | undefined {
  const expanded = expandedOf(shape);
  return expanded?.kind === 'primitive' ? expanded.name : undefined;
}

/** The shape of a member of a struct, a list, or an enum's `{type, value}`; undefined if it is not known. */
export function memberShape(shape: Shape | undefined, of: JsonValue, member: string): Shape | undefined {
  if (shape === undefined) return undefined;
  const { types, type } = shape;
  if (isFields(type)) return fieldShape(types, type.fields, member);
  const expanded = expandedOf(shape);
  switch (expanded?.kind) {
    case 'struct':
      return fieldShape(types, expanded.definition.fields, member);
    case 'list':
      return { types, type: expanded.item };
    case 'enum': {
      if (member !== 'value') return { types, type: 'string' };
      const tag = typeof of === 'object' && of !== null && 'type' in of ? of['type'] : undefined;
      const payload = expanded.definition.variants.find((variant) => variant.tag === tag)?.payload;
      return payload === undefined ? undefined : { types, type: payload };
    }
    default:
      return undefined;
  }
}

/** A value of an enum, `{type, value}`. */
export interface Variant {
  readonly name: string;
  /** Null without one. */
  readonly payload: JsonValue;
  readonly shape: Shape | undefined;
}

/**
 * Reads a value of an enum, with the variant's name as the interface has it.
 * @param shape its type; without one, an object of that form is taken for an enum
 * @returns undefined for a value of any other type
 */
export function variantOf(shape: Shape | undefined, value: JsonValue): Variant | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { type: tag, value: payload = null, ...others } = value as { readonly [name: string]: JsonValue };
  if (typeof tag !== 'string' || Object.keys(others).length > 0) return undefined;
  if (shape === undefined) {
    return /^[a-z][a-z0-9_]{0,63}$/.test(tag) ? { name: tag, payload, shape: undefined } : undefined;
  }
  const expanded = expandedOf(shape);
  if (expanded?.kind !== 'enum') return undefined;
  const name = expanded.definition.variants.find((variant) => variant.tag === tag)?.name ?? tag;
  return { name, payload, shape: memberShape(shape, value, 'value') };
}

/** The name of a struct's type; empty for other types and for an unknown one. */
export function structNameOf(shape: Shape | undefined): string {
  const expanded = expandedOf(shape);
  return expanded?.kind === 'struct' ? expanded.definition.name : '';
}

function isFields(type: Shape['type']): type is { readonly fields: readonly FieldDefinition[] } {
  return typeof type === 'object' && 'fields' in type;
}

function fieldShape(types: TypeTable, fields: readonly FieldDefinition[], name: string): Shape | undefined {
  const type = fields.find((field) => field.name === name)?.type;
  return type === undefined ? undefined : { types, type };
}

/** The type inside options; undefined for the arguments of a function and for an unknown type. */
function expandedOf(shape: Shape | undefined): ExpandedType | undefined {
  if (shape === undefined || isFields(shape.type)) return undefined;
  let expanded = shape.types.expand(shape.type);
  while (expanded.kind === 'option') expanded = shape.types.expand(expanded.item);
  return expanded;
}
