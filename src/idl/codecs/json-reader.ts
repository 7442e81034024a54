import { fromHex } from '../hex.js';
import type { JsonValue } from '../json-value.js';
import { nearestName } from '../nearest-name.js';
import { describe, JsonDecodeError, joinPath, MAX_RECURSION } from './codec-errors.js';
import { MAX_JSON_DEPTH, utf8Length } from './json-writer.js';

const UNSIGNED = /^(?:0|[1-9][0-9]*)$/;
const SIGNED = /^(?:0|-?[1-9][0-9]*)$/;
/** Number of digits of 2^128 − 1, without a sign. */
const MAX_WIDE_DIGITS = 39;
const MAX_U64 = (1n << 64n) - 1n;
const MIN_I64 = -(1n << 63n);
const MAX_I64 = (1n << 63n) - 1n;
const MAX_U128 = (1n << 128n) - 1n;
const MIN_I128 = -(1n << 127n);
const MAX_I128 = (1n << 127n) - 1n;
const DECIMAL = 'as a string of decimal digits where it is beyond ±(2^53 − 1)';
const U64 = `u64 (an integer from 0 to ${MAX_U64}, ${DECIMAL})`;
const I64 = `i64 (an integer from ${MIN_I64} to ${MAX_I64}, ${DECIMAL})`;
const U128 = 'u128 (a string of decimal digits, no leading zeros, below 2^128)';
const I128 = 'i128 (a string of decimal digits, no leading zeros, within 2^127)';
const LONE_SURROGATE = /\p{Surrogate}/u;
const MAY_BE_SURROGATE = /[\ud800-\udfff]/;
const DIGIT_ZERO = 48;
const LETTER_X = 120;

/**
 * Reads primitives from parsed JSON. A value's place is (path, member, index); see {@link joinPath}.
 *
 * Hot path: guarded by bench/micro/codecs.bench.ts.
 */
export class JsonReader {
  /** Whether an unknown member is an error; otherwise it is ignored. */
  readonly refusesUnknown: boolean;
  #depth = 0;

  constructor({ refusesUnknown = true }: { readonly refusesUnknown?: boolean } = {}) {
    this.refusesUnknown = refusesUnknown;
  }

  begin(): void {
    this.#depth = 0;
  }

  enter(path: string): void {
    if (++this.#depth > MAX_RECURSION) {
      throw new JsonDecodeError('too_deep', path, `at most ${MAX_RECURSION} levels`, 'more');
    }
  }

  leave(): void {
    this.#depth--;
  }

  bool(value: unknown, path: string, member: string, index: number): boolean {
    if (typeof value !== 'boolean') fail(value, 'true or false', path, member, index);
    return value as boolean;
  }

  u8(value: unknown, path: string, member: string, index: number): number {
    return integer(value, 0, 0xff, 'u8', path, member, index);
  }

  u16(value: unknown, path: string, member: string, index: number): number {
    return integer(value, 0, 0xffff, 'u16', path, member, index);
  }

  u32(value: unknown, path: string, member: string, index: number): number {
    return integer(value, 0, 0xffff_ffff, 'u32', path, member, index);
  }

  i8(value: unknown, path: string, member: string, index: number): number {
    return integer(value, -0x80, 0x7f, 'i8', path, member, index);
  }

  i16(value: unknown, path: string, member: string, index: number): number {
    return integer(value, -0x8000, 0x7fff, 'i16', path, member, index);
  }

  i32(value: unknown, path: string, member: string, index: number): number {
    return integer(value, -0x8000_0000, 0x7fff_ffff, 'i32', path, member, index);
  }

  u64(value: unknown, path: string, member: string, index: number): bigint {
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? BigInt(value)
      : wideInteger(value, 0n, MAX_U64, U64, path, member, index);
  }

  i64(value: unknown, path: string, member: string, index: number): bigint {
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? BigInt(value)
      : wideInteger(value, MIN_I64, MAX_I64, I64, path, member, index);
  }

  u128(value: unknown, path: string, member: string, index: number): bigint {
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? BigInt(value)
      : wideInteger(value, 0n, MAX_U128, U128, path, member, index);
  }

  i128(value: unknown, path: string, member: string, index: number): bigint {
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? BigInt(value)
      : wideInteger(value, MIN_I128, MAX_I128, I128, path, member, index);
  }

  address(value: unknown, path: string, member: string, index: number): Uint8Array {
    const bytes = prefixedHex(value, 42);
    return bytes ?? fail(value, 'address (0x + 40 hex digits)', path, member, index);
  }

  /** Reads `hash` or `bytes32`; the prefix is optional. */
  digest(value: unknown, name: string, path: string, member: string, index: number): Uint8Array {
    if (typeof value === 'string') {
      const bytes = value.length === 64 ? fromHex(value, 0) : prefixedHex(value, 66);
      if (bytes !== undefined) return bytes;
    }
    return fail(value, `${name} (64 hex digits)`, path, member, index);
  }

  fixed(value: unknown, length: number, path: string, member: string, index: number): Uint8Array {
    const bytes = prefixedHex(value, 2 + 2 * length);
    return bytes ?? fail(value, `bytes${length} (0x + ${2 * length} hex digits)`, path, member, index);
  }

