import { toHex } from '../hex.js';
import { describe, JsonEncodeError, joinPath, MAX_RECURSION, wideInteger } from './codec-errors.js';

/** Maximum nesting of lists and objects in a `json` value. */
export const MAX_JSON_DEPTH = 64;

/** Untrusted types: maximum characters of one value's JSON. */
export const MAX_FOREIGN_LENGTH = 4 * 1024 * 1024;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_U64 = (1n << 64n) - 1n;
const MIN_I64 = -(1n << 63n);
const MAX_I64 = (1n << 63n) - 1n;
/** Characters that JSON.stringify may escape: quotes, backslashes, control characters, surrogates. */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * Writes primitives as JSON text. Every method checks its value, so the output always reads back as the same value. A
 * value's place is (path, member, index); see {@link joinPath}.
 *
 * Hot path: guarded by bench/micro/codecs.bench.ts.
 */
export class JsonWriter {
  #depth = 0;

  begin(): void {
    this.#depth = 0;
  }

  enter(path: string): void {
    if (++this.#depth > MAX_RECURSION) {
      throw new JsonEncodeError(path, `at most ${MAX_RECURSION} levels`, 'more');
    }
  }

  leave(): void {
    this.#depth--;
  }

  /** Untrusted types: checks the length of a composite value's text, complete or partial. */
  within(text: string, path: string): string {
    if (text.length <= MAX_FOREIGN_LENGTH) return text;
    throw new JsonEncodeError(path, `at most ${MAX_FOREIGN_LENGTH} characters of JSON`, 'more');
  }

  bool(value: unknown, path: string, member: string, index: number): string {
    if (value === true) return 'true';
    if (value === false) return 'false';
    return fail(value, 'bool', path, member, index);
  }

  u8(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value & 0xff) !== value) fail(value, 'u8', path, member, index);
    return value as number;
  }

  u16(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value & 0xffff) !== value) fail(value, 'u16', path, member, index);
    return value as number;
  }

  u32(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || value >>> 0 !== value) fail(value, 'u32', path, member, index);
    return value as number;
  }

  i8(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value << 24) >> 24 !== value) fail(value, 'i8', path, member, index);
    return value as number;
  }

  i16(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value << 16) >> 16 !== value) fail(value, 'i16', path, member, index);
    return value as number;
  }

  i32(value: unknown, path: string, member: string, index: number): number {
    if (typeof value !== 'number' || (value | 0) !== value) fail(value, 'i32', path, member, index);
    return value as number;
  }

  u64(value: unknown, path: string, member: string, index: number): number | string {
    if (typeof value !== 'bigint' || value < 0n || value > MAX_U64)
      fail(value, wideInteger('u64', value), path, member, index);
    return integerJson(value as bigint);
  }

  i64(value: unknown, path: string, member: string, index: number): number | string {
    if (typeof value !== 'bigint' || value < MIN_I64 || value > MAX_I64)
      fail(value, wideInteger('i64', value), path, member, index);
    return integerJson(value as bigint);
  }

  u128(value: unknown, path: string, member: string, index: number): string {
    if (typeof value !== 'bigint' || BigInt.asUintN(128, value) !== value)
      fail(value, wideInteger('u128', value), path, member, index);
    return decimalJson(value as bigint);
  }

  i128(value: unknown, path: string, member: string, index: number): string {
    if (typeof value !== 'bigint' || BigInt.asIntN(128, value) !== value)
      fail(value, wideInteger('i128', value), path, member, index);
    return decimalJson(value as bigint);
  }

  /** Writes `address` or `bytesN`: hex digits with 0x. */
  fixed(value: unknown, length: number, path: string, member: string, index: number): string {
    if (!(value instanceof Uint8Array) || value.length !== length) {
      fail(value, `${length} bytes`, path, member, index);
    }
    return `"0x${toHex(value as Uint8Array)}"`;
  }

  /** Writes `hash` or `bytes32`: hex digits without a prefix. */
  digest(value: unknown, path: string, member: string, index: number): string {
    if (!(value instanceof Uint8Array) || value.length !== 32) fail(value, '32 bytes', path, member, index);
    return `"${toHex(value as Uint8Array)}"`;
  }

  bytes(value: unknown, max: number, path: string, member: string, index: number): string {
    if (!(value instanceof Uint8Array)) fail(value, 'bytes', path, member, index);
    const bytes = value as Uint8Array;
    if (bytes.length > max) fail(value, `at most ${max} bytes`, path, member, index);
    return `"0x${toHex(bytes)}"`;
  }

  string(value: unknown, max: number, path: string, member: string, index: number): string {
    if (typeof value !== 'string') fail(value, 'string', path, member, index);
    const text = value as string;
    if (text.length * 3 > max && utf8Length(text) > max) {
      fail(value, `at most ${max} bytes of UTF-8`, path, member, index);
    }
    return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
  }

  list(value: unknown, max: number, path: string): asserts value is readonly unknown[] {
    if (!Array.isArray(value)) fail(value, 'list', path, '', -1);
    if ((value as unknown[]).length > max) fail(value, `at most ${max} items`, path, '', -1);
  }

  exactList(value: unknown, length: number, path: string): asserts value is readonly unknown[] {
    if (!Array.isArray(value) || value.length !== length)
      fail(value, `list of ${length} items`, path, '', -1);
  }

  json(value: unknown, path: string, member: string, index: number): string {
    checkJson(value, joinPath(path, member, index), 0);
    return JSON.stringify(value);
  }

  nothing(value: unknown, path: string): void {
    if (value !== undefined && value !== null)
      fail(value, 'no value for a variant without payload', path, '.value', -1);
  }

  object(value: unknown, type: string, path: string): void {
    if (typeof value !== 'object' || value === null) fail(value, type, path, '', -1);
  }

  unknownVariant(tag: unknown, tags: readonly string[], path: string): never {
    fail(tag, `one of ${tags.join(', ')}`, path, '.type', -1);
  }
}

