import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCeremony } from '../../../src/consensus/ceremony/check-ceremony.js';
import type { CeremonyFailure } from '../../../src/consensus/ceremony/failure.js';
import { commitmentsOf, randomPolynomial } from '../../../src/crypto/dkg/polynomial.js';
import { sealEvaluation } from '../../../src/crypto/dkg/sealed-share.js';
import { encodeScalar } from '../../../src/crypto/scalars/scalars.js';
import type { Genesis } from '../../../src/generated/ledger.js';
import { meshCodecs } from '../../../src/generated/mesh-codecs.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { checkGenesis } from '../../../src/ledger/genesis.js';
import { signTogether } from '../../support/crypto/threshold.js';
import { hex } from '../../support/hex.js';
import { CeremonyNetwork, type Fate, type Passing } from '../../support/networks/ceremony-network.js';
import { TEST_CHAIN_ID, validatorWorld } from '../../support/networks/validators.js';
import { randomSource } from '../../support/random-source.js';
import { spread } from '../../support/sweep.js';

const world = validatorWorld(7);
const FOUR = [0, 1, 2, 3];
const MESSAGE = new TextEncoder().encode('message');

function network(fate?: (passing: Passing) => Fate, members: readonly number[] = FOUR): CeremonyNetwork {
  return new CeremonyNetwork({ world, members, seed: 5, ...(fate === undefined ? {} : { fate }) });
}

/** Asserts that all participants ended with the same valid genesis, and with shares that sign under its key. */
function assertEndedWell(ceremony: CeremonyNetwork): Genesis {
  const [first, ...others] = ceremony.ends;
  const genesis = first?.genesis ?? assert.fail(JSON.stringify(ceremony.state(0)));
  for (const end of others) {
    assert.equal(
      hex(ledger.Genesis.encode(end.genesis ?? assert.fail())),
      hex(ledger.Genesis.encode(genesis)),
    );
  }
  checkGenesis(genesis);
  assert.equal(checkCeremony(world, genesis), undefined);
  const { validators, quorum, group_public_key } = genesis.validator_set;
  const shares = ceremony.ends.map(({ share }) => share ?? assert.fail());
  for (const { index, share_public_key } of validators) {
    assert.equal(hex(world.bls.publicKey(shares[index] ?? assert.fail())), hex(share_public_key));
  }
  const signers = validators.map(({ index }) => index).slice(-quorum);
  const signature = signTogether(world.bls, MESSAGE, shares, signers);
  assert.ok(world.bls.verify(signature, MESSAGE, group_public_key));
  const fewer = signers.slice(1);
  assert.ok(
    fewer.length === 0 ||
      !world.bls.verify(signTogether(world.bls, MESSAGE, shares, fewer), MESSAGE, group_public_key),
  );
  return genesis;
}

/** The failures of all participants but one, which must name exactly that one, or its accuser beside it. */
function assertNamed(ceremony: CeremonyNetwork, faulty: number, code: CeremonyFailure['code']): void {
  const failures = ceremony.ends.flatMap((end, index) => (index === faulty ? [] : end.failures));
  assert.ok(failures.length > 0);
  for (const failure of failures) {
    assert.ok(failure.participants.includes(faulty), JSON.stringify(failures));
    assert.equal(failure.code, code);
  }
  assert.ok(failures.some(({ participants }) => participants.join() === `${faulty}`));
}

const bodyOf = ({ message }: Passing, sender: number, attempt = 1) =>
  message.sender === sender && message.attempt === attempt ? message.body : undefined;
const isFrom = (passing: Passing, sender: number, type: Passing['message']['body']['type'], attempt = 1) =>
  passing.from === sender && bodyOf(passing, sender, attempt)?.type === type;
const wrongShare = { body: { type: 'evaluation', value: encodeScalar(5n) } } as const;

