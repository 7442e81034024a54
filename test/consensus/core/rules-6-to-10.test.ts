import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JournalEntry, NO_BLOCK } from '../../../src/consensus/core/types.js';
import { CoreHarness, certificateOf, childOf, GENESIS, voteOf } from '../../support/worlds/core-harness.js';

test('rule 6: a certificate of a later view moves past it', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.certificate('nullify', 7);
  assert.equal(driver.view, 8);
  driver.certificate('nullify', 5);
  assert.equal(driver.view, 8);
});

test('rule 6: a peer that connects or shows an older view is sent finalization and entry certificate, once a second', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.notarized(block, 0);
  driver.certificate('finalize', 1, 0, block.hash);
  driver.certificate('nullify', 2);
  driver.nowMs = 5_000;
  const told = () =>
    driver.of('send_certificate').map(({ certificate, to }) => [certificate.kind, certificate.view, to]);
  driver.vote(2, 'nullify', 2);
  assert.deepEqual(told(), [
    ['finalize', 1, 2],
    ['nullify', 2, 2],
  ]);
  driver.vote(2, 'notarize', 2, 1, 'x');
  assert.deepEqual(told(), []);
  driver.nowMs += 1_000;
  driver.vote(2, 'notarize', 2, 1, 'x');
  assert.equal(told().length, 2);
  driver.step({ type: 'connected', peer: 3 });
  assert.deepEqual(told(), [
    ['finalize', 1, 3],
    ['nullify', 2, 3],
  ]);
});

test('rule 6: a finalize vote for the previous view does not mark a peer as behind', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.notarized(block, 0);
  driver.vote(2, 'finalize', 1, 0, block.hash);
  assert.deepEqual(driver.of('send_certificate'), []);
});

test('rule 6: requests below the last finalized view are answered with that finalization', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.certificate('nullify', 3);
  driver.certificate('finalize', 2, 0, block.hash);
  driver.certificate('nullify', 4);
  driver.step({ type: 'certificates_requested', peer: 2, epoch: 0, fromView: 1, toView: 3 });
  assert.deepEqual(
    driver.of('send_certificate').map(({ certificate }) => [certificate.kind, certificate.view]),
    [
      ['finalize', 2],
      ['nullify', 3],
      ['nullify', 4],
    ],
  );
});

test('rule 6: stuck after nullify, a node repeats it and its certificates each second', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.certificate('nullify', 1);
  driver.fire('due');
  driver.fire('leader');
  for (let i = 0; i < 2; i++) {
    driver.fire('resend');
    assert.deepEqual(driver.signed, ['nullify 2']);
    assert.deepEqual(
      driver.of('send_certificate').map(({ certificate, to }) => [certificate.kind, certificate.view, to]),
      [['nullify', 1, undefined]],
    );
    assert.equal(driver.of('journal').length, 0);
  }
});

test('rule 6: votes are kept for 16 views ahead, finalize votes also for 16 behind', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.certificate('nullify', 19);
  const wants = (kind: 'notarize' | 'nullify' | 'finalize', view: number) =>
    driver.core.wantsVote(voteOf(1, kind, view, 0, 'b'));
  assert.deepEqual([wants('notarize', 36), wants('notarize', 37)], [true, false]);
  assert.deepEqual([wants('notarize', 19), wants('finalize', 19)], [false, true]);
  assert.deepEqual([wants('finalize', 4), wants('finalize', 3)], [true, false]);
  assert.equal(driver.core.wantsVote({ ...voteOf(1, 'nullify', 20), epoch: 1 }), false);
  assert.equal(driver.core.wantsVote({ ...voteOf(1, 'nullify', 20), signer: 4 }), false);
});

test('rule 6: a vote is new unless it repeats one, or follows evidence of the same kind', () => {
  const driver = new CoreHarness({ self: 0 });
  const wants = (parentView: number) => driver.core.wantsVote(voteOf(1, 'notarize', 5, parentView, 'b'));
  assert.equal(wants(3), true);
  driver.vote(1, 'notarize', 5, 3, 'b');
  assert.deepEqual([wants(3), wants(2)], [false, true]);
  driver.vote(1, 'notarize', 5, 2, 'b');
  assert.deepEqual([wants(3), wants(2), wants(4)], [false, false, false]);
});

