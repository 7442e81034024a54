import type { JsonValue } from '../json-value.js';
import { BorshError, joinPath, MAX_RECURSION } from './codec-errors.js';

/** Up to these lengths a loop is faster than calling a native copy or decoder. */
const SHORT_COPY = 64;
const SHORT_TEXT = 32;

/** Untrusted types: the limit on composite values is a base plus an allowance for each input byte. */
const MIN_VALUES = 256;
const VALUES_A_BYTE = 2;

const EMPTY = new Uint8Array(0);

/**
 * Reads consecutive primitives. Strict: rejects all but one encoding of each value. Bytes are copied out, so the
 * input may be reused, unless they are shared. A value's place is (path, member, index); see {@link joinPath}.
 *
 * Hot path: guarded by bench/micro/codecs.bench.ts.
 */
export class BorshReader {
  #bytes: Uint8Array = EMPTY;
  #isShared = false;
  /** Created lazily: many inputs have no wide numbers. */
  #view: DataView | undefined;
  #at = 0;
  #end = 0;
  #depth = 0;
  #valuesLeft = 0;
  // A byte order mark is an ordinary character: dropping it would give a string two encodings.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /** @param isShared whether byte strings are views of the input instead of copies */
  begin(bytes: Uint8Array, isShared = false): void {
    this.#bytes = bytes;
    this.#isShared = isShared;
    this.#view = undefined;
    this.#at = 0;
    this.#end = bytes.length;
    this.#depth = 0;
    this.#valuesLeft = MIN_VALUES + VALUES_A_BYTE * bytes.length;
  }

  /** Number of bytes read. */
  get taken(): number {
    return this.#at;
  }

