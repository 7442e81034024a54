import type { BlsKeys } from '../crypto.js';
import { encodeScalar, GROUP_ORDER, type RandomBytes, randomScalar } from '../scalars/scalars.js';

/** The coefficients of a secret polynomial, constant first. */
export type Polynomial = readonly bigint[];

/** A random polynomial that `quorum` evaluations determine, and fewer do not reveal. @param constant its value at 0 */
export function randomPolynomial(quorum: number, random: RandomBytes, constant?: bigint): Polynomial {
  return Array.from({ length: quorum }, (_, at) =>
    at === 0 && constant !== undefined ? constant : randomScalar(random),
  );
}

/** The evaluation for a player, counted from 0: the polynomial's value at player + 1. */
export function evaluationFor(polynomial: Polynomial, player: number): bigint {
  const at = BigInt(player + 1);
  return polynomial.reduceRight((sum, coefficient) => (sum * at + coefficient) % GROUP_ORDER, 0n);
}

/** Feldman commitments to the coefficients, constant first: points of G1, 48 bytes each. */
export function commitmentsOf(bls: BlsKeys, polynomial: Polynomial): Uint8Array[] {
  return polynomial.map((coefficient) => bls.publicKey(encodeScalar(coefficient)));
}
