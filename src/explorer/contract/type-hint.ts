import { type TypeReference, typeText } from '../../idl/manifest.js';
import { fixedBytesLength, INTEGERS } from '../../idl/primitives.js';
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
