import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { Vote } from '../../../src/consensus/core/types.js';
import type { CoreInput } from '../../../src/consensus/shell/core-driver.js';
import { Inbox } from '../../../src/consensus/shell/inbox.js';
import { KnownBlocks } from '../../../src/consensus/shell/known-blocks.js';
import { PeerRequestHandler } from '../../../src/consensus/shell/peer-request-handler.js';
import { SoleSignatures } from '../../../src/consensus/shell/sole-validator.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { voteOf } from '../../support/core-harness.js';
import { NATIVE_MODES } from '../../support/native-modes.js';

const [NATIVE = 'auto'] = NATIVE_MODES;

/** An inbox whose core has ended epoch 0. */
async function betweenEpochs() {
  const told: CoreInput[] = [];
  const drops: number[] = [];
  const core = {
    ended: true,
    epoch: 0,
    wantsBlock: () => false,
    wantsCertificate: () => false,
    wantsOwnVote: () => false,
    status: () => ({ ...STATUS, epoch: core.epoch }),
  };
  const known = new KnownBlocks(await loadCrypto(NATIVE), NODE_RUNTIME);
  const nothing = () => undefined;
  const inbox = new Inbox({
    core,
    dispatch: (news) => told.push(news),
    known,
    serving: new PeerRequestHandler({
      known,
      blocks: { header: nothing, heightOf: nothing, encodedItems: () => [] },
      store: { get: nothing },
      tipHeight: () => 0,
      now: () => 0,
    }),
    signatures: new SoleSignatures(),
    network: { send: nothing, drop: (peer) => drops.push(peer) },
    hasStarted: () => true,
    self: () => 0,
    onPositionReported: nothing,
    onFinalized: nothing,
    onError: (error) => assert.ifError(error),
  });
  const begin = () => {
    core.ended = false;
    core.epoch = 1;
    inbox.deliverHeld();
  };
  const signers = () => told.flatMap((news) => (news.type === 'vote' ? [news.vote.signer] : []));
  return { inbox, drops, begin, signers };
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
  equivocationsSeen: 0,
};

function nextVote(signer: number, view = 1): Vote {
  return { ...voteOf(signer, 'nullify', view), epoch: 1 };
}

test('votes of the next epoch are held by sender, whose indices change with the set', async () => {
  const { inbox, drops, begin, signers } = await betweenEpochs();
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
  const { inbox, drops, begin, signers } = await betweenEpochs();
  inbox.receive(3, { type: 'vote', vote: nextVote(3) });
  inbox.reindex((former) => (former === 3 ? 2 : former));
  begin();
  assert.deepEqual([signers(), drops], [[], [2]]);
});

test('the votes held per peer are bounded', async () => {
  const { inbox, begin, signers } = await betweenEpochs();
  for (let view = 1; view <= 2_000; view++) inbox.receive(1, { type: 'vote', vote: nextVote(1, view) });
  inbox.receive(2, { type: 'vote', vote: nextVote(2) });
  inbox.reindex((former) => former);
  begin();
  assert.equal(signers().filter((signer) => signer === 1).length, 128);
  assert.ok(signers().includes(2));
});
