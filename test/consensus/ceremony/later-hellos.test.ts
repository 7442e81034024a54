// One participant says hello to later attempts: one ahead, many ahead and many times, in each stage, before others are
// up, and around restarts. It cannot separate the others, and is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CeremonyBody } from '../../../src/generated/mesh.js';
import { assertEndedAlike, quickWorld } from '../../support/networks/ceremony-ends.js';
import { CeremonyNetwork, type Fate, type Passing } from '../../support/networks/ceremony-network.js';
import { validatorWorld } from '../../support/networks/validators.js';
import { spread } from '../../support/sweep.js';

const FAULTY = 2;
const HONEST = [0, 1, 3];
const PAUSE_MS = 50;
const LAST_ATTEMPT = 2 ** 32 - 1;
const world = quickWorld(validatorWorld(4));

function network(fate?: (passing: Passing) => Fate): CeremonyNetwork {
  return new CeremonyNetwork({
    world,
    members: [0, 1, 2, 3],
    seed: 5,
    ...(fate === undefined ? {} : { fate }),
  });
}

/** Says hello to an attempt, because of an own accusation of an honest participant. */
function sayHello(ceremony: CeremonyNetwork, attempt: number, to = HONEST, accused = 1): void {
  const value = { code: { type: 'silent' }, participants: [accused] } as const;
  const reason = ceremony.signed(FAULTY, attempt - 1, { type: 'fault', value });
  ceremony.say(FAULTY, attempt, { type: 'hello', value: reason }, to);
}

const failuresOf = (ceremony: CeremonyNetwork, index: number) => ceremony.ends[index]?.failures ?? [];
const attemptOf = (ceremony: CeremonyNetwork, index: number) =>
  ceremony.state(index)?.attempt ?? assert.fail();
const assertAlike = (ceremony: CeremonyNetwork, mustEnd: boolean) =>
  assertEndedAlike(world, ceremony, { faulty: FAULTY, mustEnd });

/** Makes all ask for the faulty participant's evaluations in public. */
const withoutEvaluations = ({ message, from }: Passing): Fate =>
  from === FAULTY && message.sender === FAULTY && message.body.type === 'evaluation' ? 'lost' : undefined;

const STAGES = ['gather', 'deal', 'respond', 'answer', 'approve', 'complete', 'confirm', 'finished'];
const LEADS = [1, 2, LAST_ATTEMPT - 1].flatMap((lead) => [[0], HONEST].map((to) => ({ lead, to })));

for (const [at, stage] of STAGES.entries()) {
  test(`a hello to a later attempt in the stage ${stage}: all end alike, and its sender is named`, () => {
    for (const { lead, to } of spread(LEADS, 2, at)) {
      const ceremony = network(stage === 'answer' ? withoutEvaluations : undefined);
      ceremony.run(0);
      for (let ms = 0; ceremony.state(0)?.stage !== stage; ms++) {
        assert.ok(ms < 1_000, stage);
        ceremony.goOn(1);
      }
      sayHello(ceremony, 1 + lead, to);
      ceremony.goOn(4_000);
      assertAlike(ceremony, lead > 1);
      for (const index of lead > 1 ? to : []) {
        assert.ok(
          failuresOf(ceremony, index).some(({ participants }) => participants.join() === `${FAULTY}`),
        );
      }
      // A participant that votes for an attempt and against it may take part in no other.
      assert.ok(attemptOf(ceremony, 0) <= (lead === 1 ? 3 : 1));
    }
  });
}

test('hellos to later attempts before all are up do not separate those that are', () => {
  for (const [at, attempts] of [[2], [2, 3, 4], [1_001, 2_001], [2, LAST_ATTEMPT]].entries()) {
    for (const restarted of spread([[], [0], [0, 3]], 1, at)) {
      const ceremony = network();
      ceremony.run(200, [1, FAULTY]);
      for (const attempt of attempts) {
        sayHello(ceremony, attempt, [0]);
        ceremony.goOn(100);
      }
      for (const index of restarted) ceremony.restart(index);
      ceremony.goOn(200);
      for (const index of [0, 3]) {
        assert.deepEqual(ceremony.state(index), { attempt: 1, stage: 'gather', waitsFor: [1, 2] });
      }
      ceremony.restart(1);
      ceremony.goOn(200);
      for (const index of HONEST) assert.deepEqual(ceremony.state(index)?.waitsFor, [FAULTY]);
      ceremony.restart(FAULTY);
      ceremony.goOn(4_000);
      assertAlike(ceremony, true);
      for (const index of HONEST) {
        assert.deepEqual(
          ceremony.ends[index]?.refused.filter(({ from }) => from !== FAULTY),
          [],
        );
      }
    }
  }
});