  finish(path: string): void {
    const left = this.#end - this.#at;
    if (left > 0) {
      const unit = left === 1 ? 'byte' : 'bytes';
      const reason = `the value ends here, but ${left} more ${unit} follow`;
      throw new BorshError('trailing_bytes', path, reason, this.#at);
    }
  }

  enter(path: string): void {
    if (++this.#depth > MAX_RECURSION) {
      throw new BorshError('too_deep', path, `expected at most ${MAX_RECURSION} levels`, this.#at);
    }
  }

  leave(): void {
    this.#depth--;
  }

  /**
   * Untrusted types: counts one composite value.
   * @param min minimum number of composite values that it holds, itself included, so that a value that would exceed
   *   the limit fails early
   */
  value(min: number, path: string): void {
    if (this.#valuesLeft >= min) {
      this.#valuesLeft--;
      return;
    }
    const max = MIN_VALUES + VALUES_A_BYTE * this.#end;
    throw new BorshError('too_long', path, `expected at most ${max} values`, this.#at);
  }

  bool(path: string, member: string, index: number): boolean {
    const at = this.#take(1, path, member, index);
    const flag = this.#bytes[at] as number;
    if (flag > 1) this.#badFlag(flag, 'bool', joinPath(path, member, index));
    return flag === 1;
  }

  u8(path: string, member: string, index: number): number {
    const at = this.#take(1, path, member, index);
    return this.#bytes[at] as number;
  }

  u16(path: string, member: string, index: number): number {
    return this.#numbers().getUint16(this.#take(2, path, member, index), true);
  }

  u32(path: string, member: string, index: number): number {
    return this.#numbers().getUint32(this.#take(4, path, member, index), true);
  }

  u64(path: string, member: string, index: number): bigint {
    return this.#numbers().getBigUint64(this.#take(8, path, member, index), true);
  }

  u128(path: string, member: string, index: number): bigint {
    const at = this.#take(16, path, member, index);
    const view = this.#numbers();
    const low = view.getBigUint64(at, true);
    const high = view.getBigUint64(at + 8, true);
    return high === 0n ? low : low | (high << 64n);
  }

  i8(path: string, member: string, index: number): number {
    return this.#numbers().getInt8(this.#take(1, path, member, index));
  }

  i16(path: string, member: string, index: number): number {
    return this.#numbers().getInt16(this.#take(2, path, member, index), true);
  }

  i32(path: string, member: string, index: number): number {
    return this.#numbers().getInt32(this.#take(4, path, member, index), true);
  }

  i64(path: string, member: string, index: number): bigint {
    return this.#numbers().getBigInt64(this.#take(8, path, member, index), true);
  }

  i128(path: string, member: string, index: number): bigint {
    const at = this.#take(16, path, member, index);
    const view = this.#numbers();
    return view.getBigUint64(at, true) | (view.getBigInt64(at + 8, true) << 64n);
  }

  fixed(length: number, path: string, member: string, index: number): Uint8Array {
    return this.#slice(this.#take(length, path, member, index), length);
  }

  bytes(max: number, path: string, member: string, index: number): Uint8Array {
    const length = this.#length(1, max, 'bytes', path, member, index);
    return this.#slice(this.#take(length, path, member, index), length);
  }

  string(max: number, path: string, member: string, index: number): string {
    const length = this.#length(1, max, 'bytes of UTF-8', path, member, index);
    const at = this.#take(length, path, member, index);
    const bytes = this.#bytes;
    if (length <= SHORT_TEXT) {
      let text = '';
      let i = 0;
      for (; i < length; i++) {
        const code = bytes[at + i] as number;
        if (code > 0x7f) break;
        text += String.fromCharCode(code);
      }
      if (i === length) return text;
    }
    try {
      return this.#decoder.decode(bytes.subarray(at, at + length));
    } catch (error) {
      // The decoder throws TypeError for invalid UTF-8.
      if (!(error instanceof TypeError)) throw error;
      throw new BorshError('bad_utf8', joinPath(path, member, index), 'expected UTF-8', at);
    }
  }

  /**
   * Reads the number of items of a list.
   * @param min minimum bytes of an item, so that a length beyond the input is rejected at once
   */
  count(min: number, max: number, path: string): number {
    return this.#length(min, max, 'items', path, '', -1);
  }

  /** Checks that the input can hold a list of fixed length. @param min minimum bytes of the list */
  exactCount(min: number, path: string): void {
    if (min > this.#end - this.#at) this.#short(min, path);
  }

  /** Reads the flag of an option. */
  flag(path: string, member: string, index: number): boolean {
    const at = this.#take(1, path, member, index);
    const flag = this.#bytes[at] as number;
    if (flag > 1) this.#badFlag(flag, 'option flag', joinPath(path, member, index));
    return flag === 1;
  }

  /** Reads the index of a variant. */
  variant(path: string): number {
    const at = this.#take(1, path, '', -1);
    return this.#bytes[at] as number;
  }

  unknownVariant(index: number, tags: readonly string[], path: string): never {
    const reason = `expected a variant from 0 to ${tags.length - 1}, got ${index}`;
    throw new BorshError('unknown_variant', path, reason, this.#at - 1);
  }

  /** Always throws; the return type suits generated code. */
  json(path: string, member: string, index: number): JsonValue {
    const where = joinPath(path, member, index);
    throw new BorshError('no_binary_form', where, 'json has no binary form', this.#at);
  }

  #length(min: number, max: number, unit: string, path: string, member: string, index: number): number {
    const at = this.#take(4, path, member, index);
    const length = this.#numbers().getUint32(at, true);
    if (length > max) {
      const reason = `expected at most ${max} ${unit}, got ${length}`;
      throw new BorshError('too_long', joinPath(path, member, index), reason, at);
    }
    if (length * min > this.#end - this.#at) this.#short(length * min, joinPath(path, member, index));
    return length;
  }

  #slice(at: number, length: number): Uint8Array {
    if (this.#isShared) return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + at, length);
    const copy = new Uint8Array(length);
    if (length > SHORT_COPY) {
      copy.set(this.#bytes.subarray(at, at + length));
      return copy;
    }
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) copy[i] = bytes[at + i] as number;
    return copy;
  }

  #numbers(): DataView {
    this.#view ??= new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    return this.#view;
  }

  #take(size: number, path: string, member: string, index: number): number {
    const at = this.#at;
    if (at + size > this.#end) this.#short(size, joinPath(path, member, index));
    this.#at = at + size;
    return at;
  }

  #short(size: number, path: string): never {
    const left = this.#end - this.#at;
    const reason = `expected ${size} more ${size === 1 ? 'byte' : 'bytes'}, got ${left === 0 ? 'the end of the input' : left}`;
    throw new BorshError('out_of_input', path, reason, this.#at);
  }

  #badFlag(flag: number, what: string, path: string): never {
    throw new BorshError('bad_flag', path, `expected 0 or 1 as ${what}, got ${flag}`, this.#at - 1);
  }
}

/** The reader shared by all codecs of a thread, so that they retain at most one input. Decodings never nest. */
export const borshReader: BorshReader = /* @__PURE__ */ new BorshReader();
