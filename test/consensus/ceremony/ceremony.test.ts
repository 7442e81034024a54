import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCeremony, shareInGenesis } from '../../../src/consensus/ceremony/check-ceremony.js';
import type { CeremonyFailure } from '../../../src/consensus/ceremony/failure.js';
import { commitmentsOf, randomPolynomial } from '../../../src/crypto/dkg/polynomial.js';
import { encodeScalar } from '../../../src/crypto/scalars/scalars.js';
import type { Genesis } from '../../../src/generated/ledger.js';
import type { CeremonyMessage } from '../../../src/generated/mesh.js';
import { meshCodecs } from '../../../src/generated/mesh-codecs.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { checkGenesis } from '../../../src/ledger/genesis.js';
import { CeremonyNetwork, type Tampering } from '../../support/ceremony-network.js';
import { hex } from '../../support/hex.js';
import { randomSource } from '../../support/random-source.js';
import { signTogether } from '../../support/threshold.js';
import { validatorWorld } from '../../support/validators.js';

const world = await validatorWorld(4);
const FOUR = [0, 1, 2, 3];
const MESSAGE = new TextEncoder().encode('message');

function network(tamper?: Tampering, members: readonly number[] = FOUR): CeremonyNetwork {
  return new CeremonyNetwork(world, members, 5, tamper);
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
  assert.ok(
    quorum < 2 ||
      !world.bls.verify(
        signTogether(world.bls, MESSAGE, shares, signers.slice(1)),
        MESSAGE,
        group_public_key,
      ),
  );
  return genesis;
}

/** Asserts that a participant blames the faulty one, from its own check or another participant's report. */
function assertBlamed(failures: readonly CeremonyFailure[], whom: number): void {
  const [first] = failures;
  const told = first?.code === 'superseded' && first.message.endsWith(`holding ${whom} responsible`);
  assert.ok(told || first?.participants.join() === `${whom}`, JSON.stringify(failures));
}

const isFrom = (
  message: CeremonyMessage,
  sender: number,
  type: CeremonyMessage['body']['type'],
  attempt = 1,
) => message.sender === sender && message.body.type === type && message.attempt === attempt;
const dealersOf = (genesis: Genesis) => genesis.ceremony?.dealings.map(({ dealer }) => dealer);
const wrongShare = { body: { type: 'evaluation', value: encodeScalar(5n) } } as const;

for (const count of [2, 4, 5, 7]) {
  test(`${count} participants make a key that none of them knows, and all sign the result`, () => {
    const ceremony = network(undefined, FOUR.concat([4, 5, 6]).slice(0, count));
    ceremony.run(2_000);
    const genesis = assertEndedWell(ceremony);
    assert.equal(dealersOf(genesis)?.length, count);
    assert.ok(genesis.ceremony?.dealings.every(({ reveals }) => reveals.length === 0));
    assert.deepEqual(
      ceremony.ends.flatMap(({ failures }) => failures),
      [],
    );
    assert.deepEqual(ceremony.state(0), { attempt: 1, stage: 'finished', waitsFor: [] });
  });
}

test('a dealer that sends one player a wrong evaluation reveals it', () => {
  const ceremony = network((message, to) =>
    isFrom(message, 1, 'evaluation') && to === 2 ? wrongShare : undefined,
  );
  ceremony.run(2_000);
  const { dealings = [] } = assertEndedWell(ceremony).ceremony ?? {};
  assert.deepEqual(
    dealings.map(({ reveals }) => reveals.map(({ player }) => player)),
    [[], [2], [], []],
  );
});

for (const answer of ['a wrong evaluation', 'none'] as const) {
  test(`a dealer that reveals ${answer} is excluded, or named if it does not sign`, () => {
    let approval: CeremonyMessage['body'] | undefined;
    let stubborn = false;
    const tamper: Tampering = (message, to) => {
      if (isFrom(message, 1, 'evaluation') && to === 2) return wrongShare;
      if (isFrom(message, 0, 'approval')) approval = message.body;
      if (!stubborn && (isFrom(message, 1, 'approval') || message.attempt > 1)) return 'lost';
      if (!isFrom(message, 1, 'reveals')) return undefined;
      return answer === 'none'
        ? 'lost'
        : { body: { type: 'reveals', value: [{ player: 2, share: encodeScalar(6n) }] } };
    };
    const ceremony = network(tamper);
    ceremony.run(700);
    assert.ok(approval?.type === 'approval');
    const signature = world
      .identity(1)
      .sign(Buffer.concat([Buffer.from('heddle/ceremony/1'), approval.value.transcript]));
    ceremony.say(1, { type: 'approval', value: { ...approval.value, signature } });
    ceremony.goOn(100);
    for (const index of [0, 2, 3]) {
      const genesis = ceremony.ends[index]?.genesis ?? assert.fail();
      assert.equal(checkCeremony(world, genesis), undefined);
      assert.deepEqual(dealersOf(genesis), [0, 2, 3]);
    }

    stubborn = true;
    const again = network(tamper);
    again.run(900);
    for (const { failures } of again.ends) assertBlamed(failures, 1);
  });
}