test('many hellos to later attempts while one participant is absent cost no write and no message', () => {
  let sent = 0;
  const ceremony = network(({ from }) => {
    if (from === 0) sent++;
    return undefined;
  });
  ceremony.run(200, [1]);
  const before = { sent, synced: ceremony.ends[0]?.synced };
  for (let round = 0; round < 200; round++) {
    sayHello(ceremony, 2 + (round % 2 === 0 ? 0 : round), [0], round % 4);
    ceremony.goOn(5);
  }
  assert.deepEqual({ sent, synced: ceremony.ends[0]?.synced }, before);
  assert.deepEqual(
    failuresOf(ceremony, 0).map(({ participants }) => participants),
    [[FAULTY]],
  );
  assert.ok((ceremony.ends[0]?.refused.length ?? 0) >= 150);
  assert.deepEqual(ceremony.state(0), { attempt: 1, stage: 'gather', waitsFor: [1] });
  ceremony.restart(1);
  ceremony.goOn(4_000);
  assertAlike(ceremony, true);
});

test('a participant that ends attempt after attempt is named and followed by a pause each time, and the ceremony still ends', () => {
  const ceremony = network();
  ceremony.run(0);
  const rounds = 150;
  for (let round = 0; round < rounds; round++) {
    const next = Math.max(...HONEST.map((index) => attemptOf(ceremony, index))) + 1;
    sayHello(ceremony, next, round % 3 === 0 ? [0] : HONEST);
    sayHello(ceremony, next + 1, [1]);
    ceremony.goOn(10);
  }
  const attempts = HONEST.map((index) => attemptOf(ceremony, index));
  assert.ok(Math.max(...attempts) - Math.min(...attempts) <= 1, attempts.join());
  assert.ok(
    Math.max(...attempts) > 3 && Math.max(...attempts) <= 1 + (rounds * 10) / PAUSE_MS,
    attempts.join(),
  );
  for (const index of HONEST) assert.ok(failuresOf(ceremony, index).length >= attemptOf(ceremony, index) - 1);
  ceremony.goOn(6_000);
  assertAlike(ceremony, true);
});

test('two different messages of any kind before all are up end the attempt only once all are up', () => {
  const bodies: readonly CeremonyBody[] = [
    { type: 'response', value: [0] },
    { type: 'response', value: [1] },
  ];
  const ceremony = network();
  ceremony.run(200, [1]);
  for (let round = 0; round < 20; round++) {
    for (const body of bodies) ceremony.say(FAULTY, 1, body, [0]);
    ceremony.goOn(100);
  }
  for (const index of [0, 3]) assert.equal(attemptOf(ceremony, index), 1);
  ceremony.restart(1);
  ceremony.goOn(4_000);
  assertAlike(ceremony, true);
  assert.equal(attemptOf(ceremony, 0), 2);
  assert.deepEqual(
    failuresOf(ceremony, 0).map(({ code, participants }) => [code, participants]),
    [['equivocation', [FAULTY]]],
  );
});

test('a hello that one participant alone got reaches the others later, even from a restarted one', () => {
  let isCut = true;
  const ceremony = network(({ message, from, to }) => {
    const isMeant =
      isCut && message.sender === FAULTY && message.attempt === 1 && message.body.type === 'hello';
    return isMeant && (from !== FAULTY || to !== 0) ? 'lost' : undefined;
  });
  ceremony.run(1_000);
  assert.deepEqual(
    HONEST.map((index) => attemptOf(ceremony, index)),
    [2, 1, 1],
  );
  ceremony.stop(FAULTY);
  isCut = false;
  for (let restart = 0; restart < 3; restart++) ceremony.restart(0);
  ceremony.goOn(1_000);
  const attempt = attemptOf(ceremony, 0);
  for (const index of HONEST) {
    assert.deepEqual(ceremony.state(index), { attempt, stage: 'gather', waitsFor: [FAULTY] });
  }
  ceremony.restart(FAULTY);
  ceremony.goOn(4_000);
  const [first, ...others] = ceremony.ends.map(({ genesis }) => genesis ?? assert.fail());
  for (const other of others) assert.deepEqual(other, first);
});