  bytes(value: unknown, max: number, path: string, member: string, index: number): Uint8Array {
    if (typeof value === 'string' && value.length > 2 + 2 * max) {
      const got = `${Math.floor((value.length - 2) / 2)} bytes`;
      throw new JsonDecodeError('too_long', joinPath(path, member, index), `at most ${max} bytes`, got);
    }
    const bytes = prefixedHex(value, -1);
    return bytes ?? fail(value, 'bytes (0x + an even number of hex digits)', path, member, index);
  }

  string(value: unknown, max: number, path: string, member: string, index: number): string {
    if (typeof value !== 'string') fail(value, 'string', path, member, index);
    const text = value as string;
    if (MAY_BE_SURROGATE.test(text) && LONE_SURROGATE.test(text)) {
      fail(value, 'a string of whole characters, without lone surrogates', path, member, index);
    }
    if (text.length * 3 > max) {
      const length = utf8Length(text);
      if (length > max) {
        const where = joinPath(path, member, index);
        throw new JsonDecodeError('too_long', where, `at most ${max} bytes of UTF-8`, `${length} bytes`);
      }
    }
    return text;
  }

  json(value: unknown, path: string, member: string, index: number): JsonValue {
    if (value === undefined) fail(value, 'a JSON value', path, member, index);
    checkDepth(value, 0, path, member, index);
    // Safe: the value comes from JSON.parse.
    return value as JsonValue;
  }

  list(value: unknown, max: number, path: string): asserts value is readonly unknown[] {
    if (!Array.isArray(value)) fail(value, 'a list', path, '', -1);
    const { length } = value as unknown[];
    if (length > max) {
      throw new JsonDecodeError('too_long', path, `at most ${max} items`, `a list of ${length}`);
    }
  }

  exactList(value: unknown, length: number, path: string): asserts value is readonly unknown[] {
    if (!Array.isArray(value) || value.length !== length)
      fail(value, `a list of ${length} items`, path, '', -1);
  }

  object(value: unknown, type: string, path: string): asserts value is Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      fail(value, `an object (${type})`, path, '', -1);
    }
  }

  nothing(value: unknown, tag: string, path: string): void {
    if (value !== undefined && value !== null)
      fail(value, `null, since ${tag} carries no value`, path, '.value', -1);
  }

  unknownMember(name: string, known: readonly string[], path: string): never {
    const near = nearestName(name, known);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    const expected = known.length === 0 ? 'no members' : `one of the members ${known.join(', ')}`;
    throw new JsonDecodeError('unknown_member', memberPath(path, name), expected, `an unknown member${hint}`);
  }

  unknownVariant(tag: unknown, tags: readonly string[], path: string): never {
    const near = typeof tag === 'string' ? nearestName(tag, tags) : undefined;
    const got = near === undefined ? describe(tag) : `${describe(tag)}; did you mean ${near}?`;
    const code = tag === undefined ? 'missing' : 'wrong_value';
    throw new JsonDecodeError(code, `${path}.type`, `one of ${tags.join(', ')}`, got);
  }
}

function fail(value: unknown, expected: string, path: string, member: string, index: number): never {
  const code = value === undefined ? 'missing' : 'wrong_value';
  throw new JsonDecodeError(code, joinPath(path, member, index), expected, describe(value));
}

function integer(
  value: unknown,
  min: number,
  max: number,
  type: string,
  path: string,
  member: string,
  index: number,
): number {
  const given = typeof value === 'string' && isDecimal(value, SIGNED) ? Number(value) : value;
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < min || given > max) {
    return fail(value, `${type} (an integer from ${min} to ${max})`, path, member, index);
  }
  // Converts −0, which JSON allows, to 0.
  return given + 0;
}

/** Reads an integer given as decimal digits. */
function wideInteger(
  value: unknown,
  min: bigint,
  max: bigint,
  expected: string,
  path: string,
  member: string,
  index: number,
): bigint {
  if (typeof value === 'string' && isDecimal(value, min === 0n ? UNSIGNED : SIGNED)) {
    const wide = BigInt(value);
    if (wide >= min && wide <= max) return wide;
  }
  return fail(value, expected, path, member, index);
}

function isDecimal(text: string, form: RegExp): boolean {
  return text.length <= MAX_WIDE_DIGITS + 1 && form.test(text);
}

/**
 * @param length characters including the prefix; −1 for any
 * @returns undefined if the value is not such a string
 */
function prefixedHex(value: unknown, length: number): Uint8Array | undefined {
  if (typeof value !== 'string' || (length >= 0 && value.length !== length)) return undefined;
  if (value.charCodeAt(0) !== DIGIT_ZERO || value.charCodeAt(1) !== LETTER_X) return undefined;
  return fromHex(value, 2);
}

function checkDepth(value: unknown, depth: number, path: string, member: string, index: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_JSON_DEPTH) {
    const where = joinPath(path, member, index);
    const expected = `at most ${MAX_JSON_DEPTH} levels of lists and objects`;
    throw new JsonDecodeError('too_deep', where, expected, 'more');
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const item of items) checkDepth(item, depth + 1, path, member, index);
}

/** Path of a member whose name the client chose; quotes unusual names. */
function memberPath(path: string, name: string): string {
  if (/^\w{1,60}$/.test(name)) return `${path}.${name}`;
  return `${path}[${describe(name)}]`;
}
