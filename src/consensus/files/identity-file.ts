import * as v from 'valibot';
import { ed25519Address } from '../../crypto/address.js';
import type { Crypto, Sha256 } from '../../crypto/crypto.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { bytesOf } from './hex-bytes.js';
import type { Passphrase } from './passphrase.js';
import { readSecretFile, SecretFileError, writeSecretFile } from './secret-file.js';

const keyText = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/));

const KIND = {
  name: 'identity key of a validator',
  /** Also accepts a user's key file as written by `heddle keys new`. */
  schema: v.strictObject({
    scheme: v.literal('ed25519'),
    private_key: keyText,
    public_key: v.optional(keyText),
    address: v.optional(v.string()),
  }),
};

export interface ValidatorIdentity {
  /** 32-byte ed25519 seed. Secret. */
  readonly seed: Uint8Array;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 20 bytes. */
  readonly address: Uint8Array;
}

type IdentityCrypto = Sha256 & {
  readonly ed25519: Pick<Crypto['ed25519'], 'publicKey'>;
};

/** @param seed 32 bytes */
export function identityOf(crypto: IdentityCrypto, seed: Uint8Array): ValidatorIdentity {
  const publicKey = crypto.ed25519.publicKey(seed);
  return { seed, publicKey, address: ed25519Address(crypto, publicKey) };
}

/**
 * Reads a validator's identity key.
 * @throws SecretFileError `missing`; `mismatch` if its public and private keys do not match; and as `readSecretFile`
 */
export async function readIdentityFile(
  crypto: IdentityCrypto,
  path: string,
  passphrase?: Passphrase,
): Promise<ValidatorIdentity> {
  const content = await readSecretFile(path, KIND, passphrase);
  if (content === undefined) throw new SecretFileError('missing', `${path}: there is no ${KIND.name}`);
  const { private_key, public_key } = content;
  const identity = identityOf(crypto, bytesOf(private_key));
  const own = toPrefixedHex(identity.publicKey);
  if (public_key !== undefined && public_key.toLowerCase() !== own) {
    throw new SecretFileError(
      'mismatch',
      `${path}: public_key is ${public_key}, but the private key has ${own}`,
    );
  }
  return identity;
}

/**
 * Writes or replaces a validator's identity key, encrypted under a passphrase or as plain text with mode 0600.
 * @throws SecretFileError `unreadable`
 */
export async function writeIdentityFile(
  path: string,
  { seed, publicKey, address }: ValidatorIdentity,
  passphrase?: Passphrase,
): Promise<void> {
  const content = {
    scheme: 'ed25519',
    private_key: toPrefixedHex(seed),
    public_key: toPrefixedHex(publicKey),
    address: toPrefixedHex(address),
  };
  await writeSecretFile(path, KIND, content, passphrase);
}
