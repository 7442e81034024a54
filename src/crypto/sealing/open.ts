import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { BlsKeys } from '../crypto.js';
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

/** Opens content sealed to one identity; the key's part of the pairing is computed once. */
export class SealOpener {
  readonly #bls: BlsKeys;
  readonly #key: ReturnType<typeof bls12_381.utils.calcPairingPrecomputes> | undefined;

  /**
   * @param key the identity's verified signature under the group key, 96 bytes
   * @param bls multiplies the generator, faster with a native implementation
   */
  constructor(key: Uint8Array, bls: BlsKeys) {
    this.#bls = bls;
    this.#key = lines(key);
  }

  /** @param header borsh(SealedHeader) as received; it must equal the sealed one */
  open({ u, v, w, payload }: SealedParts, header: Uint8Array): OpenResult {
    if (this.#key === undefined) return { refused: 'bad_key' };
    const point = decodePoint(u);
    if (point === undefined || v.length !== 32 || w.length !== 32) return { refused: 'bad_point' };
    const { x, y } = point.toAffine();
    const { Fp12 } = bls12_381.fields;
    const gt = Fp12.finalExponentiate(bls12_381.millerLoopBatch([[this.#key, x, y]]));
    const sigma = maskSigma(v, gt);
    const key = maskKey(w, sigma);
    const expected = this.#bls.publicKey(encodeScalar(exponent(sigma, key)));
    if (!expected.every((byte, at) => byte === u[at])) return { refused: 'wrong_point' };
    try {
      return { content: payloadCipher(key, header).decrypt(payload) };
    } catch {
      // The library throws if the tag does not match or is missing.
      return { refused: 'bad_payload' };
    }
  }
}

function decodePoint(u: Uint8Array): ReturnType<typeof bls12_381.G1.Point.fromBytes> | undefined {
  if (!isKeyEncoding(u)) return undefined;
  try {
    const point = bls12_381.G1.Point.fromBytes(u);
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}

function lines(key: Uint8Array): ReturnType<typeof bls12_381.utils.calcPairingPrecomputes> | undefined {
  if (!isSignatureEncoding(key)) return undefined;
  try {
    const point = bls12_381.longSignatures.Signature.fromBytes(key);
    point.assertValidity();
    return bls12_381.utils.calcPairingPrecomputes(point);
  } catch {
    return undefined;
  }
}
