import { describe, JsonDecodeError } from './codecs/codec-errors.js';
import type { FieldDefinition, TypeReference } from './manifest.js';
import type { ExpandedType, TypeTable } from './type-table.js';

/**
 * Replaces a value without parts: a primitive, or the value of an enum that is no object. `path` names its place, such as
 * `args.orders[3].owner`.
 */
export type MapLeaf = (type: ExpandedType, value: unknown, path: string) => unknown;

/**
 * A copy of a value of a type with its leaves replaced. What does not have the type's form stays as it is: a codec refuses
 * it later, with its place.
 */
export function mapLeaves(
  types: TypeTable,
  type: TypeReference,
  value: unknown,
  path: string,
  leaf: MapLeaf,
): unknown {
  const expanded = types.expand(type);
  const part = (item: TypeReference, inner: unknown, at: string) => mapLeaves(types, item, inner, at, leaf);
  switch (expanded.kind) {
    case 'primitive':
      return leaf(expanded, value, path);
    case 'option':
      return value === null || value === undefined ? value : part(expanded.item, value, path);
    case 'list':
      return Array.isArray(value)
        ? value.map((each, i) => part(expanded.item, each, `${path}[${i}]`))
        : value;
    case 'struct':
      return isRecord(value) ? mapFields(types, expanded.definition.fields, value, path, leaf) : value;
    case 'enum': {
      if (!isRecord(value)) return leaf(expanded, value, path);
      const variant = expanded.definition.variants.find(({ tag }) => tag === value['type']);
      if (variant?.payload === undefined) return value;
      return { ...value, value: part(variant.payload, value['value'], `${path}.${variant.tag}`) };
    }
  }
}

/** Like {@link mapLeaves}, for a record with these fields. */
export function mapFields(
  types: TypeTable,
  fields: readonly FieldDefinition[],
  record: Readonly<Record<string, unknown>>,
  path: string,
  leaf: MapLeaf,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = { ...record };
  for (const { name, type } of fields) {
    const value = record[name];
    if (value !== undefined && value !== null)
      mapped[name] = mapLeaves(types, type, value, `${path}.${name}`, leaf);
  }
  return mapped;
}

/** Whether a value has members by name. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/**
 * For {@link mapLeaves}: writes out variants without payload that are given by their names alone: `"yes"` becomes
 * `{"type":"yes"}`.
 * @throws JsonDecodeError for another name, listing the variants
 */
export const wholeVariant: MapLeaf = (type, value, path) => {
  if (type.kind !== 'enum') return value;
  const { name, variants } = type.definition;
  const found = variants.find((variant) => variant.tag === value || variant.name === value);
  if (found !== undefined && found.payload === undefined) return { type: found.tag };
  const forms = variants.map(({ tag, payload }) =>
    payload === undefined ? tag : `{"type":"${tag}","value":…}`,
  );
  throw new JsonDecodeError('wrong_value', path, `${name}: ${forms.join(', ')}`, describe(value));
};