for (const count of [2, 4, 5, 7]) {
  test(`${count} participants make a key that none of them knows, and all sign the result`, () => {
    const ceremony = network(undefined, FOUR.concat([4, 5, 6]).slice(0, count));
    ceremony.run(2_000);
    const genesis = assertEndedWell(ceremony);
    assert.equal(genesis.ceremony?.dealings.length, count);
    assert.deepEqual(
      ceremony.ends.flatMap(({ failures, refused }) => [...failures, ...refused]),
      [],
    );
    assert.deepEqual(ceremony.state(0), { attempt: 1, stage: 'finished', waitsFor: [] });
  });
}

for (const [what, sent] of [
  ['a wrong', wrongShare],
  ['no', 'lost'],
] as const) {
  test(`a dealer that sends a player ${what} evaluation seals it to the player's key in public`, () => {
    const seen: Passing[] = [];
    const ceremony = network((passing) => {
      seen.push(passing);
      return isFrom(passing, 1, 'evaluation') && passing.to === 2 ? sent : undefined;
    });
    ceremony.run(2_000);
    assertEndedWell(ceremony);
    const sealed = seen.find((passing) => isFrom(passing, 1, 'sealed'))?.message.body;
    assert.ok(sealed?.type === 'sealed');
    assert.deepEqual(
      sealed.value.map(({ player }) => player),
      [2],
    );
    // Evaluations go to their players only, and appear in no other message.
    const own = seen.filter(({ message }) => message.body.type === 'evaluation');
    assert.ok(own.every(({ message, from }) => message.sender === from));
    const [dealt] = own.flatMap(({ message, to }) =>
      message.sender === 1 && to === 2 && message.body.type === 'evaluation' ? [hex(message.body.value)] : [],
    );
    const others = seen.filter(({ message }) => message.body.type !== 'evaluation');
    const texts = others.map(({ message }) => hex(meshCodecs.CeremonyMessage.encode(message)));
    assert.ok(dealt !== undefined && !texts.some((text) => text.includes(dealt)));
  });
}

const sealedContext = { chainId: TEST_CHAIN_ID, epoch: 0n, dealer: 1, player: 2 };
const garbage = {
  player: 2,
  ...sealEvaluation(world, sealedContext, world.identity(2).encryption_key, 6n),
};

for (const [what, code, sealed] of [
  ['garbage', 'garbage', garbage],
  ['under a wrong proof', 'malformed', { ...garbage, response: encodeScalar(6n) }],
] as const) {
  test(`every player names a dealer that seals ${what}`, () => {
    const ceremony = network((passing) => {
      if (isFrom(passing, 1, 'evaluation') && passing.to === 2) return wrongShare;
      if (!isFrom(passing, 1, 'sealed')) return undefined;
      return { body: { type: 'sealed', value: [sealed] } };
    });
    ceremony.run(4_000);
    assertNamed(ceremony, 1, code);
    assertEndedWell(ceremony);
  });
}

test('a player that complains about a valid sealed share, or none, is named by everybody', () => {
  for (const asked of [[], [1]]) {
    const ceremony = network((passing) => {
      if (isFrom(passing, 2, 'response')) return { body: { type: 'response', value: asked } };
      if (!isFrom(passing, 2, 'approval')) return undefined;
      const point = world.identity(1).encryption.publicKey;
      const value = {
        epoch: 0n,
        dealer: 1,
        player: 2,
        shared: point,
        challenge: encodeScalar(2n),
        response: encodeScalar(3n),
      };
      return { body: { type: 'complaint', value } };
    });
    ceremony.run(5_000);
    assertNamed(ceremony, 2, 'false_complaint');
    assertEndedWell(ceremony);
  }
});

test('a dealer that does not answer is named by everybody', () => {
  const ceremony = network((passing) => {
    if (isFrom(passing, 1, 'evaluation')) return 'lost';
    return isFrom(passing, 1, 'sealed') ? 'lost' : undefined;
  });
  ceremony.run(5_000);
  assertNamed(ceremony, 1, 'silent');
  assertEndedWell(ceremony);
});

