import type { Crypto, Secp256k1, Sha256 } from './crypto.js';
import { CryptoError, expectLength } from './crypto-error.js';

/** The 20-byte address of an ed25519 key: the last 20 bytes of sha256(0x00 ‖ public_key32). */
export function ed25519Address(crypto: Sha256, publicKey: Uint8Array): Uint8Array {
  expectLength('ed25519 public key', publicKey, 32);
  const preimage = new Uint8Array(33);
  preimage.set(publicKey, 1);
  return crypto.sha256(preimage).slice(12);
}

/**
 * The 20-byte address of a secp256k1 key, as shown by wallets: the last 20 bytes of keccak256 over the uncompressed key
 * without its prefix byte.
 * @param publicKey compressed, 33 bytes
 * @returns undefined if the key is not on the curve
 */
export function secp256k1Address(
  crypto: Pick<Crypto, 'keccak256'> & { readonly secp256k1: Pick<Secp256k1, 'uncompress'> },
  publicKey: Uint8Array,
): Uint8Array | undefined {
  const uncompressed = crypto.secp256k1.uncompress(publicKey);
  return uncompressed === undefined ? undefined : crypto.keccak256(uncompressed.subarray(1)).slice(12);
}

/**
 * The 20-byte address of a contract: the last 20 bytes of sha256(0x01 ‖ deployer20 ‖ u64le(deploy_index)).
 * @param deployer address of the deploying account, 20 bytes
 * @param index number of contracts the account deployed before, 0 ≤ index < 2^64
 */
export function contractAddress(crypto: Sha256, deployer: Uint8Array, index: bigint): Uint8Array {
  expectLength('deployer address', deployer, 20);
  if (index < 0n || index >= 1n << 64n) {
    throw new CryptoError('out_of_range', `deploy index: expected an unsigned 64-bit number, got ${index}`);
  }
  const preimage = new Uint8Array(29);
  preimage[0] = 1;
  preimage.set(deployer, 1);
  new DataView(preimage.buffer).setBigUint64(21, index, true);
  return crypto.sha256(preimage).slice(12);
}
