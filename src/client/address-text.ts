import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { ClientError } from './client-error.js';

/**
 * The 20 bytes of an address written as `0x` and 40 hex digits of any case.
 * @throws ClientError `bad_address`
 *
 * @example
 * const to = parseAddress('0x00000000000000000000000000000000000000Ff');
 */
export function parseAddress(text: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw new ClientError('bad_address', `expected an address (0x and 40 hex digits), got ${shorten(text)}`);
  }
  return hexToBytes(text.slice(2));
}

/**
 * An address as `0x` and 40 lowercase hex digits.
 * @param address 20 bytes
 * @throws ClientError `bad_address` for another length
 */
export function formatAddress(address: Uint8Array): string {
  if (address.length !== 20) {
    throw new ClientError('bad_address', `expected an address of 20 bytes, got ${address.length}`);
  }
  return `0x${bytesToHex(address)}`;
}

/** A hash as 64 lowercase hex digits, without prefix. */
export function formatHash(hash: Uint8Array): string {
  return bytesToHex(hash);
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
