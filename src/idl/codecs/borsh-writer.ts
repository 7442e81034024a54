import {
  BorshError,
  type BorshErrorCode,
  describe,
  joinPath,
  MAX_RECURSION,
  wideInteger,
} from './codec-errors.js';

const INITIAL_CAPACITY = 4096;
/** A buffer larger than this is not kept for the next encoding. */
const KEPT_CAPACITY = 1 << 20;
/** Up to this length a loop is faster than calling a native copy. */
const SHORT_COPY = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Writes consecutive primitives. Every method checks its value, so the output is always a valid encoding. A value's
 * place is (path, member, index); see {@link joinPath}.
 *
 * Hot path: guarded by bench/micro/codecs.bench.ts.
 */
export class BorshWriter {
  #bytes = new Uint8Array(INITIAL_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  #depth = 0;
  readonly #encoder = new TextEncoder();

  begin(): void {
    this.#at = 0;
    this.#depth = 0;
    if (this.#bytes.length > KEPT_CAPACITY) this.#resize(INITIAL_CAPACITY, 0);
  }

  /** The bytes written since {@link begin}, in memory that the next encoding overwrites. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  enter(path: string): void {
    if (++this.#depth > MAX_RECURSION) {
      throw new BorshError('too_deep', path, `expected at most ${MAX_RECURSION} levels`);
    }
  }

  leave(): void {
    this.#depth--;
  }

  bool(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'boolean') fail(value, 'bool', path, member, index);
    this.variant(value === true ? 1 : 0);
  }

  u8(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'number' || (value & 0xff) !== value) fail(value, 'u8', path, member, index);
    const at = this.#reserve(1);
    this.#bytes[at] = value as number;
  }

  u16(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'number' || (value & 0xffff) !== value) fail(value, 'u16', path, member, index);
    const at = this.#reserve(2);
    this.#view.setUint16(at, value as number, true);
  }

  u32(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'number' || value >>> 0 !== value) fail(value, 'u32', path, member, index);
    const at = this.#reserve(4);
    this.#view.setUint32(at, value as number, true);
  }

  u64(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'bigint' || BigInt.asUintN(64, value) !== value)
      fail(value, wideInteger('u64', value), path, member, index);
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value as bigint, true);
  }

  u128(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'bigint' || BigInt.asUintN(128, value) !== value)
      fail(value, wideInteger('u128', value), path, member, index);
    this.#wide(value as bigint);
  }

  i8(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'number' || (value << 24) >> 24 !== value) fail(value, 'i8', path, member, index);
    const at = this.#reserve(1);
    this.#view.setInt8(at, value as number);
  }

  i16(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'number' || (value << 16) >> 16 !== value) fail(value, 'i16', path, member, index);
    const at = this.#reserve(2);
    this.#view.setInt16(at, value as number, true);
  }

  i32(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'number' || (value | 0) !== value) fail(value, 'i32', path, member, index);
    const at = this.#reserve(4);
    this.#view.setInt32(at, value as number, true);
  }

  i64(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value)
      fail(value, wideInteger('i64', value), path, member, index);
    const at = this.#reserve(8);
    this.#view.setBigInt64(at, value as bigint, true);
  }

  i128(value: unknown, path: string, member: string, index: number): void {
    if (typeof value !== 'bigint' || BigInt.asIntN(128, value) !== value)
      fail(value, wideInteger('i128', value), path, member, index);
    this.#wide(value as bigint);
  }

  /** Writes `address`, `hash` or `bytesN`: exactly `length` bytes. */
  fixed(value: unknown, length: number, path: string, member: string, index: number): void {
    if (!(value instanceof Uint8Array) || value.length !== length) {
      fail(value, `${length} bytes`, path, member, index);
    }
    this.#copy(value as Uint8Array);
  }

  bytes(value: unknown, max: number, path: string, member: string, index: number): void {
    if (!(value instanceof Uint8Array)) fail(value, 'bytes', path, member, index);
    const bytes = value as Uint8Array;
    this.#length(bytes.length, max, 'bytes', path, member, index);
    this.#copy(bytes);
  }

  string(value: unknown, max: number, path: string, member: string, index: number): void {
    if (typeof value !== 'string') fail(value, 'string', path, member, index);
    const text = value as string;
    const start = this.#reserve(4 + text.length * 3);
    const body = start + 4;
    let written = 0;
    if (text.length <= SHORT_COPY) {
      while (written < text.length) {
        const code = text.charCodeAt(written);
        if (code > 0x7f) break;
        this.#bytes[body + written] = code;
        written++;
      }
    }
    if (written < text.length) {
      if (LONE_SURROGATE.test(text)) fail(value, 'a string without lone surrogates', path, member, index);
      written = this.#encoder.encodeInto(text, this.#bytes.subarray(body)).written;
    }
    this.#at = start;
    this.#length(written, max, 'bytes of UTF-8', path, member, index);
    this.#at = body + written;
  }

  /** Writes the number of items of a list. */
  count(value: unknown, max: number, path: string): asserts value is readonly unknown[] {
    if (!Array.isArray(value)) fail(value, 'list', path, '', -1);
    this.#length(value.length, max, 'items', path, '', -1);
  }

  /** Checks a list of fixed length, which has no length prefix. */
  exactCount(value: unknown, length: number, path: string): asserts value is readonly unknown[] {
    if (!Array.isArray(value) || value.length !== length)
      fail(value, `list of ${length} items`, path, '', -1);
  }

  /** Writes the index of a variant or the flag of an option. */
  variant(index: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = index;
  }

  /** Rejects a value for a variant without payload. */
  nothing(value: unknown, path: string): void {
    if (value !== undefined && value !== null)
      fail(value, 'no value for a variant without payload', path, '.value', -1);
  }

  object(value: unknown, type: string, path: string): void {
    if (typeof value !== 'object' || value === null) fail(value, type, path, '', -1);
  }

  unknownVariant(tag: unknown, tags: readonly string[], path: string): never {
    throw wrong('unknown_variant', tag, `one of ${tags.join(', ')}`, path, '.type', -1);
  }

  json(path: string, member: string, index: number): never {
    throw new BorshError('no_binary_form', joinPath(path, member, index), 'json has no binary form');
  }

  #length(length: number, max: number, unit: string, path: string, member: string, index: number): void {
    if (length > max) {
      const reason = `expected at most ${max} ${unit}, got ${length}`;
      throw new BorshError('too_long', joinPath(path, member, index), reason);
    }
    const at = this.#reserve(4);
    this.#view.setUint32(at, length, true);
  }