test('a dealer that signs different commitments for different players is named by everybody', () => {
  const value = commitmentsOf(world.bls, randomPolynomial(3, randomSource(6).bytes));
  const ceremony = network((passing) =>
    isFrom(passing, 2, 'commitments') && passing.to === 0
      ? { body: { type: 'commitments', value } }
      : undefined,
  );
  ceremony.run(3_000);
  assertNamed(ceremony, 2, 'equivocation');
  assertEndedWell(ceremony);
});

test('a dealer whose commitments reach only one participant takes part like the others', () => {
  const ceremony = network((passing) =>
    isFrom(passing, 3, 'commitments') && passing.to !== 2 ? 'lost' : undefined,
  );
  ceremony.run(3_000);
  assertEndedWell(ceremony);
  assert.deepEqual(
    ceremony.ends.flatMap(({ failures }) => failures),
    [],
  );
});

test('a participant that does not acknowledge honest dealers merely makes them seal to it', () => {
  const ceremony = network((passing) =>
    isFrom(passing, 3, 'response') ? { body: { type: 'response', value: [0, 1, 2] } } : undefined,
  );
  ceremony.run(3_000);
  assertEndedWell(ceremony);
  assert.deepEqual(
    ceremony.ends.flatMap(({ failures }) => failures),
    [],
  );
});

test('a participant that approves another transcript is named by everybody', () => {
  const ceremony = network((passing) => {
    const body = bodyOf(passing, 1);
    if (body?.type !== 'approval' || passing.from !== 1) return undefined;
    const transcript = new Uint8Array(32).fill(7);
    const signature = world.identity(1).sign(Buffer.concat([Buffer.from('heddle/ceremony/1'), transcript]));
    return { body: { type: 'approval', value: { ...body.value, transcript, signature } } };
  });
  ceremony.run(5_000);
  assertNamed(ceremony, 1, 'dissent');
  assertEndedWell(ceremony);
});

test('a participant silent after the start is named, and the next attempt begins when it is present', () => {
  const ceremony = network((passing) =>
    passing.from === 3 && passing.message.attempt === 1 && passing.message.body.type !== 'hello'
      ? 'lost'
      : undefined,
  );
  ceremony.run(5_000);
  assertNamed(ceremony, 3, 'silent');
  assertEndedWell(ceremony);
});

test('no dealing starts before all participants are present', () => {
  const ceremony = network();
  ceremony.run(10_000, [2]);
  assert.deepEqual(ceremony.state(0), { attempt: 1, stage: 'gather', waitsFor: [2] });
  assert.deepEqual(
    ceremony.ends.flatMap(({ failures }) => failures),
    [],
  );
  ceremony.restart(2);
  ceremony.goOn(2_000);
  assertEndedWell(ceremony);
});

test('a participant that restarts before all are present stays in its attempt', () => {
  const ceremony = network();
  ceremony.run(200, [2]);
  for (let round = 0; round < 5; round++) {
    for (const index of [0, 1, 3]) ceremony.restart(index);
    ceremony.goOn(100);
  }
  ceremony.restart(2);
  ceremony.goOn(2_000);
  assertEndedWell(ceremony);
  assert.equal(ceremony.state(0)?.attempt, 1);
  assert.deepEqual(
    ceremony.ends.flatMap(({ failures, refused }) => [...failures, ...refused]),
    [],
  );
});

