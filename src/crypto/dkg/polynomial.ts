import type { Bls } from '../crypto.js';
import { encodeScalar, GROUP_ORDER, type RandomBytes, randomScalar } from '../scalars/scalars.js';

/** A secret polynomial: its coefficients, constant first. */
export type Polynomial = readonly bigint[];

/**
 * A random polynomial whose evaluations at `quorum` points tell everything about it, and at fewer nothing.
 * @param constant its value at 0; a random one unless given
 */
export function randomPolynomial(quorum: number, random: RandomBytes, constant?: bigint): Polynomial {
  return Array.from({ length: quorum }, (_, at) =>
    at === 0 && constant !== undefined ? constant : randomScalar(random),
  );
}

/** What player `player`, counted from 0, gets of a polynomial: its value at player + 1. */
export function evaluationFor(polynomial: Polynomial, player: number): bigint {
  const at = BigInt(player + 1);
  return polynomial.reduceRight((sum, coefficient) => (sum * at + coefficient) % GROUP_ORDER, 0n);
}

/** Feldman's commitments to the coefficients, constant first: points of G1, 48 bytes each. */
export function commitmentsOf(bls: Pick<Bls, 'publicKey'>, polynomial: Polynomial): Uint8Array[] {
  return polynomial.map((coefficient) => bls.publicKey(encodeScalar(coefficient)));
}
