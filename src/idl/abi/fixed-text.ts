import type { Codec } from '../codecs/codec.js';
import { decimalJson, integerJson } from '../codecs/json-writer.js';
import { partToHex } from '../hex.js';
import type { FieldDefinition, TypeReference } from '../manifest.js';
import { fixedBytesLength, INTEGERS, type IntegerType } from '../primitives.js';
import type { TypeTable } from '../type-table.js';

/*
 * Most contract arguments, results and event fields are addresses, hashes and numbers: any bytes of the right length
 * are valid. Their JSON is written directly from the bytes, without intermediate values. The codecs give the same text
 * but take four times as long; they handle every other type and length.
 */

/**
 * Formats an encoded value, from an offset to the end of the bytes, as JSON text.
 * @throws BorshError, JsonEncodeError if the bytes are not a valid encoding
 */
export type TextOf = (bytes: Uint8Array, at: number) => string;

/** Larger values go through the codecs, which check their limits. */
const MAX_BYTES = 4_096;

/** A fixed-size type: any `size` bytes are a valid value. */
interface Fixed {
  readonly size: number;
  /** The JSON text of the value at offset `at`. */
  readonly text: (bytes: Uint8Array, at: number) => string;
}

/** The formatter for one type. Hot: guarded by `bench/calls.bench.ts`. */
export function typeText(type: TypeReference, types: TypeTable, codec: Codec<unknown>): TextOf {
  return withFallback(fixedType(type, types), (bytes) => codec.toJson(codec.decode(bytes)));
}

/** The formatter for the members of a record of `fields`. Hot: guarded by `bench/calls.bench.ts`. */
export function membersText(
  fields: readonly FieldDefinition[],
  types: TypeTable,
  codec: Codec<unknown>,
): TextOf {
  // Strips the braces.
  return withFallback(fixedMembers(fields, types), (bytes) => codec.toJson(codec.decode(bytes)).slice(1, -1));
}

function withFallback(fixed: Fixed | undefined, byCodec: (encoded: Uint8Array) => string): TextOf {
  if (fixed === undefined) return (bytes, at) => byCodec(bytes.subarray(at));
  const { size, text } = fixed;
  return (bytes, at) => (bytes.length - at === size ? text(bytes, at) : byCodec(bytes.subarray(at)));
}

function fixedMembers(fields: readonly FieldDefinition[], types: TypeTable): Fixed | undefined {
  const parts: { readonly open: string; readonly at: number; readonly text: Fixed['text'] }[] = [];
  let size = 0;
  for (const { name, type, optional } of fields) {
    const fixed = optional ? undefined : fixedType(type, types);
    if (fixed === undefined) return undefined;
    parts.push({ open: `${parts.length === 0 ? '' : ','}"${name}":`, at: size, text: fixed.text });
    size += fixed.size;
  }
  if (size > MAX_BYTES) return undefined;
  const text: Fixed['text'] = (bytes, start) => {
    let json = '';
    for (const part of parts) json += part.open + part.text(bytes, start + part.at);
    return json;
  };
  return { size, text };
}

function fixedType(type: TypeReference, types: TypeTable): Fixed | undefined {
  const expanded = types.expand(type);
  if (expanded.kind !== 'primitive') return undefined;
  const { name } = expanded;
  const integer = INTEGERS.get(name);
  if (integer !== undefined) return fixedInteger(integer);
  const size = fixedBytesLength(name);
  if (size === undefined || size > MAX_BYTES) return undefined;
  const prefix = name === 'hash' || name === 'bytes32' ? '"' : '"0x';
  return { size, text: (bytes, at) => `${prefix}${partToHex(bytes, at, at + size)}"` };
}

function fixedInteger({ bits, signed }: IntegerType): Fixed {
  const size = bits / 8;
  const json = bits > 64 ? decimalJson : integerJson;
  return {
    size,
    text: (bytes, at) => {
      const small = smallNumber(bytes, at, size, signed);
      if (small === undefined) return `${json(wideNumber(bytes, at, size, signed))}`;
      return bits > 64 ? `"${small}"` : `${small}`;
    },
  };
}

/** Reads a little-endian number below 2^48; undefined if it is negative or larger. */
function smallNumber(bytes: Uint8Array, at: number, size: number, signed: boolean): number | undefined {
  if (signed && ((bytes[at + size - 1] as number) & 0x80) !== 0) return undefined;
  for (let i = 6; i < size; i++) if (bytes[at + i] !== 0) return undefined;
  let value = 0;
  for (let i = Math.min(size, 6) - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] as number);
  return value;
}

function wideNumber(bytes: Uint8Array, at: number, size: number, signed: boolean): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i] as number);
  return signed ? BigInt.asIntN(8 * size, value) : value;
}
