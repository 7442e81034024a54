import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { MAX_DEV_ACCOUNTS } from '../config/defaults.js';
import { ed25519Address, secp256k1Address } from '../crypto/address.js';
import { devSeed } from '../crypto/dev-accounts.js';
import type { Signature } from '../generated/ledger.js';
import { cached } from './cached.js';
import { ClientError } from './client-error.js';

export type KeyScheme = 'ed25519' | 'secp256k1';

/** An account that can sign. Implement it to keep the key elsewhere, for example in a hardware wallet. */
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
 * Creates a signer for an ed25519 key.
 * @param seed the private key, 32 bytes
 * @throws ClientError `bad_key`
 *
 * @example
 * const carol = ed25519Signer(newPrivateKey('ed25519'));
 * carol.publicKey.length; // 32
 */
export function ed25519Signer(seed: Uint8Array): Signer {
  if (seed.length !== 32) {
    throw new ClientError('bad_key', `ed25519: expected a private key of 32 bytes, got ${seed.length}`);
  }
  const key = seed.slice();
  const publicKey = ed25519.getPublicKey(key);
  const sign = cached(() => signFunction(key));
  return {
    scheme: 'ed25519',
    publicKey,
    address: ed25519Address({ sha256 }, publicKey),
    sign: async (hash) => ({
      type: 'ed25519',
      value: { public_key: publicKey, signature: await (await sign())(hash) },
    }),
  };
}

/**
 * Creates a signer for a secp256k1 key; its address is the one shown by wallets.
 * @param privateKey 32 bytes, between 1 and the group order − 1
 * @throws ClientError `bad_key`
 *
 * @example
 * const carol = secp256k1Signer(newPrivateKey('secp256k1'));
 * carol.publicKey.length; // 33
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
 * One of a development chain's funded accounts. Their keys are public: never use them elsewhere.
 * @param index 0 to 9, or up to 9,999 on a chain with more accounts (`heddle start --accounts`)
 * @throws ClientError `bad_key` for another index
 *
 * @example
 * formatAddress(devAccount(0).address); // '0x8628ebcb49f661e121feae211f22d5bc9d704dc1'
 */
export function devAccount(index: number): Signer {
  return ed25519Signer(devPrivateKey(index));
}

/**
 * The ed25519 private key of a development account, 32 bytes.
 * @param index as for {@link devAccount}
 * @throws ClientError `bad_key` for another index
 *
 * @example
 * const alice = ed25519Signer(devPrivateKey(0));
 * formatAddress(alice.address); // '0x8628ebcb49f661e121feae211f22d5bc9d704dc1'
 */
export function devPrivateKey(index: number): Uint8Array {
  if (!Number.isInteger(index) || index < 0 || index >= MAX_DEV_ACCOUNTS) {
    const reason = `development accounts are numbered 0 to ${MAX_DEV_ACCOUNTS - 1}, got ${index}`;
    throw new ClientError('bad_key', reason);
  }
  return devSeed({ sha256 }, index);
}

/**
 * A new random private key, 32 bytes.
 *
 * @example
 * newPrivateKey('ed25519').length; // 32
 */
export function newPrivateKey(scheme: KeyScheme): Uint8Array {
  return scheme === 'ed25519' ? ed25519.utils.randomSecretKey() : secp256k1.utils.randomSecretKey();
}

function uncompress(publicKey: Uint8Array): Uint8Array {
  return secp256k1.Point.fromBytes(publicKey).toBytes(false);
}

/** Prefix of the seed in the PKCS #8 encoding of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

type SignFunction = (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/**
 * Signs with Web Crypto if the platform supports ed25519: several times as fast, and off the calling thread. Otherwise
 * signs with @noble/curves; the signature (RFC 8032) is the same, byte for byte.
 */
async function signFunction(seed: Uint8Array): Promise<SignFunction> {
  const pure: SignFunction = (message) => ed25519.sign(message, seed);
  // Browsers provide `subtle` only on secure pages, and older browsers do not support Ed25519.
  const subtle: typeof crypto.subtle | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) return pure;
  const pkcs8 = Uint8Array.from([...PKCS8_PREFIX, ...seed]);
  try {
    const key = await subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
    return async (message) => new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(message)));
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') return pure;
    throw error;
  }
}
