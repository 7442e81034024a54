import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { nobleThresholdBls } from '../../../native-free/crypto/threshold-bls.js';
import type { ThresholdBls } from '../../../src/crypto/crypto.js';
import { CryptoError } from '../../../src/crypto/crypto-error.js';
import { loadBlst } from '../../../src/crypto/native/blst.js';
import { LagrangeCache } from '../../../src/crypto/scalars/lagrange.js';
import { strictThresholdBls, type ThresholdBackend } from '../../../src/crypto/strict-bls.js';
import { assemble, type PartialSignature, verifyPartials } from '../../../src/crypto/threshold/assemble.js';
import { type DealtKey, dealKey } from '../../support/crypto/shared-key.js';
import { hex } from '../../support/hex.js';
import { sweep } from '../../support/sweep.js';

const MESSAGE = new TextEncoder().encode('a vote');
const lagrange = new LagrangeCache();

function nativeBackend(): ThresholdBackend | undefined {
  try {
    return loadBlst();
  } catch {
    return undefined;
  }
}

const native = nativeBackend();
const pure = nobleThresholdBls();
const skip = native === undefined ? 'no binary of @chainsafe/blst here' : false;
/** Signer for all tests; both implementations make the same signatures, and this one is ten times faster. */
const signer = strictThresholdBls(native ?? pure);

function partialsOf(key: DealtKey, message = MESSAGE): readonly PartialSignature[] {
  return key.shares.map((share, index) => ({ index, signature: signer.sign(message, share) }));
}

/** Quorum and number of validators. */
const SIZES = [
  [1, 1],
  [2, 2],
  [3, 4],
  [5, 7],
  [7, 10],
] as const;

const WORLDS = SIZES.map(([quorum, validators]) => {
  const key = dealKey(signer, quorum, validators);
  return { key, partials: partialsOf(key), signature: signer.sign(MESSAGE, key.groupPrivateKey) };
});

/** Ways to spoil a partial signature. */
const SPOILERS: readonly ((partial: PartialSignature, key: DealtKey) => Uint8Array)[] = [
  // A valid signature of another message.
  ({ index }, key) => signer.sign(new Uint8Array(1), key.shares[index] ?? assert.fail()),
  // Another validator's signature.
  ({ index }, key) => signer.sign(MESSAGE, key.shares[(index + 1) % key.shares.length] ?? assert.fail()),
  // The negated signature.
  ({ signature }) => signature.with(0, (signature[0] ?? 0) ^ 0x20),
  // A changed coordinate: usually not a point, rarely one outside the subgroup.
  ({ signature }) => signature.with(95, (signature[95] ?? 0) ^ 1),
  // Infinity, too few bytes, a coordinate beyond the prime.
  () => new Uint8Array(96).fill(0xc0, 0, 1),
  ({ signature }) => signature.subarray(1),
  ({ signature }) => signature.with(48, 0xff),
];

for (const [name, backend, runs] of [
  ['blst', native, sweep(4)],
  ['@noble/curves', pure, sweep(1)],
] as const) {
  describe(`threshold signatures by ${name}`, { skip: backend === undefined ? skip : false }, () => {
    const bls: ThresholdBls = strictThresholdBls(backend ?? pure);

    test('any quorum assembles the signature of the group key, byte for byte', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...WORLDS).chain((world) =>
            fc.record({
              world: fc.constant(world),
              chosen: fc.shuffledSubarray([...world.partials], { minLength: world.key.quorum }),
            }),
          ),
          ({ world, chosen }) => {
            const assembly = assemble(bls, lagrange, world.key, MESSAGE, chosen);
            assert.deepEqual(assembly.bad, []);
            assert.equal(hex(assembly.signature ?? assert.fail()), hex(world.signature));
          },
        ),
        { numRuns: runs },
      );
    });

    test('one fewer than a quorum makes no signature, even with a smaller assumed quorum', () => {
      for (const { key, partials } of WORLDS.slice(1, name === 'blst' ? undefined : 3)) {
        const few = partials.slice(0, key.quorum - 1);
        assert.deepEqual(assemble(bls, lagrange, key, MESSAGE, few), { bad: [] });
        const lower = { ...key, quorum: key.quorum - 1 };
        assert.equal(assemble(bls, lagrange, lower, MESSAGE, few).signature, undefined);
      }
    });

    test('exactly the bad partial signatures are named; the good ones make the signature if sufficient', () => {
      const worlds = WORLDS.slice(name === 'blst' ? 1 : 2, name === 'blst' ? undefined : 3);
      fc.assert(
        fc.property(
          fc.constantFrom(...worlds).chain((world) =>
            fc.record({
              world: fc.constant(world),
              bad: fc.subarray(
                world.partials.map(({ index }) => index),
                { minLength: 1 },
              ),
              spoiler: fc.constantFrom(...SPOILERS),
            }),
          ),
          ({ world: { key, partials, signature }, bad, spoiler }) => {
            const given = partials.map((partial) =>
              bad.includes(partial.index)
                ? { index: partial.index, signature: spoiler(partial, key) }
                : partial,
            );
            const assembly = assemble(bls, lagrange, key, MESSAGE, given);
            const suffices = partials.length - bad.length >= key.quorum;
            if (suffices) assert.equal(hex(assembly.signature ?? assert.fail()), hex(signature));
            else assert.equal(assembly.signature, undefined);
            // Signatures beyond the first quorum are not checked if that quorum is valid.
            const needed = bad.some((index) => index < key.quorum);
            assert.deepEqual(assembly.bad, needed ? bad : []);
            assert.deepEqual(
              verifyPartials(bls, key, MESSAGE, given),
              partials.map(({ index }) => !bad.includes(index)),
            );
          },
        ),
        { numRuns: runs },
      );
    });

    test('share keys of another group name no validator and make no signature', () => {
      const { key, partials } = WORLDS[2] ?? assert.fail();
      const foreign = { ...key, groupPublicKey: dealKey(signer, 3, 4, 2n).groupPublicKey };
      assert.deepEqual(assemble(bls, lagrange, foreign, MESSAGE, partials), { bad: [] });
    });

    test('a duplicate validator is refused, and an unknown one is bad', () => {
      const { key, partials } = WORLDS[2] ?? assert.fail();
      const [one = assert.fail(), two = assert.fail(), three = assert.fail()] = partials;
      assert.throws(
        () => assemble(bls, lagrange, key, MESSAGE, [one, one, two]),
        (error) => error instanceof CryptoError && error.code === 'out_of_range',
      );
      const stranger = { index: 9, signature: one.signature };
      assert.deepEqual(assemble(bls, lagrange, key, MESSAGE, [stranger, two, three]), { bad: [9] });
    });

    test('only canonical points of the subgroup that are not infinity are public keys', () => {
      const good = bls.publicKey(new Uint8Array(32).fill(1));
      assert.equal(bls.isPublicKey(good), true);
      assert.equal(bls.isPublicKey(good.subarray(1)), false);
      assert.equal(bls.isPublicKey(new Uint8Array(48).fill(0xc0, 0, 1)), false);
      assert.equal(bls.isPublicKey(good.with(0, (good[0] ?? 0) & 0x7f)), false);
      // The generator plus a point of small order.
      const outside =
        '89cc53e3c5bcd46e16418011263d86916b1627671fe5b132acd5129628d6bc5a836d65544bcd27c6288deb3602a1246b';
      assert.equal(bls.isPublicKey(Uint8Array.from(Buffer.from(outside, 'hex'))), false);
      // p itself, and the largest number that three flag bits leave room for.
      const prime =
        '9a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab';
      assert.equal(bls.isPublicKey(Uint8Array.from(Buffer.from(prime, 'hex'))), false);
      assert.equal(bls.isPublicKey(new Uint8Array(48).fill(0xff).with(0, 0x9f)), false);
    });
  });
}

