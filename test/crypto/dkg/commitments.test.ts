import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { combine, decodeChecked, encodePoints, evaluateFor } from '../../../src/crypto/dkg/commitments.js';
import { commitmentsOf, evaluationFor, randomPolynomial } from '../../../src/crypto/dkg/polynomial.js';
import { weightsAtZero } from '../../../src/crypto/scalars/lagrange.js';
import { encodeScalar, GROUP_ORDER, weightedSum } from '../../../src/crypto/scalars/scalars.js';
import { BLS as bls } from '../../support/crypto/loaded-crypto.js';
import { hex } from '../../support/hex.js';
import { randomSource } from '../../support/random-source.js';

test('any quorum of evaluations gives the constant, also in the exponent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.nat({ max: 3 }), fc.nat(), (quorum, more, seed) => {
      const source = randomSource(seed);
      const polynomial = randomPolynomial(quorum, source.bytes);
      const players = new Set<number>();
      while (players.size < quorum + more) players.add(source.below(40));
      const chosen = [...players];
      const weights = weightsAtZero(chosen);
      const evaluations = chosen.map((player) => evaluationFor(polynomial, player));
      assert.equal(weightedSum(evaluations, weights), polynomial[0]);

      const commitments = decodeChecked(commitmentsOf(bls, polynomial));
      const keys = encodePoints(chosen.map((player) => evaluateFor(commitments, player)));
      for (const [place, evaluation] of evaluations.entries()) {
        assert.equal(hex(keys[place] ?? assert.fail()), hex(bls.publicKey(encodeScalar(evaluation))));
      }
      const [sum] = encodePoints(
        combine(
          keys.map((key) => decodeChecked([key])),
          weights,
        ),
      );
      assert.equal(hex(sum ?? assert.fail()), hex(bls.publicKey(encodeScalar(polynomial[0] ?? 0n))));
    }),
    { numRuns: 12 },
  );
});

test('decoding returns the encoded point for either sign', () => {
  for (let secret = 1n; secret < 12n; secret++) {
    const key = bls.publicKey(encodeScalar(secret));
    const negative = bls.publicKey(encodeScalar(GROUP_ORDER - secret));
    assert.deepEqual(encodePoints(decodeChecked([key, negative])).map(hex), [hex(key), hex(negative)]);
  }
});
