import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { secp256k1 as noble } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { sameBytes } from '../../src/base/same-bytes.js';
import type { Crypto, Secp256k1 } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const word = (value: bigint) => hex(value.toString(16).padStart(64, '0'));
const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

const N = noble.Point.CURVE().n;
const P = noble.Point.CURVE().p;

/** RFC 6979 over secp256k1 and SHA-256, vectors shared by many libraries: private key, message, r ‖ s. */
const KNOWN = [
  [
    1n,
    'Satoshi Nakamoto',
    '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
  ],
  [
    1n,
    'All those moments will be lost in time, like tears in rain. Time to die...',
    '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
  ],
  [
    N - 1n,
    'Satoshi Nakamoto',
    'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d06b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
  ],
  [
    0xf8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181n,
    'Alan Turing',
    '7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
  ],
  [
    0xe91671c46231f833a6406ccbea0e3e392c76c167bac1cb013f6f1013980455c2n,
    "There is a computer disease that anybody who works with computers knows about. It's a very serious disease and it interferes completely with the work. The trouble with computers is that you 'play' with them!",
    'b552edd27580141f3b2a5463048cb7cd3e047b97c9f98076c32dbdf85a68718b279fa72dd19bfae05577e06c7c0c1900c371fcd5893f7e1d56a37d30174671f6',
  ],
] as const;

