import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CONFIG,
  CoreHarness,
  certificateOf,
  childOf,
  GENESIS,
  voteOf,
} from '../../support/worlds/core-harness.js';

test('rule 1: the leader of view v in epoch e is validator (v + e) mod n', () => {
  const driver = new CoreHarness({ self: 0, setup: { epoch: 3, committed: { ...GENESIS, height: 3_000 } } });
  assert.equal(driver.core.status().leader, 0);
});

test('rule 1: a proposal is due a block time after its parent arrived if there is work, else an idle block time after it', () => {
  const busy = new CoreHarness({ self: 0 });
  assert.equal(busy.timers.get('due'), CONFIG.blockTimeMs);
  assert.equal(busy.timers.has('leader'), false);
  busy.fire('due');
  assert.equal(busy.timers.get('leader'), 250 + 2 * 500);
  assert.equal(busy.timers.get('advance'), 250 + 3 * 500);

  const idle = new CoreHarness({ self: 0, work: false });
  assert.equal(idle.timers.get('due'), CONFIG.idleBlockTimeMs);

  const still = new CoreHarness({ self: 0, work: false, config: { idleBlockTimeMs: 0 } });
  assert.equal(still.timers.has('due'), false);
  still.work({ transactions: false, other: true });
  assert.equal(still.timers.get('due'), CONFIG.blockTimeMs);
});

test('rule 1: a notarized block that is not final is work', () => {
  const driver = new CoreHarness({ self: 0, work: false, config: { idleBlockTimeMs: 0 } });
  const block = childOf(GENESIS, 1);
  driver.nowMs = 100;
  driver.notarized(block, 0);
  assert.equal(driver.timers.get('due'), 100 + CONFIG.blockTimeMs);
  driver.certificate('finalize', 1, 0, block.hash);
  assert.equal(driver.timers.has('due'), false);
});

test('rule 1: with sealInstantly a ready transaction makes a proposal due at once', () => {
  const driver = new CoreHarness({ self: 1, config: { sealInstantly: true } });
  assert.equal(driver.of('propose').length, 1);
});

test('rule 1: timers grow with the views k since the last finalized one, once k > f, up to 16 s', () => {
  const driver = new CoreHarness({ self: 0 });
  const leaderTimes: number[] = [];
  for (let view = 1; view <= 9; view++) {
    driver.nowMs = 10_000 * view;
    driver.certificate('nullify', view);
    if (driver.timers.has('due')) driver.fire('due');
    const at = driver.timers.get('leader');
    leaderTimes.push(at === undefined ? 0 : at - driver.nowMs);
  }
  // The node leads views 4 and 8, and receives its own proposal once made.
  assert.deepEqual(leaderTimes, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000, 32_000]);
});

test('rule 1: a leader without a vote in 3n views is skipped while q others voted', () => {
  const silent = new CoreHarness({ self: 0 });
  silent.nowMs = 1_000;
  for (let view = 1; view <= 16; view++) {
    for (const signer of [1, 2]) silent.vote(signer, 'nullify', view);
    silent.certificate('nullify', view);
  }
  assert.deepEqual([silent.view, silent.core.status().leader], [17, 1]);
  assert.deepEqual(silent.signed, []);
  for (const signer of [1, 2]) silent.vote(signer, 'nullify', 17);
  silent.certificate('nullify', 17);
  for (const signer of [1, 2]) silent.vote(signer, 'nullify', 18);
  silent.certificate('nullify', 18);
  assert.deepEqual([silent.view, silent.core.status().leader], [19, 3]);
  assert.deepEqual(silent.signed, ['nullify 19']);
});

test('rule 2: a leader builds on the highest notarized block whose later views are nullified', () => {
  const driver = new CoreHarness({ self: 3 });
  const block = childOf(GENESIS, 1);
  driver.notarized(block, 0);
  driver.nowMs = 1_000;
  driver.certificate('nullify', 2);
  const [asked] = driver.of('propose');
  assert.deepEqual(
    [asked?.view, asked?.parentHash, asked?.parentView, asked?.parentHeight],
    [3, block.hash, 1, 1],
  );
  const own = childOf(block, 3);
  driver.step({ type: 'proposed', block: own });
  assert.deepEqual(driver.kinds, ['journal', 'send_vote']);
  assert.equal(driver.of('send_vote')[0]?.block, own.hash);
});

for (const kind of ['nullify', 'finalize'] as const) {
  test(`rule 2: a leader that leaves its view by a ${kind} certificate abandons its proposal`, () => {
    const driver = new CoreHarness({ self: 1 });
    driver.fire('due');
    assert.equal(driver.of('propose').length, 1);
    driver.certificate(kind, 3, 2, kind === 'finalize' ? 'b.3' : undefined);
    assert.equal(driver.view, 4);
    assert.equal(driver.of('abandon').length, 1);
  });
}

