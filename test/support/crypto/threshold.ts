import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Bls } from '../../../src/crypto/crypto.js';
import { weightsAtZero } from '../../../src/crypto/scalars/lagrange.js';

const { Point } = bls12_381.G2;

/**
 * The signature interpolated from the signers' partial signatures; valid under the group key if there are enough.
 * @param shares by index, 32 bytes each
 * @param signers indices
 */
export function signTogether(
  bls: Bls,
  message: Uint8Array,
  shares: readonly Uint8Array[],
  signers: readonly number[],
): Uint8Array {
  const weights = weightsAtZero(signers);
  return signers
    .map((index, place) => {
      const partial = Point.fromBytes(bls.sign(message, shares[index] ?? new Uint8Array(0)));
      return partial.multiply(weights[place] ?? 0n);
    })
    .reduce((sum, point) => sum.add(point))
    .toBytes(true);
}