function fail(value: unknown, expected: string, path: string, member: string, index: number): never {
  throw new JsonEncodeError(joinPath(path, member, index), expected, describe(value));
}

/** JSON of a 64-bit integer: a number if JavaScript holds it exactly, else decimal digits in a string. */
export function integerJson(value: bigint): number | string {
  return isExact(value) ? Number(value) : `"${value}"`;
}

function isExact(value: bigint): boolean {
  return value <= MAX_SAFE && value >= -MAX_SAFE;
}

/** JSON of a 128-bit integer: decimal digits in a string. */
export function decimalJson(value: bigint): string {
  // Formatting a small number is four times as fast as a bigint.
  return isExact(value) ? `"${Number(value)}"` : `"${value}"`;
}

/** Length of a text in UTF-8 bytes; a lone surrogate counts as 3, the length of its replacement. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    length++;
    if (code < 0x800) continue;
    const next = code >= 0xd800 && code < 0xdc00 ? text.charCodeAt(i + 1) : 0;
    if (next >= 0xdc00 && next < 0xe000) {
      length++;
      i++;
    } else {
      length++;
    }
  }
  return length;
}

function checkJson(value: unknown, path: string, depth: number): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) fail(value, 'a finite number', path, '', -1);
      return;
    case 'object': {
      if (value === null) return;
      if (depth >= MAX_JSON_DEPTH)
        throw new JsonEncodeError(path, `at most ${MAX_JSON_DEPTH} levels`, 'more');
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) checkJson(value[i], `${path}[${i}]`, depth + 1);
        return;
      }
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null) fail(value, 'a JSON value', path, '', -1);
      if ('toJSON' in value && typeof value.toJSON === 'function') fail(value, 'a JSON value', path, '', -1);
      for (const [name, member] of Object.entries(value)) checkJson(member, `${path}.${name}`, depth + 1);
      return;
    }
    default:
      fail(value, 'a JSON value', path, '', -1);
  }
}
