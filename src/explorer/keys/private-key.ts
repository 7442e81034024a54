import { ed25519Signer, type KeyScheme, type Signer, secp256k1Signer } from '../../client/client.js';
import { fromHex } from '../../idl/hex.js';

/** Thrown for text that is not a private key; the message never contains the text. */
export class PrivateKeyError extends Error {
  override readonly name = 'PrivateKeyError';
}

/** Reads a private key of 64 hex digits, with or without `0x`. @throws PrivateKeyError */
export function parsePrivateKey(text: string): Uint8Array {
  const digits = text.trim().replace(/^0x/i, '');
  const key = digits.length === 64 ? fromHex(digits, 0) : undefined;
  if (key !== undefined) return key;
  throw new PrivateKeyError(`Expected a private key of 64 hex digits, got ${digits.length} characters.`);
}

/** @param key 32 bytes @throws ClientError `bad_key` if the scheme has no such key */
export function signerOf(scheme: KeyScheme, key: Uint8Array): Signer {
  return scheme === 'ed25519' ? ed25519Signer(key) : secp256k1Signer(key);
}
