import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { BlsKeys } from '../crypto.js';
import { attempt } from '../crypto-error.js';
import { encodeScalar } from '../scalars/scalars.js';
import { isKeyEncoding, isSignatureEncoding } from '../strict-bls.js';
import { exponent, maskKey, maskSigma, payloadCipher, type SealedParts } from './scheme.js';

/** Why sealed parts do not open, in the order of the checks. */
export type OpenFailure =
  /** The key is not a valid signature point, so nothing opens. */
  | 'bad_key'
  /** u is not canonical, not in the subgroup, or infinity; or v or w is not 32 bytes. */
  | 'bad_point'
  /** u is not r·G1: sealed to another identity or key, or modified. */
  | 'wrong_point'
  /** The payload or the header was modified. */
  | 'bad_payload';

export type OpenResult = { readonly content: Uint8Array } | { readonly refused: OpenFailure };

export interface SealOpener {
  /** @param header borsh(SealedHeader) as received; it must equal the sealed one */
  open(parts: SealedParts, header: Uint8Array): OpenResult;
}

/**
 * Opens content sealed to one identity; the key's part of the pairing is computed once.
 * @param key the identity's verified signature under the group key, 96 bytes
 * @param bls multiplies the generator, faster with a native implementation
 */
export function sealOpener(key: Uint8Array, bls: BlsKeys): SealOpener {
  const { calcPairingPrecomputes } = bls12_381.utils;
  const point = isSignatureEncoding(key)
    ? decodePoint(() => bls12_381.longSignatures.Signature.fromBytes(key))
    : undefined;
  const lines = point && attempt(() => calcPairingPrecomputes(point));
  return {
    open({ u, v, w, payload }, header) {
      if (lines === undefined) return { refused: 'bad_key' };
      const sealed = isKeyEncoding(u) ? decodePoint(() => bls12_381.G1.Point.fromBytes(u)) : undefined;
      if (sealed === undefined || v.length !== 32 || w.length !== 32) return { refused: 'bad_point' };
      const { x, y } = sealed.toAffine();
      const { Fp12 } = bls12_381.fields;
      const gt = Fp12.finalExponentiate(bls12_381.millerLoopBatch([[lines, x, y]]));
      const sigma = maskSigma(v, gt);
      const payloadKey = maskKey(w, sigma);
      const expected = bls.publicKey(encodeScalar(exponent(sigma, payloadKey)));
      if (!expected.every((byte, at) => byte === u[at])) return { refused: 'wrong_point' };
      // The library throws if the tag does not match or is missing.
      const content = attempt(() => payloadCipher(payloadKey, header).decrypt(payload));
      return content === undefined ? { refused: 'bad_payload' } : { content };
    },
  };
}

/** The valid point that a library decodes, or undefined. */
function decodePoint<P extends { assertValidity(): void }>(decode: () => P): P | undefined {
  return attempt(() => {
    const point = decode();
    point.assertValidity();
    return point;
  });
}
