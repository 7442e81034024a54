import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { sameBytes } from '../../../src/base/same-bytes.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import type { Dealing } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { checkDealingForm } from '../../../src/ledger/validators/check-dealing.js';
import { checkDealing } from '../../../src/ledger/validators/check-dealing-points.js';
import {
  ackMessage,
  commitmentsDigest,
  dealingMessage,
} from '../../../src/ledger/validators/signed-messages.js';
import { hex } from '../../support/hex.js';
import { honestDealing, TEST_CHAIN_ID, validatorWorld } from '../../support/networks/validators.js';
import { sweep } from '../../support/sweep.js';

const world = validatorWorld(2);
const { crypto } = world;
const { set, shares } = world.dealt([0, 1, 2, 3]);
const players = [0, 1, 2, 3, 4];
const context = {
  chainId: TEST_CHAIN_ID,
  epoch: 0n,
  currentSet: set,
  nextPlayers: players.map((number) => world.identity(number)),
};
const options = { context, dealer: { index: 1, identity: 1 }, share: shares[1] ?? assert.fail(), players };
const good = honestDealing(world, options).dealing;
const sealing = honestDealing(world, { ...options, silent: [3] }).dealing;
const others = honestDealing(world, {
  ...options,
  silent: [3],
  dealer: { index: 2, identity: 2 },
  share: shares[2] ?? assert.fail(),
}).dealing;

/**
 * The dealing with some members replaced, signed again by its dealer and, if `acknowledged`, by its acknowledgers.
 */
function altered(dealing: Dealing, members: Partial<Dealing>, acknowledged = false): Dealing {
  const unsigned = { ...dealing, ...members };
  const digest = commitmentsDigest(crypto, unsigned.commitments);
  const { epoch, dealer } = unsigned;
  const signatureOf = (player: number) =>
    world.identity(player).sign(ackMessage(TEST_CHAIN_ID, { epoch, dealer, player, digest }));
  const acks = acknowledged
    ? unsigned.acks.map(({ player }) => ({ player, signature: signatureOf(player) }))
    : unsigned.acks;
  const signature = world.identity(dealing.dealer).sign(dealingMessage(TEST_CHAIN_ID, { ...unsigned, acks }));
  return { ...unsigned, acks, signature };
}

/** A point of the curve outside the subgroup. */
function outsideSubgroup(): Uint8Array {
  const { Fp } = bls12_381.fields;
  for (let x = 1n; ; x++) {
    const bytes = Uint8Array.from(Buffer.from(x.toString(16).padStart(96, '0'), 'hex'));
    const square = Fp.add(Fp.mul(Fp.sqr(x), x), 4n);
    if (!Fp.eql(Fp.pow(square, (Fp.ORDER - 1n) / 2n), Fp.ONE)) continue;
    bytes[0] = (bytes[0] ?? 0) | 0x80;
    return bytes;
  }
}

for (const mode of ['auto', 'off'] as const) {
  describe(`the rules of dealings, native parts ${mode}`, async () => {
    const bls = await loadBls(mode);
    const rule = (dealing: Dealing, where = context) => checkDealing({ crypto, bls }, dealing, where)?.rule;

    test('an honest dealing is accepted, with sealed shares and without', () => {
      assert.equal(rule(good), undefined);
      assert.equal(sealing.sealed.length, 1);
      assert.equal(rule(sealing), undefined);
      assert.equal(rule(ledger.Dealing.decode(ledger.Dealing.encode(sealing))), undefined);
    });

    test('wrong dealings are refused, each under its rule', () => {
      const [constant, second, third, fourth] = good.commitments;
      const [[sealed], [theirs]] = [sealing.sealed, others.sealed];
      assert.ok(theirs && constant && second && third && fourth && sealed);
      const infinity = new Uint8Array(48);
      infinity[0] = 0xc0;
      const uncompressed = second.with(0, (second[0] ?? 0) & 0x7f);
      // x + p fits into 381 bits for small x only, so use any number not below p.
      const beyond = new Uint8Array(48).fill(0xff).with(0, 0x9f);
      const cases: readonly (readonly [string, Dealing, string])[] = [
        ['another epoch', altered(good, { epoch: 1n }), 'epoch'],
        ['no such dealer', { ...good, dealer: 4 }, 'member'],
        ['too low a degree', altered(good, { commitments: [constant, second, third] }), 'degree'],
        ['too high a degree', altered(good, { commitments: [...good.commitments, second] }), 'degree'],
        ['no commitments', altered(good, { commitments: [] }), 'degree'],
        ["another's share", altered(good, { commitments: [second, second, third, fourth] }), 'constant'],
        ['infinity', altered(good, { commitments: [constant, infinity, third, fourth] }, true), 'point'],
        [
          'outside the subgroup',
          altered(good, { commitments: [constant, outsideSubgroup(), third, fourth] }, true),
          'point',
        ],
        [
          'no compressed point',
          altered(good, { commitments: [constant, uncompressed, third, fourth] }, true),
          'point',
        ],
        ['not canonical', altered(good, { commitments: [constant, beyond, third, fourth] }, true), 'point'],
        ['a player too few', altered(good, { acks: good.acks.slice(1) }), 'coverage'],
        ['both ways', altered(good, { sealed: [{ ...sealed, player: 2 }] }), 'coverage'],
        ['acknowledged and sealed', altered(sealing, { sealed: [{ ...sealed, player: 2 }] }), 'coverage'],
        [
          'two sealed',
          altered(sealing, { acks: sealing.acks.slice(1), sealed: [{ ...sealed, player: 0 }, sealed] }),
          'sealed',
        ],
        ['not ascending', altered(good, { acks: [...good.acks].reverse() }), 'order'],
        [
          'twice',
          altered(good, { acks: [good.acks[0] ?? assert.fail(), ...good.acks.slice(0, 4)] }),
          'order',
        ],
        ['no such player', altered(sealing, { sealed: [{ ...sealed, player: 5 }] }), 'member'],
        ...[infinity, outsideSubgroup(), uncompressed, beyond].flatMap(
          (point, place) =>
            [
              [
                `ephemeral ${place}`,
                altered(sealing, { sealed: [{ ...sealed, ephemeral: point }] }),
                'point',
              ],
              [`encryption key ${place}`, altered(good, { encryption_key: point }), 'point'],
            ] as const,
        ),
        ...Object.entries({
          'a wrong challenge': { challenge: sealed.response },
          'a wrong response': { response: sealed.challenge },
          'another share': { share: sealed.share.with(31, (sealed.share[31] ?? 0) ^ 1) },
          "another's ephemeral": { ephemeral: theirs.ephemeral },
          "another's sealed share": theirs,
        }).map(([what, change]): readonly [string, Dealing, string] => [
          what,
          altered(sealing, { sealed: [{ ...sealed, ...change }] }),
          'proof',
        ]),
        [
          'acknowledgements of another player',
          altered(good, {
            acks: good.acks.map(({ signature }, place) => ({
              player: place,
              signature: good.acks[(place + 1) % 5]?.signature ?? signature,
            })),
          }),
          'signature',
        ],
        ['signed by nobody', { ...good, signature: new Uint8Array(64) }, 'signature'],
        ['altered afterwards', { ...good, commitments: [constant, third, third, fourth] }, 'signature'],
        [
          'acknowledgements of other commitments',
          altered(good, { commitments: [constant, third, third, fourth] }),
          'signature',
        ],
        [
          "another's acknowledgement",
          altered(good, {
            acks: good.acks.map((ack) => ({ ...ack, signature: good.acks[0]?.signature ?? assert.fail() })),
          }),
          'signature',
        ],
      ];
      for (const [what, dealing, expected] of cases) assert.equal(rule(dealing), expected, what);
    });

    test('a dealing is bound to one chain and one set of players', () => {
      assert.equal(rule(good, { ...context, chainId: 8n }), 'signature');
      const others = [0, 1, 2, 3, 5].map((number) => world.identity(number));
      assert.equal(rule(good, { ...context, nextPlayers: others }), 'signature');
      assert.equal(rule(good, { ...context, nextPlayers: others.slice(1) }), 'degree');
    });
  });
}

