import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, rlpNumber } from './rlp.js';

/** A transaction of the first kind, with one gas price. */
export interface LegacyTransaction {
  readonly nonce: bigint;
  /** Wei per gas. */
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  /** 20 bytes. */
  readonly to: Uint8Array;
  /** Wei. */
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly chainId: bigint;
}

/**
 * The signed transaction for `eth_sendRawTransaction`, with the chain in the signature (EIP-155).
 *
 * @param key 32 bytes
 */
export function signLegacy(transaction: LegacyTransaction, key: Uint8Array): Uint8Array {
  const { nonce, gasPrice, gasLimit, to, value, data, chainId } = transaction;
  const fields = [rlpNumber(nonce), rlpNumber(gasPrice), rlpNumber(gasLimit), to, rlpNumber(value), data];
  const none = new Uint8Array(0);
  const hash = keccak_256(encodeRlp([...fields, rlpNumber(chainId), none, none]));
  // One byte of recovery, then r and s, 32 bytes each.
  const signature = Buffer.from(secp256k1.sign(hash, key, { prehash: false, format: 'recovered' }));
  const number = (start: number, end: number): Uint8Array =>
    rlpNumber(BigInt(`0x${signature.toString('hex', start, end)}`));
  const v = 35n + 2n * chainId + BigInt(signature.readUInt8(0));
  return encodeRlp([...fields, rlpNumber(v), number(1, 33), number(33, 65)]);
}

/** The address of a private key of 32 bytes: the last 20 bytes of the hash of its public key. */
export function ethereumAddress(key: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(-20);
}