describe('secp256k1', () => {
  let crypto: Crypto;
  let implementations: readonly (readonly [string, Secp256k1])[] = [];
  let both: (signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array) => boolean;

  before(async () => {
    crypto = await loadCrypto('require');
    const pure = await loadCrypto('off');
    implementations = [
      ['native', crypto.secp256k1],
      ['pure', pure.secp256k1],
    ];
    both = (signature, hash, publicKey) => {
      const answers = implementations.map(([, secp]) => secp.verify(signature, hash, publicKey));
      assert.equal(
        answers[0],
        answers[1],
        `native and pure differ on ${Buffer.from(signature).toString('hex')}`,
      );
      return answers[0] === true;
    };
  });

  test('both implementations make the known RFC 6979 signatures exactly', () => {
    for (const [key, message, signature] of KNOWN) {
      const hash = crypto.sha256(new TextEncoder().encode(message));
      for (const [name, secp] of implementations) {
        assert.deepEqual(secp.sign(hash, word(key)), hex(signature), name);
        assert.equal(secp.verify(hex(signature), hash, secp.publicKey(word(key))), true, name);
      }
    }
  });

  test('compressed and uncompressed keys are equivalent, and invalid points give undefined', () => {
    const generator = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
    const uncompressed =
      '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
    for (const [, secp] of implementations) {
      assert.deepEqual(secp.publicKey(word(1n)), hex(generator));
      assert.deepEqual(secp.uncompress(hex(generator)), hex(uncompressed));
      assert.equal(secp.uncompress(hex(uncompressed)), undefined);
      assert.equal(secp.uncompress(join(Uint8Array.of(4), word(1n))), undefined);
      assert.equal(secp.uncompress(join(Uint8Array.of(2), word(5n))), undefined);
      assert.equal(secp.uncompress(join(Uint8Array.of(2), word(P + 1n))), undefined);
      assert.equal(secp.uncompress(new Uint8Array(0)), undefined);
    }
  });

  test('high s, zeros and numbers beyond the group order are refused', () => {
    const hash = word(99n);
    const [, secp] = implementations[0] ?? assert.fail();
    const key = secp.publicKey(word(7n));
    const good = secp.sign(hash, word(7n));
    assert.equal(both(good, hash, key), true);
    const r = number(good.subarray(0, 32));
    const s = number(good.subarray(32));
    const bad: readonly (readonly [bigint, bigint])[] = [
      [r, N - s],
      [r, 0n],
      [0n, s],
      [0n, 0n],
      [N, s],
      [r, N],
      [r, s + N < 1n << 256n ? s + N : N],
      [(1n << 256n) - 1n, s],
      [r, (1n << 256n) - 1n],
    ];
    for (const [badR, badS] of bad) assert.equal(both(join(word(badR), word(badS)), hash, key), false);
  });

  test('an r whose point lies beyond the group order is accepted', () => {
    const key = hex('02d7119f53fa2d6aa4e6629f533c4800e6457a09cf81b523c1af949ab45c3e8f1e');
    assert.equal(both(join(word(2n), word(7n)), word(5n), key), true);
    assert.equal(both(join(word(N + 2n), word(7n)), word(5n), key), false);
  });

  test('the greatest low s is accepted and the next one refused', () => {
    // With R = kG and the key r⁻¹(sR − zG), any s is valid.
    const point = noble.Point.BASE.multiply(123_456_789n);
    const r = point.toAffine().x % N;
    const invert = (value: bigint) => noble.Point.Fn.inv(value);
    const keyFor = (s: bigint, z: bigint) =>
      point
        .multiply((s * invert(r)) % N)
        .add(noble.Point.BASE.multiply(((N - z) * invert(r)) % N))
        .toBytes(true);
    const half = (N - 1n) / 2n;
    for (const [s, expected] of [
      [half, true],
      [half + 1n, false],
      [1n, true],
      [N - 1n, false],
    ] as const) {
      assert.equal(both(join(word(r), word(s)), word(31n), keyFor(s, 31n)), expected, `s = ${s}`);
    }
  });

  test('hashes of zero and beyond the group order are treated alike by both implementations', () => {
    for (const z of [0n, N, N + 1n, (1n << 256n) - 1n]) {
      for (const [, secp] of implementations) {
        assert.equal(both(secp.sign(word(z), word(3n)), word(z), secp.publicKey(word(3n))), true);
      }
    }
  });

  test('both implementations make the same signatures and accept them', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: N - 1n }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (key, hash) => {
          const [first, second] = implementations.map(([, secp]) => ({
            publicKey: secp.publicKey(word(key)),
            signature: secp.sign(hash, word(key)),
          }));
          assert.ok(first !== undefined);
          assert.deepEqual(first, second);
          assert.equal(both(first.signature, hash, first.publicKey), true);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a flipped bit anywhere in signature, hash or key is refused', () => {
    fc.assert(
      fc.property(fc.nat({ max: (64 + 32 + 33) * 8 - 1 }), (bit) => {
        const [, secp] = implementations[0] ?? assert.fail();
        const hash = word(0xabcdefn);
        const all = join(secp.sign(hash, word(11n)), hash, secp.publicKey(word(11n)));
        all[bit >> 3] = (all[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.equal(both(all.slice(0, 64), all.slice(64, 96), all.slice(96)), false);
      }),
      { numRuns: 150 },
    );
  });

  test('arbitrary bytes of any length are refused alike and never throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ minLength: 64, maxLength: 64 })),
        fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 32, maxLength: 32 })),
        fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ minLength: 33, maxLength: 33 })),
        (signature, hash, key) => assert.equal(both(signature, hash, key), false),
      ),
      { numRuns: 200 },
    );
  });

  /** The recovered keys of both implementations, which must be the same. */
  function recovered(signature: Uint8Array, hash: Uint8Array, id: number): Uint8Array | undefined {
    const [first, second] = implementations.map(([, secp]) => secp.recover(signature, hash, id));
    assert.deepEqual(
      first,
      second,
      `native and pure differ on ${Buffer.from(signature).toString('hex')}, ${id}`,
    );
    return first;
  }

  test('one of the four recovery ids gives the key of a signature, and every recovered key verifies it', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: N - 1n }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (key, hash) => {
          const [, secp] = implementations[0] ?? assert.fail();
          const signature = secp.sign(hash, word(key));
          const keys = [0, 1, 2, 3].flatMap((id) => recovered(signature, hash, id) ?? []);
          const own = secp.uncompress(secp.publicKey(word(key))) ?? assert.fail();
          assert.equal(keys.filter((found) => sameBytes(found, own)).length, 1);
          for (const found of keys) {
            const compressed = join(Uint8Array.of(2 + ((found[64] ?? 0) & 1)), found.slice(1, 33));
            assert.equal(both(signature, hash, compressed), true);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('recovery ids for points beyond the group order recover their keys', () => {
    // Points with x = 2 and with x = N + 2 exist, so each id gives a different key.
    const signature = join(word(2n), word(7n));
    const keys = [0, 1, 2, 3].map((id) => recovered(signature, word(5n), id));
    assert.equal(new Set(keys.map((key) => Buffer.from(key ?? assert.fail()).toString('hex'))).size, 4);
    const [, secp] = implementations[0] ?? assert.fail();
    const known = secp.uncompress(hex('02d7119f53fa2d6aa4e6629f533c4800e6457a09cf81b523c1af949ab45c3e8f1e'));
    assert.ok(keys.some((key) => sameBytes(key ?? assert.fail(), known ?? assert.fail())));
  });

  test('no key is recovered at infinity, from high s, numbers out of range, x off the curve or unknown ids', () => {
    // With R = kG and z = s·k, s·R equals z·G and the key would be the point at infinity.
    const k = 123_456_789n;
    const r = noble.Point.BASE.multiply(k).toAffine().x % N;
    const s = 77n;
    const z = (s * k) % N;
    const parity = Number(noble.Point.BASE.multiply(k).toAffine().y & 1n);
    assert.equal(recovered(join(word(r), word(s)), word(z), parity), undefined);
    assert.notEqual(recovered(join(word(r), word(s)), word(z), parity ^ 1), undefined);
    for (const [badR, badS] of [
      [r, N - s],
      [0n, s],
      [r, 0n],
      [N, s],
      [r, N],
      // No point has x = 5.
      [5n, s],
    ] as const) {
      for (let id = 0; id < 4; id++) {
        assert.equal(
          recovered(join(word(badR), word(badS)), word(31n), id),
          undefined,
          `${badR}, ${badS}, ${id}`,
        );
      }
    }
    for (const id of [-1, 4, 0.5, 256, Number.NaN]) {
      assert.equal(recovered(join(word(r), word(s)), word(31n), id), undefined);
    }
    assert.equal(recovered(word(r), word(31n), 0), undefined);
    assert.equal(recovered(join(word(r), word(s)), new Uint8Array(31), 0), undefined);
  });

  test('both implementations recover the same key or none from arbitrary bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 64, maxLength: 64 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.nat({ max: 4 }),
        (signature, hash, id) => {
          // Half of all s are high; these are refused before reaching a library.
          signature[32] = (signature[32] ?? 0) & 0x7f;
          recovered(signature, hash, id);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('a private key out of range is named', () => {
    for (const [, secp] of implementations) {
      for (const key of [word(0n), word(N), new Uint8Array(33)]) {
        assert.throws(() => secp.publicKey(key), { code: 'invalid_private_key' });
        assert.throws(() => secp.sign(word(1n), key), { code: 'invalid_private_key' });
      }
      assert.throws(() => secp.sign(new Uint8Array(31), word(1n)), { code: 'invalid_length' });
    }
  });
});
