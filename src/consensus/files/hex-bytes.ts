import * as v from 'valibot';

/** Schema of `0x` and lowercase hexadecimal digits, read as bytes. @param length expected number of bytes; any if undefined */
export function hexBytes(length?: number) {
  const digits = length === undefined ? '([0-9a-f]{2})*' : `[0-9a-f]{${2 * length}}`;
  return v.pipe(v.string(), v.regex(new RegExp(`^0x${digits}$`)), v.transform(bytesOf));
}

/** @param prefixedHex valid */
export function bytesOf(prefixedHex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(prefixedHex.slice(2), 'hex'));
}
