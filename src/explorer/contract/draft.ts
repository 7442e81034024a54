/**
 * A draft holds a value as the user enters it, field by field, in the shape of its type. Drafts are immutable.
 *
 * Interfaces are untrusted: nested types can give a value millions of fields. A draft therefore has a field budget; the
 * user enters the parts beyond it as JSON text.
 */
import type { EnumDefinition, FieldDefinition, TypeReference } from '../../idl/manifest.js';
import type { ExpandedType, TypeTable } from '../../idl/type-table.js';

export type Draft =
  /** Integers, addresses, hashes, bytes and strings. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bool'; readonly value: boolean }
  /** A value entered as JSON text. */
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'struct'; readonly fields: readonly Draft[] }
  /** `payload` is absent if the variant has none. */
  | { readonly kind: 'enum'; readonly variant: number; readonly payload?: Draft }
  | { readonly kind: 'list'; readonly items: readonly Draft[] }
  /** `inner` is absent if there is no value. */
  | { readonly kind: 'option'; readonly inner?: Draft };

/** Maximum number of fields that one step creates, such as opening a form or adding an item. */
const MAX_FIELDS = 200;
/** Maximum nesting depth of fields. */
const MAX_LEVELS = 6;
/** Maximum length of a fixed-length list with a field per item. */
const MAX_FIXED_ITEMS = 16;
/** Maximum number of items in a list of fields. */
export const MAX_ITEMS = 100;

/** Remaining fields and levels. */
interface Room {
  fields: number;
  readonly levels: number;
}

export function emptyDraft(types: TypeTable, type: TypeReference): Draft {
  return draftOf(types, types.expand(type), { fields: MAX_FIELDS, levels: MAX_LEVELS });
}

export function emptyArguments(types: TypeTable, parameters: readonly FieldDefinition[]): readonly Draft[] {
  const room: Room = { fields: MAX_FIELDS, levels: MAX_LEVELS };
  return parameters.map((parameter) => fieldDraft(types, parameter, room));
}

/** The type of a field, with the option that `optional` adds. */
export function fieldType({ type, optional }: FieldDefinition): TypeReference {
  return optional === true ? { option: type } : type;
}

/** A draft of another variant of an enum. */
export function variantDraft(types: TypeTable, payload: TypeReference | undefined, variant: number): Draft {
  return payload === undefined
    ? { kind: 'enum', variant }
    : { kind: 'enum', variant, payload: emptyDraft(types, payload) };
}

const JSON_TEXT: Draft = { kind: 'json', text: '' };

function fieldDraft(types: TypeTable, field: FieldDefinition, room: Room): Draft {
  return draftOf(types, types.expand(fieldType(field)), room);
}

function draftOf(types: TypeTable, type: ExpandedType, room: Room): Draft {
  room.fields--;
  if (room.fields < 0 || room.levels <= 0) return JSON_TEXT;
  const inside = { fields: 0, levels: room.levels - 1 };
  switch (type.kind) {
    case 'primitive':
      if (type.name === 'json') return JSON_TEXT;
      return type.name === 'bool' ? { kind: 'bool', value: false } : { kind: 'text', text: '' };
    case 'option':
      return { kind: 'option' };
    case 'list': {
      if (type.length === undefined) return { kind: 'list', items: [] };
      if (type.length > MAX_FIXED_ITEMS) return JSON_TEXT;
      const item = types.expand(type.item);
      return within(room, inside, () => ({
        kind: 'list',
        items: Array.from({ length: type.length ?? 0 }, () => draftOf(types, item, inside)),
      }));
    }
    case 'struct':
      return within(room, inside, () => ({
        kind: 'struct',
        fields: type.definition.fields.map((field) => fieldDraft(types, field, inside)),
      }));
    case 'enum': {
      const variant = firstVariant(types, type.definition);
      const payload = type.definition.variants[variant]?.payload;
      if (payload === undefined) return { kind: 'enum', variant };
      return within(room, inside, () => ({
        kind: 'enum',
        variant,
        payload: draftOf(types, types.expand(payload), inside),
      }));
    }
  }
}

/** The variant of an empty draft: for a recursive enum, the first one without payload, if any. */
function firstVariant(types: TypeTable, definition: EnumDefinition): number {
  if (!types.isRecursive(definition)) return 0;
  return Math.max(
    0,
    definition.variants.findIndex(({ payload }) => payload === undefined),
  );
}

/** Creates the parts of a value from the remaining fields; JSON text if there are too few. */
function within(room: Room, inside: Room, create: () => Draft): Draft {
  inside.fields = room.fields;
  const draft = create();
  room.fields = Math.max(inside.fields, 0);
  return inside.fields < 0 ? JSON_TEXT : draft;
}
