import { fromHex } from '../idl/hex.js';
import { devAccount } from './signers.js';

/**
 * Reads an address as people write it: 40 hex digits of any case with or without `0x`, or `dev:0`, `dev:1` and on for
 * the development accounts.
 * @param devAddress the address of a development account
 * @returns undefined for other text
 */
export function addressOfText(
  text: string,
  devAddress: (index: number) => Uint8Array = (index) => devAccount(index).address,
): Uint8Array | undefined {
  const index = devIndex(text);
  return index === undefined ? bytesOfText(text, 20) : devAddress(index);
}

/** Reads a hash: 64 hex digits of any case with or without `0x`. Returns undefined for other text. */
export function hashOfText(text: string): Uint8Array | undefined {
  return bytesOfText(text, 32);
}

/** Reads `length` bytes in hex digits of any case with or without `0x`. Returns undefined for other text. */
export function bytesOfText(text: string, length: number): Uint8Array | undefined {
  const digits = text.replace(/^0x/i, '');
  return digits.length === 2 * length ? fromHex(digits, 0) : undefined;
}

/** The index in `dev:N`; undefined for other text. */
export function devIndex(text: string): number | undefined {
  const [, digits] = /^dev:(0|[1-9][0-9]{0,3})$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
