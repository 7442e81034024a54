import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { Vote, VoteMessage } from '../../../src/consensus/core/types.js';
import type { CoreInput } from '../../../src/consensus/shell/core-queue.js';
import { Inbox } from '../../../src/consensus/shell/inbox.js';
import { KnownBlocks } from '../../../src/consensus/shell/known-blocks.js';
import { NO_PEERS, SOLE_SIGNATURES } from '../../../src/consensus/shell/sole-validator.js';
import { SimBlocks } from '../../../src/consensus/simulator/sim-blocks.js';
import { CRYPTO } from '../../support/crypto/loaded-crypto.js';
import { voteOf } from '../../support/worlds/core-harness.js';
import { shellContext } from '../../support/worlds/shell-context.js';

/** An inbox whose core has ended epoch 0; the test decides when and how signatures are checked. */
function betweenEpochs(validators = 4) {
  const told: CoreInput[] = [];
  const drops: number[] = [];
  const checks: ((isValid: boolean) => void)[] = [];
  const unsigned = new Set<Vote>();
  const core = {
    ended: true,
    epoch: 0,
    wantsBlock: () => true,
    wantsCertificate: ({ epoch }: VoteMessage) => !core.ended && epoch === core.epoch,
    wantsOwnVote: () => false,
    wantsVote: () => true,
    status: () => ({ ...STATUS, epoch: core.epoch }),
  };
  const nothing = () => undefined;
  const inbox = new Inbox(
    {
      ...shellContext({}),
      core,
      known: new KnownBlocks(CRYPTO, NODE_RUNTIME),
      events: { hasStarted: true, push: (event) => told.push(event) },
      signatures: {
        sign: SOLE_SIGNATURES.sign,
        assemble: SOLE_SIGNATURES.assemble,
        isSigned: (vote) => !unsigned.has(vote),
        isCertified: () => new Promise((resolve) => checks.push(resolve)),
      },
      network: { ...NO_PEERS, drop: (peer) => drops.push(peer) },
      membership: { validators, self: 0, mayVote: true },
    },
    {
      serving: { admit: () => true, block: nothing, finalized: () => [] },
      peers: { noteVote: nothing, noteRequest: nothing },
      sync: { onAnswer: nothing },
      listening: { onPosition: nothing },
    },
  );
  const begin = (epoch = 1) => {
    core.ended = false;
    core.epoch = epoch;
    inbox.deliverHeld();
  };
  const signers = () => told.flatMap((event) => (event.type === 'vote' ? [event.vote.signer] : []));
  return { inbox, told, drops, checks, unsigned, begin, signers };
}

const STATUS = {
  epoch: 0,
  view: 1,
  leader: 0,
  finalizedView: 0,
  voting: true,
  diverged: false,
  proposals: 0,
  notarizations: 0,
  nullifications: 0,
  finalizations: 0,
  timeouts: 0,
};

function nextVote(signer: number, view = 1): Vote {
  return { ...voteOf(signer, 'nullify', view), epoch: 1 };
}

test('votes of the next epoch are held by sender, whose indices change with the set', async () => {
  const { inbox, drops, begin, signers } = betweenEpochs();
  // Validator 1 leaves, so validators 2 and 3 become 1 and 2.
  inbox.receive(2, { type: 'vote', vote: nextVote(1) });
  inbox.receive(3, { type: 'vote', vote: nextVote(2) });
  // The leaving validator votes as the future validator 1.
  inbox.receive(1, { type: 'vote', vote: nextVote(1) });
  inbox.reindex((former) => (former === 1 ? undefined : former > 1 ? former - 1 : former));
  begin();
  assert.deepEqual(signers(), [1, 2]);
  assert.deepEqual(drops, []);
});

test('a peer that votes as another in the next epoch is dropped under its new index', async () => {
  const { inbox, drops, begin, signers } = betweenEpochs();
  inbox.receive(3, { type: 'vote', vote: nextVote(3) });
  inbox.reindex((former) => (former === 3 ? 2 : former));
  begin();
  assert.deepEqual([signers(), drops], [[], [2]]);
});

test('a vote without a valid identity signature is refused, and drops its sender', async () => {
  const { inbox, drops, unsigned, begin, signers } = betweenEpochs();
  begin();
  const vote = nextVote(2);
  unsigned.add(vote);
  inbox.receive(2, { type: 'vote', vote });
  assert.deepEqual([signers(), drops], [[], [2]]);
});

test("a proposal's block reaches the core before its vote, so that nobody asks for it", async () => {
  const { inbox, told, begin } = betweenEpochs();
  begin();
  const blocks = new SimBlocks(10, 4);
  const place = { epoch: 1, view: 1, proposer: 2, timestampMs: 1, transactions: [1] };
  const { encoded, facts } = blocks.build(blocks.genesis, place);
  const vote = { ...voteOf(2, 'notarize', 1, 0, facts.hash), epoch: 1 };
  inbox.receive(2, { type: 'proposal', vote, block: encoded });
  while (told.length < 2) await nextTurn();
  assert.deepEqual(
    told.map(({ type }) => type),
    ['block', 'vote'],
  );
});

test('the votes held per peer are bounded', async () => {
  const { inbox, begin, signers } = betweenEpochs();
  for (let view = 1; view <= 2_000; view++) inbox.receive(1, { type: 'vote', vote: nextVote(1, view) });
  inbox.receive(2, { type: 'vote', vote: nextVote(2) });
  inbox.reindex((former) => former);
  begin();
  assert.equal(signers().filter((signer) => signer === 1).length, 128);
  assert.ok(signers().includes(2));
});

test('flooding peers take no room from the others', async () => {
  const { inbox, begin, signers } = betweenEpochs(40);
  for (let peer = 1; peer <= 13; peer++) {
    for (let view = 1; view <= 2_000; view++)
      inbox.receive(peer, { type: 'vote', vote: nextVote(peer, view) });
  }
  for (let peer = 14; peer < 40; peer++) inbox.receive(peer, { type: 'vote', vote: nextVote(peer) });
  begin();
  for (let peer = 14; peer < 40; peer++) assert.ok(signers().includes(peer), `${peer}`);
  assert.ok(signers().length <= 1_024, `${signers().length}`);
});

for (const [what, enters, dropped] of [
  ['is dropped', undefined, [3]],
  ["keeps its connection if its index may be another peer's by then", 1, []],
] as const) {
  test(`the sender of an invalid certificate ${what}`, async () => {
    const { inbox, drops, checks, begin } = betweenEpochs();
    begin(0);
    const certificate = { ...voteOf(3, 'nullify', 1), signature: new Uint8Array(96) };
    inbox.receive(3, { type: 'certificate', certificate });
    await nextTurn();
    if (enters !== undefined) begin(enters);
    checks[0]?.(false);
    await nextTurn();
    assert.deepEqual(drops, dropped);
  });
}
