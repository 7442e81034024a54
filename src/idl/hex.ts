/** The methods of Node's Buffer used by the fast paths; other runtimes use tables. */
interface NativeHex {
  hexSlice(this: Uint8Array, start: number, end: number): string;
  hexWrite(this: Uint8Array, text: string, offset: number, length: number): number;
}

function nativeHex(): NativeHex | undefined {
  if (typeof Buffer !== 'function') return undefined;
  const prototype: object = Buffer.prototype;
  const { hexSlice, hexWrite } = prototype as Partial<NativeHex>;
  return typeof hexSlice === 'function' && typeof hexWrite === 'function'
    ? { hexSlice, hexWrite }
    : undefined;
}

const NATIVE = nativeHex();
const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** Value of an ASCII character as a hex digit; −1 for all others. */
const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  VALUES[digit.charCodeAt(0)] = value;
  VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Up to this length a loop is faster than calling a native decoder. */
const SHORT_BYTES = 64;

/** Encodes as lowercase hex without a prefix. */
export function toHex(bytes: Uint8Array): string {
  return partToHex(bytes, 0, bytes.length);
}

/** Encodes a part of the bytes as lowercase hex without a prefix. */
export function partToHex(bytes: Uint8Array, start: number, end: number): string {
  // Many values are empty, and a native call takes a tenth of a microsecond.
  if (start === end) return '';
  if (NATIVE !== undefined) return NATIVE.hexSlice.call(bytes, start, end);
  let text = '';
  for (let i = start; i < end; i++) text += DIGITS[bytes[i] as number];
  return text;
}

/** Encodes as lowercase hex with the prefix `0x`. */
export function toPrefixedHex(bytes: Uint8Array): string {
  return `0x${toHex(bytes)}`;
}

/**
 * Decodes hex digits of either case, from `start` to the end of `text`.
 * @returns undefined if the rest of the text is not an even number of hex digits
 */
export function fromHex(text: string, start: number): Uint8Array | undefined {
  const digits = text.length - start;
  if (digits % 2 !== 0) return undefined;
  const length = digits / 2;
  const bytes = new Uint8Array(length);
  if (length > SHORT_BYTES && NATIVE !== undefined) {
    return NATIVE.hexWrite.call(bytes, text.slice(start), 0, length) === length ? bytes : undefined;
  }
  let at = start;
  for (let i = 0; i < length; i++) {
    const high = text.charCodeAt(at++);
    const low = text.charCodeAt(at++);
    if ((high | low) > 127) return undefined;
    const value = ((VALUES[high] as number) << 4) | (VALUES[low] as number);
    if (value < 0) return undefined;
    bytes[i] = value;
  }
  return bytes;
}
