/** Encodes a value (0 ≤ value < 2^64) as 8 big-endian bytes, so that byte order is numeric order. */
export function be64(value: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  writeBe64(bytes, 0, value);
  return bytes;
}

export function writeBe64(bytes: Uint8Array, offset: number, value: bigint): void {
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).setBigUint64(offset, value);
}

export function readBe64(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(offset);
}
