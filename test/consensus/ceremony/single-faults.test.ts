// One participant loses, delays, repeats or alters one message of a ceremony, for every message; or it crashes after
// any of its writes. The ceremony must end alike for all honest participants, and never name one of them alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitmentsOf, randomPolynomial } from '../../../src/crypto/dkg/polynomial.js';
import { encodeScalar } from '../../../src/crypto/scalars/scalars.js';
import type { CeremonyBody } from '../../../src/generated/mesh.js';
import { meshCodecs } from '../../../src/generated/mesh-codecs.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { hex } from '../../support/hex.js';
import { assertEndedAlike, quickWorld } from '../../support/networks/ceremony-ends.js';
import { CeremonyNetwork, type Fate, type Passing } from '../../support/networks/ceremony-network.js';
import { validatorWorld } from '../../support/networks/validators.js';
import { randomSource } from '../../support/random-source.js';
import { spread } from '../../support/sweep.js';

const FAULTY = 2;
const HONEST = [0, 1, 3];
const world = quickWorld(validatorWorld(4));
const OTHER = commitmentsOf(world.bls, randomPolynomial(3, randomSource(6).bytes));

type Kind = CeremonyBody['type'];

/** Another body of the same kind; some break the rules. */
function altered(body: CeremonyBody): CeremonyBody {
  switch (body.type) {
    case 'hello':
      return { ...body, value: Uint8Array.of(1, 2, 3) };
    case 'commitments':
      return { ...body, value: OTHER };
    case 'evaluation':
      return { ...body, value: encodeScalar(5n) };
    case 'response':
      return { ...body, value: body.value.length === 0 ? [1] : [] };
    case 'sealed':
      return { ...body, value: body.value.map((each) => ({ ...each, share: encodeScalar(6n) })) };
    case 'complete':
      return { ...body, value: [...body.value].reverse() };
    case 'confirmation':
      return { ...body, value: new Uint8Array(32).fill(9) };
    case 'finished':
      return { ...body, value: { ...body.value, confirmations: [...body.value.confirmations].reverse() } };
    case 'approval': {
      const transcript = new Uint8Array(32).fill(7);
      const message = Buffer.concat([Buffer.from('heddle/ceremony/1'), transcript]);
      return {
        ...body,
        value: { ...body.value, transcript, signature: world.identity(FAULTY).sign(message) },
      };
    }
    case 'complaint':
    case 'fault':
      return body;
  }
}

/** Sets of recipients. */
const SOME: readonly (readonly number[])[] = [[0], [0, 1], HONEST];

interface Deed {
  readonly does: (body: CeremonyBody) => Fate;
  /** The recipients that the deed concerns, by run. */
  readonly targets: typeof SOME;
}

const DEEDS: Readonly<Record<string, Deed>> = {
  'loses any one message': { does: () => 'lost', targets: SOME },
  'alters any one message': { does: (body) => ({ body: altered(body) }), targets: SOME },
  'delays any one message past every timeout': { does: () => ({ lateMs: 700 }), targets: SOME },
  'delays any one message until just before a timeout': { does: () => ({ lateMs: 195 }), targets: [[0]] },
  'repeats any one message': { does: () => 'twice', targets: [HONEST] },
};

/** How a ceremony goes but for the deed: as it should, or with evaluations that are asked for in public. */
const asExpected = (): Fate => undefined;
const SETTINGS: Readonly<Record<string, (passing: Passing) => Fate>> = {
  'all is well': asExpected,
  'evaluations are asked for': ({ message, from, to }) => {
    if (from !== FAULTY || message.sender !== FAULTY || message.attempt !== 1) return undefined;
    if (message.body.type === 'evaluation' && to === 0) return 'lost';
    return message.body.type === 'response' ? { body: { type: 'response', value: [3] } } : undefined;
  },
};

const KINDS: readonly Kind[] = [
  'hello',
  'commitments',
  'evaluation',
  'response',
  'sealed',
  'approval',
  'complete',
  'confirmation',
  'finished',
];

/** The numbers from 1. */
const numbersTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

function run(fate?: (passing: Passing) => Fate, crashes?: (index: number, synced: number) => boolean) {
  const ceremony = new CeremonyNetwork({
    world,
    members: [0, 1, 2, 3],
    seed: 5,
    ...(fate === undefined ? {} : { fate }),
    ...(crashes === undefined ? {} : { crashes }),
  });
  ceremony.run(4_000);
  return ceremony;
}