test('a participant that lost its files learns its attempt from the others', () => {
  for (const at of spread([200, 1_000, 1_800, 1_900, 2_000], 2)) {
    const ceremony = network((passing) =>
      passing.message.attempt < 3 && isFrom(passing, 2, 'response', passing.message.attempt)
        ? 'lost'
        : undefined,
    );
    ceremony.run(at);
    ceremony.stop(3);
    ceremony.goOn(300);
    const lost = ceremony.ends[3] ?? assert.fail();
    if (lost.genesis !== undefined) continue;
    Object.assign(lost, { begun: undefined, record: undefined });
    ceremony.restart(3);
    ceremony.goOn(6_000);
    assertEndedWell(ceremony);
    for (const { failures } of [0, 1, 3].map((index) => ceremony.ends[index] ?? assert.fail())) {
      assert.ok(
        failures.every(({ participants }) => participants.some((each) => each === 2 || each === 3)),
        JSON.stringify(failures),
      );
    }
  }
});

test('a withheld approval that reaches one participant late makes all end, or none', () => {
  // Around the end of the phase, so that it comes before, while and after the others abandon the attempt.
  for (const [at, lateMs] of [400, 560, 590, 600, 610, 620, 640, 800].entries()) {
    for (const withEnd of spread([true, false], 1, at)) {
      const ceremony = network((passing) => {
        if (isFrom(passing, 3, 'approval')) return passing.to === 1 ? { lateMs } : 'lost';
        if (withEnd || passing.from !== 3) return undefined;
        // It takes no part in the end, but gives the last message of all to one participant, much later.
        if (passing.message.body.type === 'confirmation')
          return passing.to === 1 ? { lateMs: 3_000 } : 'lost';
        return passing.message.body.type === 'finished' && passing.to !== 1 ? 'lost' : undefined;
      });
      ceremony.run(8_000);
      assertEndedWell(ceremony);
      for (const { failures } of ceremony.ends.slice(0, 3)) {
        assert.ok(
          failures.every(({ participants }) => participants.includes(3)),
          JSON.stringify(failures),
        );
      }
    }
  }
});

test('a participant that misses the end gets it on return, even from a restarted one', () => {
  const ceremony = network((passing) =>
    passing.to === 3 && ['complete', 'confirmation', 'finished'].includes(passing.message.body.type)
      ? { lateMs: 2_500 }
      : undefined,
  );
  ceremony.run(300);
  assert.equal(ceremony.ends[3]?.genesis, undefined);
  ceremony.stop(3);
  ceremony.goOn(100);
  ceremony.restart(3);
  ceremony.goOn(3_000);
  assertEndedWell(ceremony);
  ceremony.restart(0);
  ceremony.goOn(3_000);
  assert.deepEqual(ceremony.state(0)?.waitsFor, []);
});

test('messages of another attempt change nothing when they come again', () => {
  const old: Uint8Array[] = [];
  const ceremony = network((passing) => {
    if (passing.message.attempt === 1) old.push(meshCodecs.CeremonyMessage.encode(passing.message));
    return isFrom(passing, 2, 'response') ? 'lost' : undefined;
  });
  ceremony.run(1_000);
  assertNamed(ceremony, 2, 'silent');
  assert.equal(ceremony.state(0)?.attempt, 2);
  for (const encoded of old) {
    for (const to of [0, 1, 3]) ceremony.step(to, { type: 'message', from: 2, encoded });
  }
  ceremony.say(2, 2, { type: 'hello', value: new Uint8Array(0) });
  ceremony.goOn(3_000);
  assertEndedWell(ceremony);
  for (const index of [0, 1, 3]) {
    const reasons = ceremony.ends[index]?.refused.map(({ reason }) => reason);
    assert.deepEqual(new Set(reasons), new Set(['a hello without a fault']));
    assert.equal(ceremony.ends[index]?.genesis?.ceremony !== undefined && ceremony.state(index)?.attempt, 2);
  }
});

