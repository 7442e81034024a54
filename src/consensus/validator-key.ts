import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { errorMessage } from '../base/errors.js';
import type { Bls, BlsKeys, Sha256 } from '../crypto/crypto.js';
import { CryptoError } from '../crypto/crypto-error.js';
import { encodeScalar, modOrder } from '../crypto/scalars/scalars.js';
import { toHex } from '../idl/hex.js';

/** Thrown when a validator's key is unusable; the message never contains the private key. */
export class ValidatorKeyError extends Error {
  override readonly name = 'ValidatorKeyError';
}

const keyFileSchema = v.object({
  scheme: v.literal('bls12-381'),
  private_key: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/)),
});

/** The public group key of every development chain: sha256("heddle dev validator bls") mod r, 32 bytes. */
export function devValidatorKey(crypto: Sha256): Uint8Array {
  const digest = Buffer.from(crypto.sha256(new TextEncoder().encode('heddle dev validator bls')));
  return encodeScalar(modOrder(BigInt(`0x${digest.toString('hex')}`)));
}

/**
 * Reads the group key of a chain with one validator from JSON, `{"scheme": "bls12-381", "private_key": "0x…"}`.
 * @param groupPublicKey the genesis's group public key, 48 bytes
 * @returns the private key, 32 bytes
 * @throws ValidatorKeyError if the file is not a key file or holds another key
 */
export function readValidatorKey(path: string, bls: Bls, groupPublicKey: Uint8Array): Uint8Array {
  const privateKey = parseKey(path);
  const own = toHex(publicKeyOf(path, bls, privateKey));
  const expected = toHex(groupPublicKey);
  if (own !== expected) {
    throw new ValidatorKeyError(
      `${path}: not the key of the genesis: its public key is 0x${own}, but the genesis has group_public_key 0x${expected}`,
    );
  }
  return privateKey;
}

/** The public key of a validator's key file, 48 bytes. @throws ValidatorKeyError if the file is not a key file */
export function validatorPublicKey(path: string, bls: BlsKeys): Uint8Array {
  return publicKeyOf(path, bls, parseKey(path));
}

function publicKeyOf(path: string, bls: BlsKeys, privateKey: Uint8Array): Uint8Array {
  try {
    return bls.publicKey(privateKey);
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    throw new ValidatorKeyError(`${path}: ${error.message}`, { cause: error });
  }
}

function parseKey(path: string): Uint8Array {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = errorMessage(error);
    throw new ValidatorKeyError(`${path}: cannot read the validator's key: ${reason}`, { cause: error });
  }
  const parsed = v.safeParse(keyFileSchema, jsonOrNothing(content));
  if (!parsed.success) {
    throw new ValidatorKeyError(
      `${path}: not a validator's key: expected JSON such as {"scheme": "bls12-381", "private_key": "0x…64 hex digits"}`,
    );
  }
  return Uint8Array.from(Buffer.from(parsed.output.private_key.slice(2), 'hex'));
}

/** Parses JSON. Hides the engine's error message, which quotes the text around the error and so possibly the key. */
function jsonOrNothing(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