test('rule 6: two conflicting votes are evidence, once, even if only the parent view differs', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.vote(1, 'notarize', 5, 3, 'b');
  driver.vote(1, 'notarize', 5, 3, 'b');
  assert.equal(driver.of('evidence').length, 0);
  driver.vote(1, 'notarize', 5, 2, 'b');
  assert.deepEqual(
    driver.of('evidence').map(({ first, second }) => [first.parentView, second.parentView]),
    [[3, 2]],
  );
  driver.vote(1, 'notarize', 5, 4, 'b');
  assert.equal(driver.of('evidence').length, 0);
  driver.vote(2, 'nullify', 5);
  driver.vote(2, 'finalize', 5, 4, 'b');
  assert.equal(driver.of('evidence').length, 1);
});

test('rule 6: a node that learns of views far ahead requests the certificates that lead there', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.vote(2, 'nullify', 9);
  assert.deepEqual(
    driver.of('request_certificates').map(({ fromView, toView, to }) => [fromView, toView, to]),
    [[1, 8, 2]],
  );
});

test('rule 7: after a restart a node is in the view after its highest certificate and repeats its votes', () => {
  const block = childOf(GENESIS, 1);
  const vote = (kind: 'notarize' | 'finalize' | 'nullify', view: number, hash: string): JournalEntry => ({
    type: 'vote',
    message: { kind, epoch: 0, view, parentView: 0, hash },
  });
  const journal: JournalEntry[] = [
    { type: 'block', block, view: 1 },
    vote('notarize', 1, block.hash),
    { type: 'certificate', certificate: certificateOf('notarize', 1, 0, block.hash) },
    vote('finalize', 1, block.hash),
    { type: 'certificate', certificate: certificateOf('nullify', 2) },
    vote('nullify', 3, '0'.repeat(64)),
  ];
  const driver = new CoreHarness({ self: 0, journal });
  assert.equal(driver.view, 3);
  driver.step({ type: 'connected', peer: 2 });
  assert.deepEqual(
    driver.of('send_vote').map(({ message, to }) => [message.kind, message.view, to]),
    [
      ['finalize', 1, 2],
      ['nullify', 3, 2],
    ],
  );
  const other = childOf(block, 3);
  driver.propose(other, 1);
  driver.verdict(block.hash);
  driver.verdict(other.hash);
  assert.deepEqual(driver.signed, []);
});

test('rule 6: a node that restarts in a view that it has nullified repeats its nullify every second', () => {
  const message = { kind: 'nullify', epoch: 0, view: 1, parentView: 0, hash: NO_BLOCK } as const;
  const driver = new CoreHarness({ self: 0, journal: [{ type: 'vote', message }] });
  assert.equal(driver.timers.get('resend'), 1_000);
  driver.fire('resend');
  assert.deepEqual(
    driver.of('send_vote').map(({ message: { kind, view }, to }) => [kind, view, to]),
    [['nullify', 1, undefined]],
  );
});

test('rule 6: a node in a view whose nullify a peer has returned repeats it every second', () => {
  for (const view of [1, 4]) {
    const driver = new CoreHarness({ self: 0, setup: { mayVote: false } });
    driver.step({ type: 'own_vote', message: voteOf(0, 'nullify', view) });
    if (view > 1) {
      assert.equal(driver.timers.get('resend'), undefined);
      driver.nowMs = 500;
      driver.certificate('nullify', view - 1);
    }
    assert.equal(driver.timers.get('resend'), driver.nowMs + 1_000);
    driver.fire('resend');
    assert.deepEqual(driver.signed, [`nullify ${view}`]);
    driver.certificate('nullify', view);
    assert.equal(driver.timers.get('resend'), undefined);
  }
});

test('rule 7: a journaled block is verified again before it is built on, and can then be committed', () => {
  const block = childOf(GENESIS, 1);
  const driver = new CoreHarness({
    self: 0,
    journal: [
      { type: 'block', block, view: 1 },
      { type: 'certificate', certificate: certificateOf('notarize', 1, 0, block.hash) },
    ],
  });
  driver.certificate('finalize', 1, 0, block.hash);
  assert.equal(driver.of('request_block').length, 0);
  driver.verdict(block.hash);
  assert.deepEqual(driver.of('commit')[0]?.hashes, [block.hash]);
});

