import * as v from 'valibot';
import { sameBytes } from '../../base/same-bytes.js';
import type { BlsKeys } from '../../crypto/crypto.js';
import { decodeScalar, encodeScalar, type RandomBytes, randomScalar } from '../../crypto/scalars/scalars.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { hexBytes } from './hex-bytes.js';
import type { Passphrase } from './passphrase.js';
import { malformed, readSecretFile, SecretFileError, writeSecretFile } from './secret-file.js';

const KIND = {
  name: 'encryption keys of a validator',
  schema: v.strictObject({
    // Files of earlier versions say more about a key.
    keys: v.pipe(v.array(v.object({ private_key: hexBytes(32), public_key: hexBytes(48) })), v.minLength(1)),
  }),
};

/** A key that dealers use to encrypt evaluations for this validator. */
export interface EncryptionKey {
  /** x, 32 bytes, big-endian, from 1 to the group order minus 1. Secret. */
  readonly privateKey: Uint8Array;
  /** X = x·G1, 48 bytes. */
  readonly publicKey: Uint8Array;
}

export function newEncryptionKey(bls: BlsKeys, random: RandomBytes): EncryptionKey {
  const privateKey = encodeScalar(randomScalar(random));
  return { privateKey, publicKey: bls.publicKey(privateKey) };
}

/**
 * Reads a validator's encryption keys, at least one, oldest first.
 * @throws SecretFileError `missing`; `mismatch` if the halves of a key do not match; and as `readSecretFile`
 */
export async function readEncryptionFile(
  bls: BlsKeys,
  path: string,
  passphrase?: Passphrase,
): Promise<readonly EncryptionKey[]> {
  const content = await readSecretFile(path, KIND, passphrase);
  if (content === undefined) throw new SecretFileError('missing', `${path}: there are no ${KIND.name}`);
  return content.keys.map(({ private_key: privateKey, public_key: publicKey }) => {
    if (decodeScalar(privateKey) === undefined) throw malformed(path, KIND);
    if (sameBytes(bls.publicKey(privateKey), publicKey)) return { privateKey, publicKey };
    const message = `${path}: a private key does not match ${toPrefixedHex(publicKey)}`;
    throw new SecretFileError('mismatch', message);
  });
}

/**
 * Writes or replaces a validator's encryption keys, encrypted under a passphrase or as plain text with mode 0600.
 * Resolves once the file is synced.
 * @param keys at least one, oldest first
 * @throws SecretFileError `unreadable` if the system refuses
 */
export async function writeEncryptionFile(
  path: string,
  keys: readonly EncryptionKey[],
  passphrase?: Passphrase,
): Promise<void> {
  const content = keys.map(({ privateKey, publicKey }) => ({
    private_key: toPrefixedHex(privateKey),
    public_key: toPrefixedHex(publicKey),
  }));
  await writeSecretFile(path, KIND, { keys: content }, passphrase);
}
