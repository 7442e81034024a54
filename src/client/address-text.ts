import { fromHex, toHex, toPrefixedHex } from '../idl/hex.js';
import { ClientError } from './client-error.js';

/**
 * Parses an address written as `0x` and 40 hex digits of any case into its 20 bytes.
 * @throws ClientError `bad_address`
 *
 * @example
 * parseAddress('0x00000000000000000000000000000000000000Ff').length; // 20
 */
export function parseAddress(text: string): Uint8Array {
  const bytes = /^0x.{40}$/.test(text) ? fromHex(text, 2) : undefined;
  if (bytes === undefined) {
    throw new ClientError('bad_address', `expected an address (0x and 40 hex digits), got ${shorten(text)}`);
  }
  return bytes;
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
  if (address.length !== 20) {
    throw new ClientError('bad_address', `expected an address of 20 bytes, got ${address.length}`);
  }
  return toPrefixedHex(address);
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

function shorten(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
