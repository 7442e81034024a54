/*
 * Flat encoding of data exchanged by the threads of a block: copying one buffer to another thread costs the same
 * however many items it has, where separate objects would cost microseconds each. Numbers are little-endian. Both sides
 * are this program, so the reader does not validate.
 */
import type { Payment } from '../../ledger/payment-index.js';

const INITIAL_BYTES = 16 * 1024;
const ABSENT = 0xffff_ffff;
const LOW_64 = 0xffff_ffff_ffff_ffffn;

/** Writes values one after another. Hot: guarded by `bench/parallel.bench.ts`. */
export class FlatWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #at = 0;

  get length(): number {
    return this.#at;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  /** Overwrites a number written earlier. */
  u32At(place: number, value: number): void {
    this.#bytes.writeUInt32LE(value, place);
  }

  u64(value: bigint): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeBigUInt64LE(value, this.#at);
  }

  /** An amount, or a difference of amounts, below 2^191 in magnitude. */
  amount(value: bigint): void {
    this.#reserve(24);
    this.#at = this.#bytes.writeBigUInt64LE(value & LOW_64, this.#at);
    this.#at = this.#bytes.writeBigUInt64LE((value >> 64n) & LOW_64, this.#at);
    this.#at = this.#bytes.writeBigInt64LE(value >> 128n, this.#at);
  }

  /** Writes bytes whose length the reader knows. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Writes text of characters below 256, one byte each, whose length the reader knows. */
  name(text: string): void {
    this.#reserve(text.length);
    this.#at += this.#bytes.write(text, this.#at, 'latin1');
  }

  /** Writes length-prefixed bytes, or undefined. */
  bytes(bytes: Uint8Array | undefined): void {
    this.u32(bytes === undefined ? ABSENT : bytes.length);
    if (bytes !== undefined) this.raw(bytes);
  }

  list<T>(items: readonly T[], write: (item: T) => void): void {
    this.u32(items.length);
    for (const item of items) write(item);
  }

  /** Returns a copy of the bytes written. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.subarray(0, this.#at));
  }

  /** Returns a copy of the bytes written, in memory shared by threads. */
  finishShared(): Uint8Array<SharedArrayBuffer> {
    const shared = new Uint8Array(new SharedArrayBuffer(this.#at));
    shared.set(this.#bytes.subarray(0, this.#at));
    return shared;
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
  }
}

/** Reads what a {@link FlatWriter} wrote. Byte arrays are views of the buffer. */
export class FlatReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Number of bytes read so far. */
  get at(): number {
    return this.#at;
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  u32(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  u64(): bigint {
    const value = this.#bytes.readBigUInt64LE(this.#at);
    this.#at += 8;
    return value;
  }

  amount(): bigint {
    const low = this.u64();
    const middle = this.u64();
    const high = this.#bytes.readBigInt64LE(this.#at);
    this.#at += 8;
    return (high << 128n) | (middle << 64n) | low;
  }

  raw(length: number): Uint8Array {
    const start = this.#at;
    this.#at += length;
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  name(length: number): string {
    const start = this.#at;
    this.#at += length;
    return this.#bytes.toString('latin1', start, this.#at);
  }

  bytes(): Uint8Array | undefined {
    const length = this.u32();
    return length === ABSENT ? undefined : this.raw(length);
  }

  /** Reads bytes that are never undefined. */
  present(): Uint8Array {
    const bytes = this.bytes();
    if (bytes === undefined) throw new TypeError('flat bytes: expected bytes, got none');
    return bytes;
  }

  list<T>(read: () => T): T[] {
    const count = this.u32();
    const items: T[] = [];
    for (let place = 0; place < count; place++) items.push(read());
    return items;
  }
}

export function writePayment(writer: FlatWriter, { to, amount }: Payment): void {
  writer.name(to);
  writer.amount(amount);
}

export function readPayment(reader: FlatReader): Payment {
  return { to: reader.name(40), amount: reader.amount() };
}

export function encodeByteStrings(items: readonly Uint8Array[]): Uint8Array {
  const writer = new FlatWriter();
  writer.list(items, (item) => writer.bytes(item));
  return writer.finish();
}

/** Decodes the output of {@link encodeByteStrings}, as views of it. */
export function decodeByteStrings(encoded: Uint8Array): Uint8Array[] {
  const reader = new FlatReader(encoded);
  return reader.list(() => reader.present());
}