test('messages of strangers and liars are refused and change nothing', () => {
  const ceremony = network();
  const noise = randomSource(8);
  ceremony.run(60);
  for (let round = 0; round < 50; round++) {
    ceremony.step(0, { type: 'message', from: noise.below(6), encoded: noise.bytes(noise.below(300)) });
  }
  ceremony.step(0, { type: 'message', from: 1, encoded: new Uint8Array(40_000) });
  const evaluation = ceremony.signed(1, 1, wrongShare.body);
  ceremony.step(0, { type: 'message', from: 2, encoded: evaluation });
  ceremony.step(0, { type: 'message', from: 1, encoded: ceremony.signed(1, 5_000, wrongShare.body) });
  ceremony.goOn(2_000);
  assertEndedWell(ceremony);
  assert.equal(ceremony.ends[0]?.refused.length, 53);
});

test('a message with a flipped bit or of another configuration is refused', () => {
  const lost = () => 'lost' as const;
  const ceremony = network(lost);
  const other = network(lost, [0, 1, 2, 4]);
  ceremony.run(10);
  other.run(10);
  const hello = { type: 'hello', value: new Uint8Array(0) } as const;
  const own = ceremony.signed(1, 1, hello);
  const refusals = () => ceremony.ends[0]?.refused.length;
  for (let at = 0; at < own.length; at++) {
    const encoded = own.with(at, (own[at] ?? 0) ^ (1 << (at % 8)));
    ceremony.step(0, { type: 'message', from: 1, encoded });
    assert.equal(refusals(), at + 1, `byte ${at}`);
  }
  ceremony.step(0, { type: 'message', from: 1, encoded: other.signed(1, 1, hello) });
  assert.equal(refusals(), own.length + 1);
  assert.deepEqual(ceremony.state(0)?.waitsFor, [1, 2, 3]);
  ceremony.step(0, { type: 'message', from: 2, encoded: own });
  assert.deepEqual(ceremony.state(0)?.waitsFor, [2, 3], 'anybody relays it');
});

test('a genesis whose ceremony was altered is refused', () => {
  const ceremony = network();
  ceremony.run(2_000);
  const genesis = assertEndedWell(ceremony);
  const born = genesis.ceremony ?? assert.fail();
  const rule = (altered: Partial<Genesis>) => checkCeremony(world, { ...genesis, ...altered })?.rule;
  const withDealings = (dealings: typeof born.dealings) => rule({ ceremony: { ...born, dealings } });
  const [first, second, third, fourth] = born.dealings;
  assert.ok(first && second && third && fourth);
  assert.equal(rule({ ceremony: { ...born, signatures: born.signatures.slice(1) } }), 'approvals');
  assert.equal(rule({ ceremony: { ...born, signatures: [...born.signatures].reverse() } }), 'signature');
  assert.equal(rule({ chain_id: 8n }), 'signature');
  assert.equal(rule({ epoch_length: 99n }), 'signature');
  assert.equal(rule({ accounts: [] }), 'signature');
  assert.equal(rule({ encryption_keys: [...(genesis.encryption_keys ?? [])].reverse() }), 'signature');
  assert.equal(withDealings([first, second, third]), 'approvals');
  assert.equal(withDealings([second, first, third, fourth]), 'order');
  assert.equal(withDealings([first, second, third, { ...fourth, dealer: 9 }]), 'order');
  const other = commitmentsOf(world.bls, randomPolynomial(3, randomSource(6).bytes));
  assert.equal(withDealings([first, second, third, { dealer: 3, commitments: other }]), 'constant');
  assert.equal(
    withDealings([{ ...first, commitments: first.commitments.slice(1) }, second, third, fourth]),
    'degree',
  );
  assert.equal(
    withDealings([
      { ...first, commitments: [new Uint8Array(48), ...first.commitments.slice(1)] },
      second,
      third,
      fourth,
    ]),
    'point',
  );
  const set = genesis.validator_set;
  const [own, ...others] = set.validators;
  assert.ok(own);
  assert.equal(
    rule({ validator_set: { ...set, validators: [{ ...own, address: new Uint8Array(20) }, ...others] } }),
    'constant',
  );
  const { ceremony: _, ...dealt } = genesis;
  assert.equal(checkCeremony(world, dealt)?.rule, 'form');
});
