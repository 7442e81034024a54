/**
 * Keys and hashes as words: 32 bytes are eight 32-bit words of an Int32Array over the same memory, which are copied and
 * compared many times faster than byte views. An entry of the tree is sixteen words: key, then leaf hash. Words are in
 * native byte order; the tree refuses to start on a big-endian platform.
 *
 * Hot path: guarded by bench/tree.bench.ts. Indices are in range by construction, so the type assertions are safe.
 */

export const HASH_WORDS = 8;
export const ENTRY_WORDS = 16;

export const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

export function copyHash(from: Int32Array, fromAt: number, to: Int32Array, toAt: number): void {
  to[toAt] = from[fromAt] as number;
  to[toAt + 1] = from[fromAt + 1] as number;
  to[toAt + 2] = from[fromAt + 2] as number;
  to[toAt + 3] = from[fromAt + 3] as number;
  to[toAt + 4] = from[fromAt + 4] as number;
  to[toAt + 5] = from[fromAt + 5] as number;
  to[toAt + 6] = from[fromAt + 6] as number;
  to[toAt + 7] = from[fromAt + 7] as number;
}

export function copyEntry(from: Int32Array, fromAt: number, to: Int32Array, toAt: number): void {
  copyHash(from, fromAt, to, toAt);
  copyHash(from, fromAt + HASH_WORDS, to, toAt + HASH_WORDS);
}

export function sameHash(a: Int32Array, aAt: number, b: Int32Array, bAt: number): boolean {
  for (let i = 0; i < HASH_WORDS; i++) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}

/** Compares two keys as byte strings: negative, zero or positive. */
export function compareKeys(a: Int32Array, aAt: number, b: Int32Array, bAt: number): number {
  for (let i = 0; i < HASH_WORDS; i++) {
    const left = a[aAt + i] as number;
    const right = b[bAt + i] as number;
    if (left !== right) return bigEndian(left) - bigEndian(right);
  }
  return 0;
}

/** Bit `depth` of a key; bit 0 is the most significant bit of its first byte. */
export function keyBit(words: Int32Array, at: number, depth: number): number {
  const shift = (((depth >> 3) & 3) << 3) + 7 - (depth & 7);
  return ((words[at + (depth >> 5)] as number) >>> shift) & 1;
}

/** The six bits of a key that choose a page's child: bits 6 × level to 6 × level + 5. @param level 0 to 41 */
export function keySlot(words: Int32Array, at: number, level: number): number {
  const bit = level * 6;
  const first = bit >> 3;
  const two = (keyByte(words, at, first) << 8) | keyByte(words, at, first + 1);
  return (two >>> (10 - (bit & 7))) & 63;
}

/** Copies words to a new byte array. */
export function bytesOfWords(words: Int32Array, at: number, count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(words.buffer, words.byteOffset + at * 4, count * 4).slice();
}

/** Copies bytes to a new word array; the length must be a multiple of four. */
export function wordsOfBytes(bytes: Uint8Array): Int32Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  return new Int32Array(copy.buffer);
}

function keyByte(words: Int32Array, at: number, index: number): number {
  return ((words[at + (index >> 2)] as number) >>> ((index & 3) << 3)) & 0xff;
}

function bigEndian(word: number): number {
  return (((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}