test('rule 2: a leader waits for missing keys until Δ_k after its proposal is due', () => {
  const driver = new CoreHarness({ self: 1 });
  driver.fire('due');
  assert.equal(driver.of('propose')[0]?.keysUntilMs, CONFIG.blockTimeMs + CONFIG.deltaMs);
  const later = new CoreHarness({ self: 0 });
  for (const view of [1, 2]) later.certificate('nullify', view);
  later.nowMs = 10_000;
  later.certificate('nullify', 3);
  assert.equal(later.of('propose')[0]?.keysUntilMs, 10_000 + 4 * CONFIG.deltaMs);
});

test('rule 2: a leader that nullifies its view abandons its proposal, once', () => {
  const driver = new CoreHarness({ self: 1 });
  driver.fire('due');
  driver.fire('leader');
  assert.deepEqual([driver.of('abandon').length, driver.signed], [1, ['nullify 1']]);
  driver.step({ type: 'not_proposed', epoch: 0, view: 1 });
  assert.deepEqual(driver.kinds, []);
  driver.certificate('nullify', 1);
  assert.deepEqual([driver.of('abandon').length, driver.view], [0, 2]);
});

test('rule 2: a leader that lacks certificates asks for them before it proposes', () => {
  const driver = new CoreHarness({ self: 3 });
  driver.nowMs = 1_000;
  driver.certificate('nullify', 2);
  assert.equal(driver.of('propose').length, 0);
  assert.deepEqual(driver.of('request_certificates').at(-1)?.toView, 1);
  driver.certificate('nullify', 1);
  assert.equal(driver.of('propose')[0]?.parentView, 0);
});

test('rule 3: notarize follows once the block is valid and both are journaled', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.propose(block, 0);
  assert.deepEqual(driver.signed, []);
  assert.equal(driver.of('verify')[0]?.block.hash, block.hash);
  driver.verdict(block.hash);
  assert.deepEqual(driver.signed, ['notarize 1']);
  const [journal] = driver.of('journal');
  assert.deepEqual(
    journal?.entries.map(({ type }) => type),
    ['block', 'vote'],
  );
  assert.ok(
    driver.effects.findIndex(({ type }) => type === 'journal') <
      driver.effects.findIndex(({ type }) => type === 'send_vote'),
  );
});

test('rule 3: only the first proposal of the leader counts', () => {
  const driver = new CoreHarness({ self: 0 });
  const [first, second] = [childOf(GENESIS, 1), { ...childOf(GENESIS, 1), hash: 'other' }];
  driver.propose(first, 0);
  driver.propose(second, 0);
  driver.verdict(first.hash);
  assert.deepEqual(driver.of('send_vote')[0]?.message.hash, first.hash);
});

test('rule 3: nullifications of every view between parent and proposal are required, and requested from the leader first', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.certificate('nullify', 2);
  const block = { ...childOf(GENESIS, 3) };
  driver.propose(block, 0);
  assert.deepEqual(
    driver.of('request_certificates').map(({ fromView, toView, to }) => [fromView, toView, to]),
    [[1, 1, 3]],
  );
  driver.fire('request');
  assert.deepEqual(
    driver.of('request_certificates').map(({ to }) => to),
    [1],
  );
  driver.certificate('nullify', 1);
  driver.verdict(block.hash);
  assert.deepEqual(driver.signed, ['notarize 3']);
});

test('rule 3: a block missing from its proposal is requested from the leader, then from the others in turn', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.vote(1, 'notarize', 1, 0, block.hash);
  assert.deepEqual(
    driver.of('request_block').map(({ to }) => to),
    [1],
  );
  driver.fire('request');
  assert.deepEqual(
    driver.of('request_block').map(({ to }) => to),
    [2],
  );
  assert.ok(driver.core.wantsBlock(block, 2));
  driver.step({ type: 'block', block, from: 2 });
  driver.verdict(block.hash);
  assert.deepEqual(driver.signed, ['notarize 1']);
});

test('rule 3: a proposal on a parent below the last finalized view is refused', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.notarized(block, 0);
  driver.certificate('finalize', 1, 0, block.hash);
  driver.propose(childOf(GENESIS, 2), 0);
  assert.deepEqual(driver.signed, ['nullify 2']);
});

