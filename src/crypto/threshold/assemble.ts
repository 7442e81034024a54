import type { ThresholdBls } from '../crypto.js';
import type { LagrangeCache } from '../scalars/lagrange.js';

/** A validator's signature with its share of the group key. */
export interface PartialSignature {
  /** Validator index, from 0. */
  readonly index: number;
  /** 96 bytes. */
  readonly signature: Uint8Array;
}

/** The public side of a shared group key. */
export interface SharedKey {
  readonly quorum: number;
  /** 48 bytes. */
  readonly groupPublicKey: Uint8Array;
  /** Share public keys by validator index, 48 bytes each. */
  readonly shareKeys: readonly Uint8Array[];
}

export interface Assembly {
  /** Signature under the group key, 96 bytes; absent if fewer than a quorum of the partial signatures are valid. */
  readonly signature?: Uint8Array;
  /** Validators with invalid partial signatures, in input order. Unneeded partial signatures may be unchecked. */
  readonly bad: readonly number[];
}

/**
 * Assembles partial signatures of one message into the signature under the group key. Interpolates a quorum of them
 * and verifies the result once. If that fails, verifies every partial signature and interpolates a quorum of the
 * valid ones. With one third of the validators dishonest no search is cheaper, and each can cause this only once
 * before it is dropped.
 * @param partials one per validator
 * @throws CryptoError `out_of_range` if a validator appears twice or has no share key
 */
export function assemble(
  bls: ThresholdBls,
  lagrange: LagrangeCache,
  key: SharedKey,
  message: Uint8Array,
  partials: readonly PartialSignature[],
): Assembly {
  if (partials.length < key.quorum) return { bad: [] };
  const quick = interpolate(bls, lagrange, key, message, partials);
  if (quick !== undefined) return { signature: quick, bad: [] };
  const verdicts = verifyPartials(bls, key, message, partials);
  const good = partials.filter((_, place) => verdicts[place]);
  const bad = partials.filter((_, place) => !verdicts[place]).map(({ index }) => index);
  // If all are valid, the share keys do not belong to this group key, and no validator can be blamed.
  if (bad.length === 0 || good.length < key.quorum) return { bad };
  const signature = interpolate(bls, lagrange, key, message, good);
  return signature === undefined ? { bad } : { signature, bad };
}

/** Verifies each partial signature under its validator's share key; false for unknown validators. */
export function verifyPartials(
  bls: ThresholdBls,
  { shareKeys }: SharedKey,
  message: Uint8Array,
  partials: readonly PartialSignature[],
): readonly boolean[] {
  return partials.map(({ index, signature }) => {
    const shareKey = shareKeys[index];
    return shareKey !== undefined && bls.verify(signature, message, shareKey);
  });
}

function interpolate(
  bls: ThresholdBls,
  lagrange: LagrangeCache,
  { quorum, groupPublicKey }: SharedKey,
  message: Uint8Array,
  partials: readonly PartialSignature[],
): Uint8Array | undefined {
  const chosen = partials.slice(0, quorum);
  const weights = lagrange.at(chosen.map(({ index }) => index));
  const signature = bls.interpolate(
    chosen.map((partial) => partial.signature),
    weights,
  );
  return signature !== undefined && bls.verify(signature, message, groupPublicKey) ? signature : undefined;
}
