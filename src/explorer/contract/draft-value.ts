import { readAmount } from '../../base/amount-text.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { FieldDefinition, TypeReference } from '../../idl/manifest.js';
import { INTEGERS } from '../../idl/primitives.js';
import type { TypeTable } from '../../idl/type-table.js';
import { type Draft, fieldType } from './draft.js';

/** Thrown when a field holds no value of its type. The codecs check the rest and use the same path syntax. */
export class DraftError extends Error {
  override readonly name = 'DraftError';
  /** Path to the field: `args.orders[3].owner`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * The arguments of a call, or the fields of a struct at `path`, as JSON values for the codec. Absent optional ones are
 * left out.
 * @throws DraftError
 */
export function argumentsValue(
  types: TypeTable,
  fields: readonly FieldDefinition[],
  drafts: readonly Draft[],
  path = 'args',
): { readonly [name: string]: JsonValue } {
  const members = fields.flatMap((field, at) => {
    const draft = drafts[at];
    if (draft === undefined || (draft.kind === 'option' && draft.inner === undefined)) return [];
    return [[field.name, jsonOf(types, fieldType(field), draft, `${path}.${field.name}`)] as const];
  });
  return Object.fromEntries(members);
}

/** A draft as JSON text, for editing it as a whole; empty if some of its fields hold no value. */
export function draftText(types: TypeTable, type: TypeReference, draft: Draft): string {
  try {
    return JSON.stringify(jsonOf(types, type, draft, ''), undefined, 1);
  } catch (error) {
    if (!(error instanceof DraftError)) throw error;
    return '';
  }
}

function jsonOf(types: TypeTable, type: TypeReference, draft: Draft, path: string): JsonValue {
  if (draft.kind === 'json') return parsed(draft.text, path);
  const expanded = types.expand(type);
  switch (draft.kind) {
    case 'bool':
      return draft.value;
    case 'text':
      return expanded.kind === 'primitive' ? textValue(expanded.name, draft.text, path) : draft.text;
    case 'option':
      return draft.inner === undefined || expanded.kind !== 'option'
        ? null
        : jsonOf(types, expanded.item, draft.inner, path);
    case 'list':
      if (expanded.kind !== 'list') return null;
      return draft.items.map((item, at) => jsonOf(types, expanded.item, item, `${path}[${at}]`));
    case 'struct':
      return expanded.kind === 'struct'
        ? argumentsValue(types, expanded.definition.fields, draft.fields, path)
        : null;
    case 'enum': {
      const variant = expanded.kind === 'enum' ? expanded.definition.variants[draft.variant] : undefined;
      if (variant === undefined) return null;
      const { tag, payload } = variant;
      if (payload === undefined || draft.payload === undefined) return { type: tag };
      return { type: tag, value: jsonOf(types, payload, draft.payload, `${path}.${tag}`) };
    }
  }
}

function parsed(text: string, path: string): JsonValue {
  if (text.trim() === '') throw new DraftError(path, 'Enter a JSON value.');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DraftError(path, `This is not valid JSON: ${error.message}`);
  }
}

function textValue(type: string, text: string, path: string): JsonValue {
  if (type === 'string') return text;
  const trimmed = text.trim();
  if (INTEGERS.has(type)) return integerValue(trimmed, path);
  if (type === 'bytes' && trimmed === '') return '0x';
  if (trimmed === '') throw new DraftError(path, 'Enter a value.');
  return trimmed;
}

/** Also reads `1_000`, `1,000` and `1e18`; the codec checks the range. */
function integerValue(text: string, path: string): JsonValue {
  if (text === '') throw new DraftError(path, 'Enter a whole number.');
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  const amount = readAmount(digits, 0);
  if (amount === undefined) {
    throw new DraftError(path, 'Enter a whole number, such as 1000, 1_000 or 1e18.');
  }
  const value = isNegative ? -amount : amount;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
