import { readAmount } from '../base/amount-text.js';
import type { JsonValue } from '../idl/json-value.js';
import type { Manifest, TypeReference } from '../idl/manifest.js';
import type { MapLeaf } from '../idl/map-leaves.js';
import { formatAddress, formatHash } from './address-text.js';
import { hashOfText } from './address-words.js';

/** How people write the values of a type. */
export type Notation = 'text' | 'address' | 'hash' | 'amount' | 'plain' | 'json';

export function notationOf(type: TypeReference, manifest: Manifest): Notation {
  const plain = plainType(type, manifest);
  if (plain === undefined) return 'json';
  if (plain === 'address' || plain === 'hash') return plain;
  if (plain === 'string' || /^bytes\d*$/.test(plain)) return 'text';
  if (/^u\d+$/.test(plain)) return 'amount';
  return plain === 'bool' || /^i\d+$/.test(plain) ? 'plain' : 'json';
}

/** The name of a type without aliases and options; undefined for lists and the like. */
export function plainType(type: TypeReference, manifest: Manifest): string | undefined {
  if (typeof type !== 'string') return 'option' in type ? plainType(type.option, manifest) : undefined;
  const alias = manifest.aliases.find(({ name }) => name === type);
  return alias === undefined ? type : plainType(alias.type, manifest);
}

/** Reads a value by its type. Text that is no such value stays text: the interface refuses it with its place. */
export function valueOfWord(word: string, type: TypeReference, manifest: Manifest): JsonValue {
  const notation = notationOf(type, manifest);
  if (notation === 'amount') return amountOf(word);
  return notation === 'plain' || notation === 'json' ? readJson(word) : word;
}

/** Writes addresses and hashes as interfaces read them: `dev:4` becomes `0x…`. */
export function spellAddresses(addressOf: (text: string) => Uint8Array | undefined): MapLeaf {
  return (type, value) => {
    if (type.kind !== 'primitive' || typeof value !== 'string') return value;
    if (type.name === 'address') {
      const address = addressOf(value);
      return address === undefined ? value : formatAddress(address);
    }
    const hash = type.name === 'hash' ? hashOfText(value) : undefined;
    return hash === undefined ? value : formatHash(hash);
  };
}

function amountOf(text: string): JsonValue {
  if (!/^\d[\d_,]*(\.\d+)?([eE]\+?\d+)?$/.test(text)) return readJson(text);
  const value = readAmount(text, 0);
  if (value === undefined) return text;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : `${value}`;
}

function readJson(text: string): JsonValue {
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Matches strings, and numbers outside of strings, in JSON. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON without rounding integers beyond 2^53: such integers become text, which interfaces accept for every
 * integer type.
 * @throws SyntaxError
 */
export function parseExactly(text: string): JsonValue {
  // Parsed unchanged first, so that syntax errors report the right position.
  const value: JsonValue = JSON.parse(text);
  const exact = text.replace(STRINGS_AND_NUMBERS, (part) =>
    /^-?\d+$/.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part,
  );
  return exact === text ? value : JSON.parse(exact);
}
