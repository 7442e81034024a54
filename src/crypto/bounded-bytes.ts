/** Bounds on numbers in byte strings. Without Node's Buffer, because this also runs in browsers. */
import { CryptoError } from './crypto-error.js';

/**
 * True if the big-endian number at `offset`, with the top byte masked, is below a bound of the same length.
 *
 * @param step -1 for a little-endian number, whose most significant byte is at `offset`
 */
export function isBelow(
  bytes: Uint8Array,
  offset: number,
  bound: Uint8Array,
  topMask = 0xff,
  step: 1 | -1 = 1,
): boolean {
  for (let i = 0; i < bound.length; i++) {
    const value = (bytes[offset + step * i] ?? 0) & (i === 0 ? topMask : 0xff);
    const limit = bound[i] ?? 0;
    if (value !== limit) return value < limit;
  }
  return false;
}

/** True if the 32 big-endian bytes at `offset` are at least 1 and below `bound`. */
export function isBetweenOneAnd(bytes: Uint8Array, offset: number, bound: Uint8Array): boolean {
  if (!isBelow(bytes, offset, bound)) return false;
  for (let i = 0; i < 32; i++) if (bytes[offset + i] !== 0) return true;
  return false;
}

/** @throws CryptoError `invalid_private_key` unless the key is 32 bytes and between 1 and the group order minus 1 */
export function expectPrivateKey(curve: string, privateKey: Uint8Array, order: Uint8Array): void {
  if (privateKey.length === 32 && isBetweenOneAnd(privateKey, 0, order)) return;
  throw new CryptoError(
    'invalid_private_key',
    `${curve} private key: expected 32 bytes holding a number between 1 and the group order minus 1, got ${
      privateKey.length === 32 ? 'a number outside that range' : `${privateKey.length} bytes`
    }`,
  );
}

/** Decodes the digits of a constant. */
export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}
