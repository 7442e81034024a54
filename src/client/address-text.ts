import { describe } from '../idl/codecs/codec-errors.js';
import { fromHex, toHex, toPrefixedHex } from '../idl/hex.js';
import { ClientError } from './client-error.js';

/** An address: 20 bytes, or their 40 hex digits with or without `0x`. */
export type AddressLike = string | Uint8Array;

/** A hash: 32 bytes, or their 64 hex digits with or without `0x`. */
export type HashLike = string | Uint8Array;

/**
 * Parses an address, 40 hex digits of any case with or without `0x`, into its 20 bytes.
 * @throws ClientError `bad_address`
 *
 * @example
 * parseAddress('0x00000000000000000000000000000000000000Ff').length; // 20
 */
export function parseAddress(text: string): Uint8Array {
  const bytes = digits(text, 20);
  if (bytes !== undefined) return bytes;
  throw new ClientError('bad_address', `expected an address (0x and 40 hex digits), got ${shorten(text)}`);
}

/**
 * Parses a hash, 64 hex digits of any case with or without `0x`, into its 32 bytes.
 * @throws ClientError `bad_hash`
 *
 * @example
 * const { hashHex } = await alice.transfer({ to: bob.address, amount: 5n });
 * const { status } = await client.tx_by_hash({ tx_hash: parseHash(hashHex) });
 */
export function parseHash(text: string): Uint8Array {
  const bytes = digits(text, 32);
  if (bytes !== undefined) return bytes;
  throw new ClientError('bad_hash', `expected a hash (64 hex digits), got ${shorten(text)}`);
}

/** @param what the argument's name, for the message @throws ClientError `bad_address` */
export function addressBytes(address: AddressLike, what: string): Uint8Array {
  const expected = `${what}: expected an address (20 bytes, or 0x and 40 hex digits)`;
  return given(address, 20, 'bad_address', expected);
}

/** @param what the argument's name, for the message @throws ClientError `bad_hash` */
export function hashBytes(hash: HashLike, what: string): Uint8Array {
  return given(hash, 32, 'bad_hash', `${what}: expected a hash (32 bytes, or 64 hex digits)`);
}

/**
 * Formats an address as `0x` and 40 lowercase hex digits.
 * @param address 20 bytes
 * @throws ClientError `bad_address` for another length
 *
 * @example
 * formatAddress(new Uint8Array(20)); // '0x0000000000000000000000000000000000000000'
 */
export function formatAddress(address: Uint8Array): string {
  if (address.length === 20) return toPrefixedHex(address);
  throw new ClientError('bad_address', `expected an address of 20 bytes, got ${address.length}`);
}

/**
 * Formats a hash as 64 lowercase hex digits, without prefix.
 *
 * @example
 * const { tip } = await client.status();
 * formatHash(tip.hash).length; // 64
 */
export function formatHash(hash: Uint8Array): string {
  return toHex(hash);
}

function given(
  value: unknown,
  length: number,
  code: 'bad_address' | 'bad_hash',
  expected: string,
): Uint8Array {
  const bytes = typeof value === 'string' ? digits(value, length) : value;
  if (bytes instanceof Uint8Array && bytes.length === length) return bytes;
  throw new ClientError(code, `${expected}, got ${describe(value)}`);
}

/** The bytes of a text of `length` bytes with or without `0x`; undefined if it is none. */
function digits(text: string, length: number): Uint8Array | undefined {
  if (text.length === 2 * length) return fromHex(text, 0);
  return text.length === 2 * length + 2 && text.startsWith('0x') ? fromHex(text, 2) : undefined;
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
