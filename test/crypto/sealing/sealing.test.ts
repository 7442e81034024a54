import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import type { ThresholdBls } from '../../../src/crypto/crypto.js';
import { CryptoError } from '../../../src/crypto/crypto-error.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { type SealOpener, sealOpener } from '../../../src/crypto/sealing/open.js';
import type { SealedParts } from '../../../src/crypto/sealing/scheme.js';
import { seal } from '../../../src/crypto/sealing/seal.js';
import { sealIdentity } from '../../../src/crypto/sealing/seal-identity.js';
import { hex } from '../../support/hex.js';
import { NATIVE_MODES } from '../../support/native-modes.js';
import { sweep } from '../../support/sweep.js';

const PRIVATE_KEY = new Uint8Array(32).fill(3);
const HEADER = new TextEncoder().encode('what all can read');
const ACTION = new TextEncoder().encode('what nobody can read before its time');
const IDENTITY = sealIdentity(7n, 40n);

function sealed(bls: ThresholdBls, action: Uint8Array = ACTION, header: Uint8Array = HEADER): SealedParts {
  return seal({
    groupPublicKey: bls.publicKey(PRIVATE_KEY),
    identity: IDENTITY,
    header,
    action,
    randomness: randomBytes(64),
  });
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
}

/** A point of the curve that is not in the subgroup, compressed. */
function outsideSubgroup(): Uint8Array {
  const outside =
    '89cc53e3c5bcd46e16418011263d86916b1627671fe5b132acd5129628d6bc5a836d65544bcd27c6288deb3602a1246b';
  return Uint8Array.from(Buffer.from(outside, 'hex'));
}

test('the identity of a height is its domain, the chain and the height', () => {
  const expected = `${Buffer.from('heddle/seal/1').toString('hex')}07000000000000000102000000000000`;
  assert.equal(hex(sealIdentity(7n, 513n)), expected);
});