const assertAlike = (ceremony: CeremonyNetwork, mustEnd: boolean) =>
  assertEndedAlike(world, ceremony, { faulty: FAULTY, mustEnd });

for (const [setting, usual] of Object.entries(SETTINGS)) {
  // Kinds that occur in both settings in the same way are covered in one.
  const kinds = KINDS.filter((kind) =>
    usual === asExpected ? kind !== 'sealed' : ['sealed', 'response', 'approval', 'complete'].includes(kind),
  );
  for (const [deed, { does, targets }] of Object.entries(DEEDS)) {
    test(`a participant ${deed} while ${setting}: all end alike, and only it is named`, () => {
      for (const [at, kind] of spread([...kinds.entries()], 4, deed.length)) {
        for (const concerned of spread(targets, 1, at)) {
          let [met, isOver] = [false, false];
          const ceremony = run((passing) => {
            const { message, from, to } = passing;
            const isMeant = from === FAULTY && message.sender === FAULTY && message.body.type === kind;
            if (isOver || !isMeant || message.attempt !== 1 || !concerned.includes(to)) return usual(passing);
            met = true;
            return does(message.body);
          });
          assert.ok(met, kind);
          assertAlike(ceremony, false);
          // Lost messages come with the next connection.
          isOver = true;
          ceremony.reconnect(FAULTY);
          ceremony.goOn(4_000);
          assertAlike(ceremony, deed !== 'alters any one message');
        }
      }
    });
  }
}

test('a participant that relays nothing, or alters what it relays, changes nothing', () => {
  const deeds: readonly ((passing: Passing) => Fate)[] = [
    () => 'lost',
    () => ({ lateMs: 700 }),
    ({ message }) => {
      const encoded = meshCodecs.CeremonyMessage.encode(message);
      return { encoded: encoded.with(-1, (encoded.at(-1) ?? 0) ^ 1) };
    },
  ];
  for (const deed of deeds) {
    const ceremony = run((passing) =>
      passing.from === FAULTY && passing.message.sender !== FAULTY ? deed(passing) : undefined,
    );
    assertAlike(ceremony, true);
    for (const index of HONEST) assert.deepEqual(ceremony.ends[index]?.failures, []);
  }
});

test('a participant that crashes after any of its writes ends like the others', () => {
  for (const [name, usual] of Object.entries(SETTINGS)) {
    const plain = run(usual);
    const writes = plain.ends[FAULTY]?.synced ?? 0;
    assert.ok(writes >= 5, name);
    for (const at of spread(numbersTo(writes), 5)) {
      const ceremony = run(usual, (index, synced) => index === FAULTY && synced === at);
      assertAlike(ceremony, true);
      const [all] = new Set(
        ceremony.ends.map(({ genesis }) => genesis && hex(ledger.Genesis.encode(genesis))),
      );
      assert.equal(hex(ledger.Genesis.encode(ceremony.ends[FAULTY]?.genesis ?? assert.fail())), all);
    }
  }
});

test('participants that all crash after the same write end alike', () => {
  for (const at of spread(numbersTo(7), 4)) {
    const ceremony = run(undefined, (_, synced) => synced === at);
    ceremony.goOn(4_000);
    const geneses = ceremony.ends.map(({ genesis }) => hex(ledger.Genesis.encode(genesis ?? assert.fail())));
    assert.equal(new Set(geneses).size, 1);
  }
});

test('a participant that crashes and loses one message when it is back ends like the others', () => {
  const kinds = ['hello', 'approval', 'complete', 'confirmation'] as const;
  for (const at of numbersTo(8).slice(1)) {
    for (const kind of spread(kinds, 1, at)) {
      let left = 3;
      const ceremony = run(
        ({ message, from }) => {
          if (from !== FAULTY || message.sender !== FAULTY || message.body.type !== kind) return undefined;
          return left-- > 0 ? 'lost' : undefined;
        },
        (index, synced) => index === FAULTY && synced === at,
      );
      assertAlike(ceremony, false);
      ceremony.reconnect(FAULTY);
      ceremony.goOn(6_000);
      assertAlike(ceremony, true);
    }
  }
});