test('a dealer with more than f complaints is excluded, and signs like the others', () => {
  const ceremony = network((message, to) =>
    isFrom(message, 1, 'evaluation') && to !== 0 ? wrongShare : undefined,
  );
  ceremony.run(2_000);
  assert.deepEqual(dealersOf(assertEndedWell(ceremony)), [0, 2, 3]);
});

test('a dealer whose commitments reach no participant, or not all, is excluded', () => {
  for (const reached of [[], [2]]) {
    const ceremony = network((message, to) =>
      isFrom(message, 3, 'commitments') && !reached.includes(to) ? 'lost' : undefined,
    );
    ceremony.run(3_000);
    assert.deepEqual(dealersOf(assertEndedWell(ceremony)), [0, 1, 2]);
  }
});

test('an evaluation that arrives after the complaint for one participant, but before it for others, is revealed', () => {
  const ceremony = network((message, to) =>
    isFrom(message, 0, 'evaluation') && to === 3 ? 230 : isFrom(message, 0, 'evaluation') ? 150 : undefined,
  );
  ceremony.run(2_000);
  const { dealings = [] } = assertEndedWell(ceremony).ceremony ?? {};
  assert.deepEqual(
    dealings.map(({ reveals }) => reveals.map(({ player }) => player)),
    [[3], [], [], []],
  );
});

test('a dealer that signs different commitments for different players is caught and named', () => {
  const other = commitmentsOf(world.bls, randomPolynomial(3, randomSource(6).bytes));
  const ceremony = network((message, to) =>
    isFrom(message, 2, 'commitments') && to === 0
      ? { body: { type: 'commitments', value: other } }
      : undefined,
  );
  ceremony.run(3_000);
  for (const { failures } of ceremony.ends) assertBlamed(failures, 2);
  assert.ok(ceremony.ends.some(({ failures }) => failures[0]?.code === 'equivocation'));
  // The second attempt is not tampered with.
  assertEndedWell(ceremony);
});

test('a player that gives participants different answers is caught and named', () => {
  const ceremony = network((message, to) => {
    if (!isFrom(message, 2, 'response') || to !== 0 || message.body.type !== 'response') return undefined;
    return { body: { type: 'response', value: { ...message.body.value, complaints: [1] } } };
  });
  ceremony.run(4_000);
  const codes = ceremony.ends.flatMap(({ failures }) => failures);
  const named = codes.filter(({ code }) => code === 'equivocation' || code === 'disagreement');
  assert.ok(named.length > 0, JSON.stringify(codes));
  assert.ok(
    named.some(({ participants }) => participants.join() === '2'),
    JSON.stringify(named),
  );
  assertEndedWell(ceremony);
});

test('a participant silent after the start is named, and the next attempt begins when it is present', () => {
  const ceremony = network((message) =>
    message.sender === 3 && message.attempt === 1 && message.body.type !== 'hello' ? 'lost' : undefined,
  );
  ceremony.run(5_000);
  for (const { failures } of ceremony.ends.slice(0, 3)) {
    assert.ok(
      failures.some(({ code, participants }) => code === 'silent' && participants.join() === '3') ||
        failures.some(({ code }) => code === 'superseded'),
      JSON.stringify(failures),
    );
  }
  assert.ok(ceremony.ends.some(({ failures }) => failures.some(({ code }) => code === 'silent')));
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
  ceremony.restart(2, 1);
  ceremony.goOn(2_000);
  assertEndedWell(ceremony);
});

test('a participant that signs a different transcript is named', () => {
  const ceremony = network((message) => {
    if (!isFrom(message, 1, 'approval') || message.body.type !== 'approval') return undefined;
    const transcript = new Uint8Array(32).fill(7);
    const signature = world.identity(1).sign(Buffer.concat([Buffer.from('heddle/ceremony/1'), transcript]));
    return { body: { type: 'approval', value: { ...message.body.value, transcript, signature } } };
  });
  ceremony.run(5_000);
  const named = ceremony.ends
    .flatMap(({ failures }) => failures)
    .filter(({ code }) => code === 'wrong_transcript');
  assert.ok(named.length > 0);
  assert.ok(named.every(({ participants }) => participants.join() === '1'));
  assertEndedWell(ceremony);
});