test('rule 7: the journal is pruned up to a finalization once it is committed', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.notarized(block, 0);
  driver.certificate('finalize', 1, 0, block.hash);
  assert.equal(driver.of('prune_journal').length, 0);
  driver.step({ type: 'committed', hash: block.hash });
  assert.deepEqual(driver.of('prune_journal'), [{ type: 'prune_journal', epoch: 0, view: 1 }]);
});

test('rule 8: a withheld verdict is requested again, ignoring the clock once the block is notarized', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.propose(block, 0);
  driver.step({ type: 'verdict', hash: block.hash, verdict: 'withheld', retryMs: 100 });
  assert.deepEqual(driver.signed, []);
  driver.fire('verdict');
  assert.equal(driver.of('verify')[0]?.notarized, false);
  driver.step({ type: 'verdict', hash: block.hash, verdict: 'withheld', retryMs: 100 });
  driver.certificate('notarize', 1, 0, block.hash);
  assert.equal(driver.of('verify')[0]?.notarized, true);
});

test('rule 8: a final block that is invalid here, fetched outside the core, ends the voting', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.step({ type: 'sync_refuted' });
  assert.equal(driver.core.status().diverged, true);
  driver.certificate('notarize', 1, 0, 'b.1');
  assert.deepEqual(driver.signed, []);
  driver.start({ epoch: 1 });
  assert.equal(driver.core.status().voting, false);
});

test('rule 8: a notarized block that is invalid here ends the voting and is reported', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.propose(block, 0);
  driver.certificate('notarize', 1, 0, block.hash);
  driver.verdict(block.hash, 'invalid');
  assert.equal(driver.of('diverged')[0]?.block.hash, block.hash);
  driver.fire('due');
  driver.fire('advance');
  assert.deepEqual(driver.signed, []);
  assert.equal(driver.core.status().voting, false);
});

test('rule 9: a node that may have forgotten votes signs nothing, and follows', () => {
  const driver = new CoreHarness({ self: 1, setup: { mayVote: false } });
  driver.fire('due');
  assert.equal(driver.of('propose').length, 0);
  driver.fire('advance');
  assert.deepEqual(driver.signed, []);
  const block = { ...childOf(GENESIS, 1), proposer: 1 };
  driver.certificate('finalize', 1, 0, block.hash);
  driver.step({ type: 'block', block, from: 2 });
  driver.verdict(block.hash);
  assert.deepEqual(driver.of('commit')[0]?.hashes, [block.hash]);
});

test('rule 9: a listening node signs nothing new until it has heard enough, then signs the votes due', () => {
  const leader = new CoreHarness({ self: 1, setup: { listens: true } });
  leader.fire('due');
  assert.equal(leader.of('propose').length, 0);
  leader.fire('advance');
  assert.deepEqual(leader.signed, []);
  leader.step({ type: 'listened' });
  assert.equal(leader.of('propose').length, 1);

  const voter = new CoreHarness({ self: 0, setup: { listens: true } });
  const block = childOf(GENESIS, 1);
  voter.propose(block, 0);
  voter.step({ type: 'listened' });
  voter.verdict(block.hash);
  assert.deepEqual(voter.signed, ['notarize 1']);
});

test('rule 9: a connecting peer is sent its own votes and adopts forgotten ones', () => {
  const other = new CoreHarness({ self: 2 });
  const block = childOf(GENESIS, 1);
  other.vote(1, 'notarize', 1, 0, block.hash);
  other.vote(1, 'nullify', 3);
  other.step({ type: 'disconnected', peer: 1 });
  other.step({ type: 'connected', peer: 1 });
  const returned = other.of('return_vote').map(({ vote, to }) => [vote.kind, vote.view, to]);
  assert.deepEqual(returned, [
    ['notarize', 1, 1],
    ['nullify', 3, 1],
  ]);

  const leader = new CoreHarness({ self: 1, setup: { listens: true } });
  for (const { vote } of other.of('return_vote')) {
    assert.equal(leader.core.wantsOwnVote(vote), true);
    leader.step({ type: 'own_vote', message: vote });
    assert.equal(leader.of('journal').length, 1);
    assert.equal(leader.core.wantsOwnVote(vote), false);
  }
  leader.step({ type: 'listened' });
  assert.equal(leader.of('propose').length, 0, 'it has proposed in this view');
  leader.certificate('nullify', 1);
  leader.certificate('nullify', 2);
  leader.vote(0, 'nullify', 3);
  leader.vote(2, 'nullify', 3);
  assert.deepEqual(leader.signed, [], 'it has given up this view');
  assert.equal(leader.of('assemble').length, 1, 'that counts');
});

