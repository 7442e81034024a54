import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { ed25519 as noble } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import type { Ed25519 } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

/** RFC 8032, section 7.1: seed, public key, message, signature. */
const RFC8032 = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
] as const;

const Point = noble.Point;
const L = Point.CURVE().n;
const P = Point.CURVE().p;
/** A point of order 8. */
const TORSION = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

function little(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function littleBytes(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
}

const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

function challenge(r: Uint8Array, a: Uint8Array, message: Uint8Array): bigint {
  return little(createHash('sha512').update(r).update(a).update(message).digest()) % L;
}

/** A signature that solves the verification equation for encodings chosen by the forger. */
function forge(aBytes: Uint8Array, rBytes: Uint8Array, message: Uint8Array, a: bigint, r: bigint) {
  const s = (r + challenge(rBytes, aBytes, message) * a) % L;
  return join(rBytes, littleBytes(s));
}

describe('ed25519', () => {
  let implementations: readonly (readonly [string, Ed25519])[] = [];
  let both: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

  before(async () => {
    const native = (await loadCrypto('require')).ed25519;
    const pure = (await loadCrypto('off')).ed25519;
    implementations = [
      ['native', native],
      ['pure', pure],
    ];
    both = (signature, message, publicKey) => {
      const answers = implementations.map(([, ed25519]) => ed25519.verify(signature, message, publicKey));
      assert.equal(
        answers[0],
        answers[1],
        `native and pure differ on ${Buffer.from(signature).toString('hex')}`,
      );
      return answers[0] === true;
    };
  });

  test('both implementations match RFC 8032', () => {
    for (const [seed, publicKey, message, signature] of RFC8032) {
      for (const [name, ed25519] of implementations) {
        assert.deepEqual(ed25519.publicKey(hex(seed)), hex(publicKey), name);
        assert.deepEqual(ed25519.sign(hex(message), hex(seed)), hex(signature), name);
        assert.deepEqual(ed25519.signer(hex(seed))(hex(message)), hex(signature), name);
        assert.equal(ed25519.verify(hex(signature), hex(message), hex(publicKey)), true, name);
      }
    }
  });

  test('a signature with s + L is refused', () => {
    const [, publicKey, message, signature] = RFC8032[2];
    const good = hex(signature);
    let s = little(good.subarray(32));
    let tried = 0;
    for (s += L; s < 1n << 256n; s += L, tried++) {
      assert.equal(both(join(good.subarray(0, 32), littleBytes(s)), hex(message), hex(publicKey)), false);
    }
    assert.ok(tried > 10);
  });

  test('public keys and R of small order are refused in every encoding', () => {
    const message = hex('6865646c65');
    const encodings: Uint8Array[] = [];
    for (let i = 0n; i < 8n; i++) {
      const { y } = (i === 0n ? Point.ZERO : TORSION.multiply(i)).toAffine();
      for (const value of [y, y + P]) {
        if (value >= 1n << 255n) continue;
        for (const sign of [0n, 1n]) encodings.push(littleBytes(value | (sign << 255n)));
      }
    }
    const r = 424242n;
    const rBytes = Point.BASE.multiply(r).toBytes();
    for (const aBytes of encodings) {
      assert.equal(both(forge(aBytes, rBytes, message, 0n, r), message, aBytes), false);
      assert.equal(both(join(aBytes, new Uint8Array(32)), message, aBytes), false);
    }
    const a = 77n;
    const key = Point.BASE.multiply(a).toBytes();
    for (const small of encodings) assert.equal(both(forge(key, small, message, a, 0n), message, key), false);
  });

  test('encodings with y not below the field prime are refused', () => {
    const message = hex('00');
    const r = 9n;
    const rBytes = Point.BASE.multiply(r).toBytes();
    for (let y = 0n; y < 19n; y++) {
      for (const sign of [0n, 1n]) {
        const odd = littleBytes((y + P) | (sign << 255n));
        assert.equal(both(forge(odd, rBytes, message, 5n, r), message, odd), false);
        const key = Point.BASE.multiply(5n).toBytes();
        assert.equal(both(forge(key, odd, message, 5n, r), message, key), false);
      }
    }
  });

  test('a key that is not a curve point is refused', () => {
    let refused = 0;
    for (let y = 2n; y < 40n; y++) {
      const bytes = littleBytes(y);
      try {
        Point.fromBytes(bytes);
      } catch {
        refused++;
        assert.equal(both(join(Point.BASE.toBytes(), littleBytes(1n)), hex('00'), bytes), false);
      }
    }
    assert.ok(refused > 5);
  });

  test('a mixed-order key or R is valid exactly if the equation holds without the cofactor', () => {
    let good = 0;
    let bad = 0;
    for (let torsionA = 0n; torsionA < 8n; torsionA++) {
      for (let torsionR = 0n; torsionR < 8n; torsionR++) {
        const a = 1_000n + torsionA;
        const r = 2_000n + torsionR;
        const withTorsion = (scalar: bigint, times: bigint) =>
          Point.BASE.multiply(scalar).add(times === 0n ? Point.ZERO : TORSION.multiply(times));
        const aBytes = withTorsion(a, torsionA).toBytes();
        const rBytes = withTorsion(r, torsionR).toBytes();
        for (let i = 0; i < 6; i++) {
          const message = Uint8Array.of(i);
          const exact = (challenge(rBytes, aBytes, message) * torsionA + torsionR) % 8n === 0n;
          assert.equal(both(forge(aBytes, rBytes, message, a, r), message, aBytes), exact);
          if (exact) good++;
          else bad++;
        }
      }
    }
    assert.ok(good > 20 && bad > 100, `${good} good, ${bad} bad`);
  });

  test('both implementations make the same signatures and accept them', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 200 }),
        (seed, message) => {
          const [first, second] = implementations.map(([, ed25519]) => ({
            publicKey: ed25519.publicKey(seed),
            signature: ed25519.sign(message, seed),
          }));
          assert.ok(first !== undefined);
          assert.deepEqual(first, second);
          assert.equal(both(first.signature, message, first.publicKey), true);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('a flipped bit anywhere in signature, message or key is refused', () => {
    const seed = hex(RFC8032[3][0]);
    fc.assert(
      fc.property(fc.nat({ max: (64 + 32 + 32) * 8 - 1 }), (bit) => {
        const [, ed25519] = implementations[0] ?? assert.fail();
        const message = hex('aa'.repeat(32));
        const all = join(ed25519.sign(message, seed), message, ed25519.publicKey(seed));
        all[bit >> 3] = (all[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.equal(both(all.slice(0, 64), all.slice(64, 96), all.slice(96)), false);
      }),
      { numRuns: 300 },
    );
  });

  test('arbitrary bytes of any length are refused alike and never throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ minLength: 64, maxLength: 64 })),
        fc.uint8Array({ maxLength: 40 }),
        fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 32, maxLength: 32 })),
        (signature, message, key) => assert.equal(both(signature, message, key), false),
      ),
      { numRuns: 300 },
    );
  });

  test('a seed of the wrong length is named', () => {
    for (const [, ed25519] of implementations) {
      assert.throws(() => ed25519.publicKey(new Uint8Array(31)), {
        code: 'invalid_length',
        message: /seed.*32 bytes, got 31/,
      });
    }
  });
});
