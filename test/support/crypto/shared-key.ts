import type { Bls } from '../../../src/crypto/crypto.js';
import { encodeScalar, modOrder } from '../../../src/crypto/scalars/scalars.js';

/** A group key with all its shares. */
export interface DealtKey {
  readonly quorum: number;
  /** 32 bytes. */
  readonly groupPrivateKey: Uint8Array;
  readonly groupPublicKey: Uint8Array;
  /** By index, 32 bytes. */
  readonly shares: readonly Uint8Array[];
  readonly shareKeys: readonly Uint8Array[];
}

/** Deals a group key, deterministic by seed. Validator i's share is the polynomial at i + 1. */
export function dealKey(bls: Bls, quorum: number, validators: number, seed = 1n): DealtKey {
  const coefficients = Array.from({ length: quorum }, (_, place) =>
    modOrder((seed + 0x9e3779b97f4a7c15n) ** BigInt(place + 5)),
  );
  const at = (x: bigint) =>
    encodeScalar(coefficients.reduceRight((sum, coefficient) => modOrder(sum * x + coefficient), 0n));
  const shares = Array.from({ length: validators }, (_, index) => at(BigInt(index) + 1n));
  const groupPrivateKey = at(0n);
  return {
    quorum,
    groupPrivateKey,
    groupPublicKey: bls.publicKey(groupPrivateKey),
    shares,
    shareKeys: shares.map((share) => bls.publicKey(share)),
  };
}
