import { ModuleRefused, type RefusalRule } from './module-refused.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the primitives of the WebAssembly binary format (specification 5.2) and refuses every invalid encoding. */
export class BinaryReader {
  /** Index of the function being read, for refusals. */
  functionIndex: number | undefined;

  constructor(
    readonly bytes: Uint8Array,
    /** Position of the next byte, from the start of the module. */
    public offset = 0,
    /** End of the section, body or module being read. */
    public end = bytes.length,
  ) {}

  get atEnd(): boolean {
    return this.offset >= this.end;
  }

  /** Returns the error to throw when `rule` is broken at `offset`. */
  refusal(rule: RefusalRule, detail: string, offset = this.offset): ModuleRefused {
    const place =
      this.functionIndex === undefined ? { offset } : { offset, functionIndex: this.functionIndex };
    return new ModuleRefused(rule, detail, place);
  }

  byte(): number {
    const byte = this.offset < this.end ? this.bytes[this.offset] : undefined;
    if (byte === undefined) throw this.refusal('malformed', 'unexpected end');
    this.offset += 1;
    return byte;
  }

  /** Returns a view of the next `length` bytes. */
  take(length: number): Uint8Array {
    if (length > this.end - this.offset) {
      throw this.refusal('malformed', `expected ${length} bytes, ${this.end - this.offset} are left`);
    }
    this.offset += length;
    return this.bytes.subarray(this.offset - length, this.offset);
  }

  /** Reads an unsigned 32-bit LEB128. */
  u32(): number {
    const start = this.offset;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      if (shift === 28 && byte > 0x0f) {
        throw this.refusal('malformed', 'number does not fit in 32 bits', start);
      }
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw this.refusal('malformed', 'number is too long', start);
  }

  /** Reads a signed 32-bit LEB128. */
  s32(): number {
    return Number(BigInt.asIntN(32, this.#signed(32)));
  }

  /** Reads a signed 33-bit LEB128, the encoding of a block type. */
  s33(): number {
    return Number(this.#signed(33));
  }

  /** Reads a signed 64-bit LEB128. */
  s64(): bigint {
    return this.#signed(64);
  }

  /** Reads a UTF-8 name of at most `limit` bytes. */
  name(limit: number): string {
    const start = this.offset;
    const length = this.u32();
    const bytes = this.take(length);
    if (length > limit) {
      throw this.refusal('limit', `expected a name of at most ${limit} bytes, got ${length}`, start);
    }
    try {
      return UTF8.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) throw this.refusal('malformed', 'name is not UTF-8', start);
      throw error;
    }
  }

  /** Reads a vector's length and checks it against the bytes left, so that a false count costs nothing. */
  count(what: string, limit: number): number {
    const start = this.offset;
    const count = this.u32();
    if (count > this.end - this.offset) {
      throw this.refusal('malformed', `${count} ${what} cannot fit in the bytes that are left`, start);
    }
    if (count > limit) throw this.refusal('limit', `expected at most ${limit} ${what}, got ${count}`, start);
    return count;
  }

  /** Reads a vector, like {@link count}. */
  vector<T>(what: string, limit: number, read: () => T): T[] {
    const items: T[] = [];
    for (let left = this.count(what, limit); left > 0; left--) items.push(read());
    return items;
  }

  #signed(bits: number): bigint {
    const start = this.offset;
    let low = 0;
    let shift = 0;
    // Short numbers, the common case, need no bigint arithmetic.
    for (; shift < 28; shift += 7) {
      const byte = this.byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        const unused = 32 - (shift + 7);
        return BigInt((low << unused) >> unused);
      }
    }
    let value = BigInt(low >>> 0);
    for (; shift < bits; shift += 7) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) {
        const width = shift + 7;
        const result = BigInt.asIntN(width, value);
        if (result !== BigInt.asIntN(bits, result)) {
          throw this.refusal('malformed', `number does not fit in ${bits} bits`, start);
        }
        return result;
      }
    }
    throw this.refusal('malformed', 'number is too long', start);
  }
}