  /** Writes 128 bits in two's complement. */
  #wide(value: bigint): void {
    const at = this.#reserve(16);
    this.#view.setBigUint64(at, value, true);
    this.#view.setBigInt64(at + 8, value >> 64n, true);
  }

  #copy(value: Uint8Array): void {
    const { length } = value;
    const at = this.#reserve(length);
    if (length > SHORT_COPY) {
      this.#bytes.set(value, at);
      return;
    }
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) bytes[at + i] = value[i] as number;
  }

  #reserve(size: number): number {
    const at = this.#at;
    if (at + size > this.#bytes.length) this.#resize(Math.max(this.#bytes.length * 2, at + size), at);
    this.#at = at + size;
    return at;
  }

  #resize(capacity: number, kept: number): void {
    const bytes = new Uint8Array(capacity);
    bytes.set(this.#bytes.subarray(0, kept));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/**
 * The writer shared by all codecs of a thread. Generated functions use it as a constant, which is a tenth faster than a
 * parameter: `npm run bench -- codecs`.
 */
export const borshWriter: BorshWriter = /* @__PURE__ */ new BorshWriter();

function fail(value: unknown, expected: string, path: string, member: string, index: number): never {
  throw wrong('wrong_value', value, expected, path, member, index);
}

function wrong(
  code: BorshErrorCode,
  value: unknown,
  expected: string,
  path: string,
  member: string,
  index: number,
): BorshError {
  return new BorshError(code, joinPath(path, member, index), `expected ${expected}, got ${describe(value)}`);
}