for (const native of NATIVE_MODES) {
  describe(`sealing, --native ${native}`, () => {
    let bls: ThresholdBls;
    let opener: SealOpener;
    let parts: SealedParts;
    before(async () => {
      bls = await loadBls(native);
      opener = sealOpener(bls.sign(IDENTITY, PRIVATE_KEY), bls);
      parts = sealed(bls);
    });

    test('sealed data of any length opens with the key of its height', () => {
      for (const length of [0, 1, 63, 64, 1000, 65_520]) {
        const action = new Uint8Array(randomBytes(length));
        const made = sealed(bls, action);
        assert.equal(made.payload.length, length + 16);
        assert.deepEqual(opener.open(made, HEADER), { content: action });
      }
    });

    test('an envelope with any flipped bit does not open', () => {
      const bits = fc.constantFrom('u', 'v', 'w', 'payload', 'header').chain((part) =>
        fc.record({
          part: fc.constant(part),
          bit: fc.nat({
            max: (part === 'header' ? HEADER : parts[part as keyof SealedParts]).length * 8 - 1,
          }),
        }),
      );
      fc.assert(
        fc.property(bits, ({ part, bit }) => {
          if (part === 'header') {
            assert.deepEqual(opener.open(parts, flipped(HEADER, bit)), { refused: 'bad_payload' });
            return;
          }
          const name = part as keyof SealedParts;
          const opened = opener.open({ ...parts, [name]: flipped(parts[name], bit) }, HEADER);
          const expected = {
            u: ['bad_point', 'wrong_point'],
            v: ['wrong_point'],
            w: ['wrong_point'],
            payload: ['bad_payload'],
          };
          assert.ok('refused' in opened && expected[name].includes(opened.refused), JSON.stringify(opened));
        }),
        { numRuns: sweep(4) },
      );
    });

    test('an envelope with another header, height, group or parts of another envelope does not open', () => {
      const other = sealed(bls);
      assert.deepEqual(opener.open(parts, new Uint8Array(0)), { refused: 'bad_payload' });
      const laterKey = bls.sign(sealIdentity(7n, 41n), PRIVATE_KEY);
      assert.deepEqual(sealOpener(laterKey, bls).open(parts, HEADER), { refused: 'wrong_point' });
      const foreignKey = bls.sign(IDENTITY, new Uint8Array(32).fill(4));
      assert.deepEqual(sealOpener(foreignKey, bls).open(parts, HEADER), { refused: 'wrong_point' });
      assert.deepEqual(opener.open({ ...parts, u: other.u }, HEADER), { refused: 'wrong_point' });
      assert.deepEqual(opener.open({ ...parts, payload: other.payload }, HEADER), {
        refused: 'bad_payload',
      });
    });

    test('a u that is not a canonical point of the subgroup is refused on admission and on opening', () => {
      const { ORDER } = bls12_381.fields.Fp;
      const raised = BigInt(`0x${hex(parts.u.with(0, (parts.u[0] ?? 0) & 0x1f))}`) + ORDER;
      const notCanonical = Uint8Array.from(Buffer.from(raised.toString(16).padStart(96, '0'), 'hex'));
      const fits = raised < 1n << 381n;
      for (const [what, u] of [
        ['infinity', new Uint8Array(48).fill(0xc0, 0, 1)],
        ['outside the subgroup', outsideSubgroup()],
        ['not compressed', parts.u.with(0, (parts.u[0] ?? 0) & 0x7f)],
        ['zero', new Uint8Array(48)],
        ['too short', parts.u.subarray(1)],
        ['too long', Uint8Array.from([...parts.u, 0])],
        ...(fits
          ? ([
              ['not reduced', notCanonical.with(0, (notCanonical[0] ?? 0) | ((parts.u[0] ?? 0) & 0xe0))],
            ] as const)
          : []),
      ] as const) {
        assert.deepEqual(opener.open({ ...parts, u }, HEADER), { refused: 'bad_point' }, what);
        assert.equal(bls.isPublicKey(u), false, what);
      }
      assert.equal(bls.isPublicKey(parts.u), true);
    });

    test('parts of wrong lengths are refused', () => {
      for (const change of [{ v: new Uint8Array(31) }, { v: new Uint8Array(33) }, { w: new Uint8Array(0) }]) {
        assert.deepEqual(opener.open({ ...parts, ...change }, HEADER), { refused: 'bad_point' });
      }
      for (const length of [0, 15, 16]) {
        const payload = parts.payload.subarray(0, length);
        assert.deepEqual(opener.open({ ...parts, payload }, HEADER), { refused: 'bad_payload' });
      }
    });

    test('parts may lie anywhere in a buffer and are not modified', () => {
      const names = ['u', 'v', 'w', 'payload'] as const;
      const frame = Buffer.concat([
        Buffer.from('x'),
        ...names.flatMap((name) => [parts[name], Buffer.from('.')]),
      ]);
      const copy = Buffer.from(frame);
      let at = 1;
      const take = (name: (typeof names)[number]) => {
        const view = frame.subarray(at, at + parts[name].length);
        at += view.length + 1;
        return view;
      };
      const views = { u: take('u'), v: take('v'), w: take('w'), payload: take('payload') };
      assert.deepEqual(opener.open(views, HEADER), { content: ACTION });
      assert.deepEqual(frame, copy);
    });

    test('nothing opens with a key that is not a signature', () => {
      for (const key of [
        new Uint8Array(96),
        new Uint8Array(96).fill(0xc0, 0, 1),
        new Uint8Array(95),
        new Uint8Array(96).fill(0xff),
      ]) {
        assert.deepEqual(sealOpener(key, bls).open(parts, HEADER), { refused: 'bad_key' });
      }
    });
  });
}

test('sealing is deterministic in its randomness; a key or randomness of the wrong length is refused', async () => {
  const groupPublicKey = (await loadBls('auto')).publicKey(PRIVATE_KEY);
  const parameters = {
    groupPublicKey,
    identity: IDENTITY,
    header: HEADER,
    action: ACTION,
    randomness: new Uint8Array(64).fill(5),
  };
  assert.deepEqual(seal(parameters), seal(parameters));
  const wrong = (error: unknown) => error instanceof CryptoError && error.code === 'invalid_length';
  assert.throws(() => seal({ ...parameters, randomness: new Uint8Array(32) }), wrong);
  assert.throws(() => seal({ ...parameters, groupPublicKey: groupPublicKey.subarray(1) }), wrong);
  for (const key of [new Uint8Array(48), new Uint8Array(48).fill(0xc0, 0, 1), outsideSubgroup()]) {
    assert.throws(() => seal({ ...parameters, groupPublicKey: key }));
  }
});