test('rule 4: a timeout, f + 1 others, or an invalid proposal cause nullify, once', () => {
  const late = new CoreHarness({ self: 0 });
  late.fire('due');
  late.fire('leader');
  assert.deepEqual(late.signed, ['nullify 1']);
  late.fire('advance');
  assert.deepEqual(late.signed, []);

  const joining = new CoreHarness({ self: 0 });
  joining.vote(1, 'nullify', 1);
  assert.deepEqual(joining.signed, []);
  joining.vote(2, 'nullify', 1);
  assert.deepEqual(joining.signed, ['nullify 1']);

  const refusing = new CoreHarness({ self: 0 });
  refusing.propose(childOf(GENESIS, 1), 0);
  refusing.verdict(childOf(GENESIS, 1).hash, 'invalid');
  assert.deepEqual(refusing.signed, ['nullify 1']);
});

test('rule 4: after nullify this node sends neither notarize nor finalize for the view', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.fire('due');
  driver.fire('leader');
  const block = childOf(GENESIS, 1);
  driver.propose(block, 0);
  driver.verdict(block.hash);
  assert.deepEqual(driver.signed, []);
  driver.certificate('notarize', 1, 0, block.hash);
  assert.deepEqual([driver.view, driver.signed], [2, []]);
});

test('rule 5: q notarize make a notarization, which is journaled, broadcast and followed by finalize', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.propose(block, 0);
  driver.verdict(block.hash);
  driver.vote(2, 'notarize', 1, 0, block.hash);
  driver.assemble('notarize');
  assert.deepEqual(driver.kinds.slice(0, 4), ['journal', 'send_certificate', 'journal', 'send_vote']);
  assert.deepEqual([driver.view, driver.signed], [2, ['finalize 1']]);
});

test('rule 5: q finalize commit the block and its ancestors in order, under the one certificate', () => {
  const driver = new CoreHarness({ self: 0 });
  const first = childOf(GENESIS, 1);
  const second = childOf(first, 2);
  driver.notarized(first, 0);
  driver.notarized(second, 1);
  driver.vote(1, 'finalize', 2, 1, second.hash);
  driver.vote(2, 'finalize', 2, 1, second.hash);
  driver.assemble('finalize');
  const [commit] = driver.of('commit');
  assert.deepEqual(commit?.hashes, [first.hash, second.hash]);
  assert.equal(commit?.certificate.view, 2);
});

test('rule 5: bad partial signatures are removed, their signers dropped, and the rest retried', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.propose(block, 0);
  driver.verdict(block.hash);
  driver.vote(2, 'notarize', 1, 0, block.hash);
  const [asked] = driver.of('assemble');
  assert.ok(asked);
  driver.step({ type: 'bad_partials', message: asked.message, signers: [2] });
  assert.deepEqual(driver.of('drop_peers')[0]?.peers, [2]);
  assert.equal(driver.of('assemble').length, 0);
  driver.vote(2, 'notarize', 1, 0, block.hash);
  assert.equal(driver.of('assemble').length, 0);
  driver.vote(3, 'notarize', 1, 0, block.hash);
  assert.deepEqual(
    driver.of('assemble')[0]?.votes.map(({ signer }) => signer),
    [1, 3],
  );
});

test('a single validator makes certificates from its own votes and runs no view timers', () => {
  const driver = new CoreHarness({ self: 0, validators: 1 });
  driver.fire('due');
  const block = childOf(GENESIS, 1, 1);
  driver.step({ type: 'proposed', block });
  driver.assemble('notarize');
  driver.assemble('finalize');
  assert.deepEqual(driver.of('commit')[0]?.hashes, [block.hash]);
  assert.equal(driver.of('send_certificate').length, 0);
  assert.deepEqual([...driver.timers.keys()], ['due']);
});

test('a single validator without transactions waits for work', () => {
  const driver = new CoreHarness({ self: 0, validators: 1, config: { idleBlockTimeMs: 0 } });
  driver.fire('due');
  assert.equal(driver.of('propose')[0]?.allowEmpty, false);
  driver.step({ type: 'not_proposed', epoch: 0, view: 1 });
  assert.equal(driver.timers.has('due'), false);
  driver.work({ transactions: true, other: false });
  assert.ok(driver.timers.has('due'));
});

test('votes and certificates are also distinguished by parent view', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.step({ type: 'vote', vote: voteOf(1, 'notarize', 3, 1, 'b') });
  driver.step({ type: 'vote', vote: voteOf(2, 'notarize', 3, 2, 'b') });
  driver.step({ type: 'vote', vote: voteOf(3, 'notarize', 3, 1, 'b') });
  assert.equal(driver.of('assemble').length, 0);
  assert.equal(driver.core.wantsCertificate(certificateOf('notarize', 3, 1, 'b')), true);
});