test('a participant that misses the end gets the signatures on return, even from a restarted one', () => {
  const ceremony = network((message, to) =>
    to === 3 && (message.body.type === 'approval' || message.body.type === 'finished') && message.sender !== 3
      ? 2_500
      : undefined,
  );
  ceremony.run(400);
  assert.ok(ceremony.ends[0]?.genesis !== undefined);
  assert.equal(ceremony.ends[3]?.genesis, undefined);
  ceremony.stop(3);
  ceremony.stop(0);
  ceremony.goOn(100);
  ceremony.restart(0, 2);
  ceremony.restart(3, 2);
  ceremony.goOn(8_000);
  assertEndedWell(ceremony);
  assert.deepEqual(ceremony.state(0)?.waitsFor, []);
});

test('a share stored before the end matches only the resulting genesis', () => {
  const [one, other] = [network(), new CeremonyNetwork(world, FOUR, 99)];
  one.run(2_000);
  other.run(2_000);
  const record = one.ends[2]?.records.at(-1) ?? assert.fail();
  const found = shareInGenesis(world, record, assertEndedWell(one));
  assert.ok('share' in found && hex(found.share) === hex(one.ends[2]?.share ?? assert.fail()));
  const refused = shareInGenesis(world, record, assertEndedWell(other));
  assert.ok('rule' in refused && refused.rule === 'constant');
});

test('messages of strangers and liars are refused and change nothing', () => {
  const ceremony = network();
  const noise = randomSource(8);
  ceremony.run(60);
  for (let round = 0; round < 50; round++) {
    ceremony.step(0, { type: 'message', from: noise.below(6), encoded: noise.bytes(noise.below(300)) });
  }
  ceremony.step(0, { type: 'message', from: 1, encoded: new Uint8Array(40_000) });
  ceremony.goOn(2_000);
  assertEndedWell(ceremony);
  assert.equal(ceremony.ends[0]?.refused.length, 51);
});

test('a message with a flipped bit, another sender or another configuration is refused', () => {
  const hello = new Map<number, Uint8Array>();
  const catching = (into: Map<number, Uint8Array>): Tampering => {
    return (message) => {
      if (message.body.type === 'hello') into.set(message.sender, meshCodecs.CeremonyMessage.encode(message));
      return 'lost';
    };
  };
  const others = new Map<number, Uint8Array>();
  network(catching(hello)).run(10);
  network(catching(others), [0, 1, 2, 4]).run(10);
  const ceremony = network(() => 'lost');
  ceremony.run(10);
  const own = hello.get(1) ?? assert.fail();
  const refusals = () => ceremony.ends[0]?.refused.length;
  for (let at = 0; at < own.length; at++) {
    const encoded = own.with(at, (own[at] ?? 0) ^ (1 << (at % 8)));
    ceremony.step(0, { type: 'message', from: 1, encoded });
    assert.equal(refusals(), at + 1, `byte ${at}`);
  }
  ceremony.step(0, { type: 'message', from: 2, encoded: own });
  ceremony.step(0, { type: 'message', from: 1, encoded: others.get(1) ?? assert.fail() });
  assert.equal(refusals(), own.length + 2);
  assert.deepEqual(ceremony.state(0)?.waitsFor, [1, 2, 3]);
  ceremony.step(0, { type: 'message', from: 1, encoded: own });
  assert.deepEqual(ceremony.state(0)?.waitsFor, [2, 3]);
});

test('a genesis whose ceremony was altered is refused', () => {
  const ceremony = network((message, to) =>
    isFrom(message, 1, 'evaluation') && to === 2 ? wrongShare : undefined,
  );
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
  assert.equal(withDealings([first, second]), 'approvals');
  assert.equal(withDealings([first, second, third]), 'constant');
  assert.equal(withDealings([second, first, third, fourth]), 'order');
  assert.equal(withDealings([first, { ...second, reveals: [] }, third, fourth]), 'signature');
  assert.equal(
    withDealings([first, { ...second, reveals: [{ player: 2, share: encodeScalar(5n) }] }, third, fourth]),
    'evaluation',
  );
  assert.equal(withDealings([first, second, third, { ...fourth, dealer: 9 }]), 'member');
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