test('both implementations interpolate to the same bytes, even for invalid signatures', { skip }, () => {
  const both = [strictThresholdBls(native ?? pure), strictThresholdBls(pure)] as const;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 }),
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      (indices, seeds) => {
        const partials = indices.map((_, place) =>
          signer.sign(MESSAGE, new Uint8Array(32).fill((seeds[place] ?? 0) >> 2, 16).with(31, place + 1)),
        );
        const weights = lagrange.at(indices);
        const [one, other] = both.map((bls) => bls.interpolate(partials, weights));
        assert.equal(hex(one ?? assert.fail()), hex(other ?? assert.fail()));
      },
    ),
    { numRuns: sweep(1) },
  );
});

test('partial signatures whose sum is infinity make no signature', () => {
  const point = signer.sign(MESSAGE, new Uint8Array(32).fill(1));
  for (const backend of native === undefined ? [pure] : [native, pure]) {
    const bls = strictThresholdBls(backend);
    for (const scale of [1n, 12345n]) {
      assert.equal(bls.interpolate([point, point], { numerators: [2n, -2n], scale }), undefined);
      // An intermediate sum may be infinity.
      const near = bls.interpolate([point, point], { numerators: [5n, -4n], scale: 1n });
      assert.equal(hex(near ?? assert.fail()), hex(point));
    }
  }
});

test('both implementations interpolate points outside the subgroup alike', { skip }, () => {
  const strict = [native, pure].map((backend) => strictThresholdBls(backend ?? pure));
  const outside = pointsOutside(6);
  const weights = lagrange.at([0, 2, 3]);
  for (const [place, point] of outside.entries()) {
    const [, second, third] = partialsOf(WORLDS[2]?.key ?? assert.fail()).map(({ signature }) => signature);
    assert.ok(second && third);
    const others = place % 2 === 0 ? [second, third] : [outside[(place + 1) % 6] ?? point, third];
    const [one, other] = strict.map((bls) => bls.interpolate([point, ...others], weights));
    assert.ok(one !== undefined && other !== undefined);
    assert.equal(hex(one), hex(other));
    for (const bls of strict) {
      assert.ok(!bls.verify(one, MESSAGE, WORLDS[2]?.key.groupPublicKey ?? assert.fail()));
    }
  }
});

/** Compressed points of G2's curve outside of its subgroup. */
function pointsOutside(count: number): Uint8Array[] {
  const { Fp2 } = bls12_381.fields;
  const found: Uint8Array[] = [];
  for (let x = 1n; found.length < count; x++) {
    const abscissa = Fp2.fromBigTuple([x, 1n]);
    const square = Fp2.add(Fp2.mul(Fp2.sqr(abscissa), abscissa), Fp2.fromBigTuple([4n, 4n]));
    let y: ReturnType<typeof Fp2.sqrt>;
    try {
      y = Fp2.sqrt(square);
    } catch {
      continue;
    }
    const point = bls12_381.G2.Point.fromAffine({ x: abscissa, y });
    if (point.isTorsionFree()) continue;
    const bytes = new Uint8Array(96);
    bytes[0] = 0x80;
    bytes[47] = 1;
    bytes[95] = Number(x);
    found.push(bytes, bytes.with(0, 0xa0));
  }
  return found.slice(0, count);
}
