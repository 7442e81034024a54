/** Appends values in Borsh form: little-endian integers, u32 length prefixes, one byte for options and variants. */
export class BorshWriter {
  readonly #parts: Uint8Array[] = [];

  raw(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  /** An unsigned integer of `width` bytes. */
  uint(value: bigint, width: number): void {
    if (value < 0n || value >= 1n << BigInt(width * 8))
      throw new Error(`${value} does not fit ${width} bytes`);
    const bytes = new Uint8Array(width);
    let rest = value;
    for (let i = 0; i < width; i++) {
      bytes[i] = Number(rest & 0xffn);
      rest >>= 8n;
    }
    this.raw(bytes);
  }

  lengthPrefixed(bytes: Uint8Array): void {
    this.uint(BigInt(bytes.length), 4);
    this.raw(bytes);
  }

  finish(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }
}

/** Reads the output of {@link BorshWriter} and refuses any non-canonical, truncated or extended form. */
export class BorshReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  raw(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length)
      throw new Error(`ends at ${this.#bytes.length}, wanted ${length} more`);
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  uint(width: number): bigint {
    return this.raw(width).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }

  lengthPrefixed(): Uint8Array {
    return this.raw(Number(this.uint(4)));
  }

  /** A byte that is 0 or 1. */
  flag(): boolean {
    const byte = this.uint(1);
    if (byte > 1n) throw new Error(`a flag of ${byte} at byte ${this.#at - 1}`);
    return byte === 1n;
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new Error(`${this.#bytes.length - this.#at} bytes left over`);
  }
}
