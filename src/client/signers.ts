import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { ed25519Address, secp256k1Address } from '../crypto/address.js';
import { DEV_ACCOUNT_COUNT, devSeed } from '../crypto/dev-accounts.js';
import type { Signature } from '../generated/ledger.js';
import { ClientError } from './client-error.js';
import { Ed25519Key } from './ed25519-key.js';

export type KeyScheme = 'ed25519' | 'secp256k1';

/** An account that can sign. Bring your own to keep the key elsewhere, for instance in a hardware wallet. */
export interface Signer {
  readonly scheme: KeyScheme;
  /** 32 bytes for ed25519, 33 (compressed) for secp256k1. */
  readonly publicKey: Uint8Array;
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** Signs a transaction's hash, 32 bytes. */
  sign(hash: Uint8Array): Signature | Promise<Signature>;
}

/**
 * Signs with an ed25519 key.
 * @param seed the private key, 32 bytes
 * @throws ClientError `bad_key`
 */
export function ed25519Signer(seed: Uint8Array): Signer {
  if (seed.length !== 32) {
    throw new ClientError('bad_key', `ed25519: expected a private key of 32 bytes, got ${seed.length}`);
  }
  const key = new Ed25519Key(seed);
  const { publicKey } = key;
  return {
    scheme: 'ed25519',
    publicKey,
    address: ed25519Address({ sha256 }, publicKey),
    sign: async (hash) => ({
      type: 'ed25519',
      value: { public_key: publicKey, signature: await key.sign(hash) },
    }),
  };
}

/**
 * Signs with a secp256k1 key; the address is the one that wallets show for it.
 * @param privateKey 32 bytes, between 1 and the group order − 1
 * @throws ClientError `bad_key`
 */
export function secp256k1Signer(privateKey: Uint8Array): Signer {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) {
    throw new ClientError(
      'bad_key',
      `secp256k1: expected a private key of 32 bytes below the group order, got ${privateKey.length} bytes`,
    );
  }
  const key = privateKey.slice();
  const publicKey = secp256k1.getPublicKey(key, true);
  const address = secp256k1Address({ keccak256: keccak_256, secp256k1: { uncompress } }, publicKey);
  if (address === undefined) throw new ClientError('bad_key', 'secp256k1: the key has no address');
  return {
    scheme: 'secp256k1',
    publicKey,
    address,
    sign: (hash) => ({
      type: 'secp256k1',
      value: { public_key: publicKey, signature: secp256k1.sign(hash, key, { prehash: false, lowS: true }) },
    }),
  };
}

/**
 * One of the ten accounts that a development chain funds. Everybody knows their keys: never use them elsewhere.
 * @param index 0 to 9
 * @throws ClientError `bad_key` for another index
 *
 * @example
 * const alice = devAccount(0);
 */
export function devAccount(index: number): Signer {
  return ed25519Signer(devPrivateKey(index));
}

/**
 * The ed25519 private key of a development account, 32 bytes.
 * @param index 0 to 9
 * @throws ClientError `bad_key` for another index
 */
export function devPrivateKey(index: number): Uint8Array {
  if (!Number.isInteger(index) || index < 0 || index >= DEV_ACCOUNT_COUNT) {
    throw new ClientError(
      'bad_key',
      `development accounts are numbered 0 to ${DEV_ACCOUNT_COUNT - 1}, got ${index}`,
    );
  }
  return devSeed({ sha256 }, index);
}

/** A new random private key, 32 bytes. */
export function newPrivateKey(scheme: KeyScheme): Uint8Array {
  return scheme === 'ed25519' ? ed25519.utils.randomSecretKey() : secp256k1.utils.randomSecretKey();
}

function uncompress(publicKey: Uint8Array): Uint8Array {
  return secp256k1.Point.fromBytes(publicKey).toBytes(false);
}