test('rule 9: a view with a finalize vote is not nullified, even if only a peer remembers the vote', () => {
  const driver = new CoreHarness({ self: 0, setup: { listens: true } });
  driver.step({ type: 'own_vote', message: voteOf(0, 'finalize', 1, 0, childOf(GENESIS, 1).hash) });
  driver.step({ type: 'listened' });
  driver.fire('due');
  driver.fire('leader');
  assert.deepEqual(driver.signed, []);
});

test("rule 10: an epoch's notarized last block is proposed again, and nothing else is voted for", () => {
  const config = { epochLength: 1 };
  const last = childOf(GENESIS, 1);
  const leader = new CoreHarness({ self: 2, config });
  leader.notarized(last, 0);
  leader.fire('due');
  assert.deepEqual(
    leader
      .of('send_vote')
      .map(({ message, block }) => [message.kind, message.view, message.parentView, message.hash, block]),
    [['notarize', 2, 1, last.hash, undefined]],
  );
  const voter = new CoreHarness({ self: 0, config });
  voter.notarized(last, 0);
  voter.vote(2, 'notarize', 2, 1, last.hash);
  assert.deepEqual(voter.signed, ['notarize 2']);
  const strict = new CoreHarness({ self: 0, config });
  strict.notarized(last, 0);
  strict.propose(childOf(last, 2), 1);
  assert.deepEqual(strict.signed, ['nullify 2']);
});

test('rule 10: a block that is not the last is not proposed twice', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  driver.notarized(block, 0);
  driver.vote(2, 'notarize', 2, 1, block.hash);
  assert.deepEqual(driver.signed, ['nullify 2']);
});

test('rule 10: the finalization of the last block ends the epoch, at whichever view', () => {
  const driver = new CoreHarness({ self: 0, config: { epochLength: 1 } });
  const last = childOf(GENESIS, 1);
  driver.notarized(last, 0);
  driver.certificate('notarize', 2, 1, last.hash);
  driver.certificate('finalize', 2, 1, last.hash);
  assert.deepEqual(
    driver.effects.filter(({ type }) => type === 'commit' || type === 'epoch_ended').map(({ type }) => type),
    ['commit', 'epoch_ended'],
  );
  assert.equal(driver.core.ended, true);
  driver.start({ epoch: 1, committed: last, finalization: certificateOf('finalize', 2, 1, last.hash) });
  assert.deepEqual([driver.core.status().epoch, driver.view, driver.core.status().leader], [1, 1, 2]);
  driver.vote(3, 'nullify', 3);
  assert.deepEqual(driver.of('send_epoch_end'), [{ type: 'send_epoch_end', epoch: 0, to: 3 }]);
});

test('rule 10: a node that learns of a later epoch requests the end of its own', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.step({ type: 'heard', from: 2, message: { ...voteOf(2, 'nullify', 3), epoch: 1 } });
  assert.deepEqual(
    driver.of('request_certificates').map(({ epoch, to }) => [epoch, to]),
    [[0, 2]],
  );
});

test('a finalized block far ahead is left to the shell to sync', () => {
  const driver = new CoreHarness({ self: 0 });
  const far = { hash: 'far', parentHash: 'before', height: 200, epoch: 0, view: 210, proposer: 2 };
  driver.certificate('finalize', 210, 209, far.hash);
  assert.equal(driver.of('request_block')[0]?.hash, far.hash);
  driver.step({ type: 'block', block: far, from: 2 });
  assert.deepEqual(
    driver.of('fell_behind').map(({ height }) => height),
    [200],
  );
  assert.equal(driver.of('request_block').length, 0);
  driver.step({
    type: 'synced',
    committed: far,
    finalization: certificateOf('finalize', 210, 209, far.hash),
  });
  assert.equal(driver.view, 211);
});

test('an unrequested block is accepted once per view, from its leader', () => {
  const driver = new CoreHarness({ self: 0 });
  const block = childOf(GENESIS, 1);
  assert.equal(driver.core.wantsBlock(block, 2), false);
  assert.equal(driver.core.wantsBlock(block, 1), true);
  driver.step({ type: 'block', block, from: 1 });
  assert.equal(driver.core.wantsBlock({ ...block, hash: 'another' }, 1), false);
});