test('the signed messages match the design, byte for byte', () => {
  const count = Buffer.from([good.commitments.length, 0, 0, 0]);
  const digest = commitmentsDigest(crypto, good.commitments);
  assert.equal(hex(digest), hex(crypto.sha256(Buffer.concat([count, ...good.commitments]))));
  assert.equal(
    hex(ackMessage(0x0102n, { epoch: 3n, dealer: 4, player: 5, digest })),
    `${Buffer.from('heddle/ack/2').toString('hex')}020100000000000003000000000000000400000005000000${hex(digest)}`,
  );
  const rest = ledger.Dealing.encode(good).subarray(0, -64);
  assert.equal(
    hex(dealingMessage(0x0102n, good)),
    `${Buffer.from('heddle/dealing/3').toString('hex')}0201000000000000${hex(rest)}`,
  );
});

const RUNS = sweep(30);

test('random bytes as a dealing throw only if they do not decode', () => {
  const encoded = ledger.Dealing.encode(sealing);
  const decoded = (bytes: Uint8Array): Dealing | undefined => {
    try {
      return ledger.Dealing.decode(bytes);
    } catch {
      return undefined;
    }
  };
  let refused = 0;
  const check = (bytes: Uint8Array) => {
    const dealing = decoded(bytes);
    if (dealing === undefined) return;
    const isSame = sameBytes(bytes, encoded);
    assert.equal(checkDealing(world, dealing, context) === undefined, isSame);
    if (!isSame) refused++;
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), check), { numRuns: RUNS });
  fc.assert(
    fc.property(fc.nat({ max: encoded.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) =>
      check(encoded.with(at, (encoded[at] ?? 0) ^ flip)),
    ),
    { numRuns: RUNS },
  );
  assert.ok(refused > RUNS / 3, `${refused} decoded`);
});

test('the form check answers at once for any dealing that decodes', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const wild = fc.record({
    epoch: fc.constantFrom(0n, 1n, 2n ** 64n - 1n),
    dealer: fc.nat({ max: 5 }),
    commitments: fc.array(bytes(48), { maxLength: 6 }),
    acks: fc.array(fc.record({ player: fc.nat({ max: 6 }), signature: bytes(64) }), { maxLength: 6 }),
    encryption_key: bytes(48),
    sealed: fc.array(
      fc.record({
        player: fc.nat({ max: 6 }),
        ephemeral: bytes(48),
        share: bytes(32),
        challenge: bytes(32),
        response: bytes(32),
      }),
      { maxLength: 6 },
    ),
    signature: bytes(64),
  });
  fc.assert(
    fc.property(wild, (dealing) => {
      assert.notEqual(checkDealingForm(dealing, context), undefined);
      const [, ...rest] = dealing.commitments;
      const constant = set.validators[dealing.dealer]?.share_public_key ?? new Uint8Array(48);
      assert.notEqual(
        checkDealing(world, { ...dealing, commitments: [constant, ...rest] }, context),
        undefined,
      );
    }),
    { numRuns: sweep(20) },
  );
});
