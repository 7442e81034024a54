/** Encodes a value (0 ≤ value < 2^64) as 8 big-endian bytes, so that byte order is numeric order. */
export function be64(value: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  writeBe64(bytes, 0, value);
  return bytes;
}

const word = new DataView(new ArrayBuffer(8));
const wordBytes = new Uint8Array(word.buffer);

export function writeBe64(bytes: Uint8Array, offset: number, value: bigint): void {
  // A view of a short array moves its bytes out of the heap: that takes five times as long as a copy.
  word.setBigUint64(0, value);
  for (let i = 0; i < 8; i++) bytes[offset + i] = wordBytes[i] as number;
}

export function writeBe32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24;
  bytes[offset + 1] = value >>> 16;
  bytes[offset + 2] = value >>> 8;
  bytes[offset + 3] = value;
}

export function readBe64(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(offset);
}
