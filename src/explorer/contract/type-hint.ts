import { type TypeReference, typeText } from '../../idl/manifest.js';
import { fixedBytesLength, INTEGERS } from '../../idl/primitives.js';
import type { TypeTable } from '../../idl/type-table.js';
import { shortName } from '../text/untrusted.js';

/** The text for a type next to its field. */
export function shownType(type: TypeReference): string {
  return shortName(typeText(type), 48);
}

/** An example of a value, for the placeholder of its field. */
export function exampleOf(primitive: string): string {
  if (INTEGERS.has(primitive)) return '0';
  if (primitive === 'address') return '0x… (40 hex digits)';
  if (primitive === 'hash' || primitive === 'bytes32') return '64 hex digits';
  if (primitive === 'bytes') return '0x…';
  const length = fixedBytesLength(primitive);
  return length === undefined ? '' : `0x… (${2 * length} hex digits)`;
}

/** The on-screen keyboard for a primitive. */
export function inputModeOf(primitive: string): 'numeric' | 'text' {
  return INTEGERS.get(primitive)?.signed === false ? 'numeric' : 'text';
}

const MAX_EXAMPLE_LEVELS = 4;
/** Maximum number of members of a struct in an example. */
const MAX_EXAMPLE_FIELDS = 8;
const MAX_EXAMPLE_CHARACTERS = 300;

/** The form of a value as JSON text, for the placeholder of its field. */
export function exampleJson(types: TypeTable, type: TypeReference): string {
  return shortName(exampleAt(types, type, MAX_EXAMPLE_LEVELS), MAX_EXAMPLE_CHARACTERS);
}

function exampleAt(types: TypeTable, type: TypeReference, levels: number): string {
  if (levels <= 0) return '…';
  const expanded = types.expand(type);
  switch (expanded.kind) {
    case 'primitive':
      return examplePrimitive(expanded.name);
    case 'option':
      return exampleAt(types, expanded.item, levels);
    case 'list':
      return `[${exampleAt(types, expanded.item, levels - 1)}, …]`;
    case 'struct': {
      const { fields } = expanded.definition;
      const shown = fields
        .slice(0, MAX_EXAMPLE_FIELDS)
        .map((field) => `"${shortName(field.name, 32)}": ${exampleAt(types, field.type, levels - 1)}`);
      return `{ ${[...shown, ...(fields.length > shown.length ? ['…'] : [])].join(', ')} }`;
    }
    case 'enum': {
      const [first] = expanded.definition.variants;
      const payload =
        first?.payload === undefined ? '' : `, "value": ${exampleAt(types, first.payload, levels - 1)}`;
      return `{ "type": "${shortName(first?.tag ?? '', 32)}"${payload} }`;
    }
  }
}

function examplePrimitive(name: string): string {
  const integer = INTEGERS.get(name);
  // Integers of 128 bits are text in JSON.
  if (integer !== undefined) return integer.bits > 64 ? '"0"' : '0';
  if (name === 'bool') return 'false';
  if (name === 'json') return '…';
  return name === 'string' || name === 'hash' ? '"…"' : '"0x…"';
}
