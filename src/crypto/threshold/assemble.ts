import type { ThresholdBls } from '../crypto.js';
import type { LagrangeCache } from '../scalars/lagrange.js';

/** A validator's signature with its share of the group key. */
export interface PartialSignature {
  /** Of the validator, from 0. */
  readonly index: number;
  /** 96 bytes. */
  readonly signature: Uint8Array;
}

/** The public side of a shared group key. */
export interface SharedKey {
  /** How many partial signatures make a signature. */
  readonly quorum: number;
  /** 48 bytes. */
  readonly groupPublicKey: Uint8Array;
  /** Of each validator by index, 48 bytes. */
  readonly shareKeys: readonly Uint8Array[];
}

export interface Assembly {
  /** Under the group key, 96 bytes; absent where fewer than a quorum of the partial signatures are good. */
  readonly signature?: Uint8Array;
  /** The validators whose partial signatures are not good, in the order given; of those not needed nothing is known. */
  readonly bad: readonly number[];
}

/**
 * Makes partial signatures of one message into the signature under the group key. A quorum of them is interpolated and the
 * result verified once. Only if that fails is each checked alone, and a quorum of the good ones is taken: with one dishonest
 * third there is no cheaper search, and each of its validators can cause it once before it is dropped.
 * @param partials one a validator
 * @throws CryptoError `out_of_range` where a validator comes twice or has no share key
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
  // Where none is bad, the share keys are not of this group key, and nobody can be named.
  if (bad.length === 0 || good.length < key.quorum) return { bad };
  const signature = interpolate(bls, lagrange, key, message, good);
  return signature === undefined ? { bad } : { signature, bad };
}

/** Whether each partial signature is good under its validator's share key; false where there is no such validator. */
export function verifyPartials(
  bls: ThresholdBls,
  { shareKeys }: Pick<SharedKey, 'shareKeys'>,
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
