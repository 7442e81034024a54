const UTF8 = new TextEncoder();

/** Writes the primitives of the WebAssembly binary format into a growing buffer. */
export class BinaryWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Discards the contents and keeps the buffer. */
  clear(): void {
    this.#length = 0;
  }

  /** The bytes written, valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of the bytes written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  raw(...values: readonly number[]): this {
    for (const value of values) this.byte(value);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Writes the length and the bytes. */
  sized(bytes: Uint8Array): this {
    return this.u32(bytes.length).bytes(bytes);
  }

  name(text: string): this {
    return this.sized(UTF8.encode(text));
  }

  /** Writes an unsigned LEB128 of a number below 2^32. */
  u32(value: number): this {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.byte(rest);
  }

  /** Writes a signed LEB128 of a number from −2^31 to 2^32 − 1, without wrapping. */
  s33(value: number): this {
    return this.s64(BigInt(value));
  }

  /** Writes a signed LEB128. */
  s64(value: bigint): this {
    let rest = value;
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)) return this.byte(low);
      this.byte(low | 0x80);
    }
  }

  #reserve(more: number): void {
    if (this.#length + more > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
      grown.set(this.view());
      this.#bytes = grown;
    }
  }
}
