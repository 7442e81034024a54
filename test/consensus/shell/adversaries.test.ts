import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChainBlock, PeerMessage } from '../../../src/consensus/shell/ports.js';
import type { ShellOptions } from '../../../src/consensus/shell/shell-context.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { blockHash } from '../../../src/ledger/header.js';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';
import { encodedBody } from '../../support/worlds/block-transfer.js';

/** Makes validator 3 propose blocks with a wrong state root. */
function lyingOfState(index: number, options: ShellOptions): ShellOptions {
  if (index !== 3) return options;
  const { chain, crypto } = options;
  return {
    ...options,
    chain: {
      get tip() {
        return chain.tip;
      },
      propose: async (context, signal) => {
        const proposal = await chain.propose(context, signal);
        if (proposal.block === undefined) return proposal;
        return { block: lied(proposal.block) };
      },
      onProposalEnded: () => chain.onProposalEnded(),
      verify: (block, context, signal) => chain.verify(block, context, signal),
      commit: (hash, certificate) => chain.commit(hash, certificate),
      release: (hashes) => chain.release(hashes),
      trySuspects: (timestampMs) => chain.trySuspects(timestampMs),
      unopenedHeights: () => chain.unopenedHeights(),
    },
  };

  function lied(block: ChainBlock): ChainBlock {
    const header = { ...block.header, state_root: new Uint8Array(32).fill(7) };
    const encodedHeader = ledger.BlockHeader.encode(header);
    return { ...block, header, encodedHeader, hash: blockHash(crypto, encodedHeader) };
  }
}

test('an invalid block is nullified, and its author continues', async (t) => {
  const world = await ValidatorsWorld.open({ wrap: lyingOfState, config: { deltaMs: 300 } });
  t.after(() => world.remove());
  await world.reach(8);
  world.expectOneChain();
  const metrics = world.at(0).shell.metrics();
  assert.ok(metrics.nullifications > 0n);
  assert.ok(world.logged.some((line) => /a block is invalid .*state_root/.test(line)));
  const counts = [0, 1, 2].map(
    (index) =>
      world
        .at(index)
        .shell.peers()
        .find((peer) => peer.index === 3)?.invalid_proposals,
  );
  for (const count of counts) assert.ok(count !== undefined && count >= 1n);
  assert.equal(world.at(3).shell.divergence, undefined);
  assert.deepEqual(world.network.drops, []);
});

test('a leader that votes for two blocks of a view leaves evidence with every validator that saw both', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  world.network.dishonest.add(3);
  const { signatures } = world.at(3);
  const other = 'ab'.repeat(32);
  const pending: Promise<void>[] = [];
  world.network.tamper = (message, from, to) => {
    if (from === 3 && message.type === 'proposal') {
      const { vote } = message;
      const second = { ...vote, hash: other };
      pending.push(
        signatures.sign(second).then((signed) => {
          world.at(to).shell.receive(3, { type: 'vote', vote: { ...second, ...signed } });
        }),
      );
    }
    return [message];
  };
  await world.until(
    () => [0, 1, 2].every((index) => world.at(index).evidence.list().length > 0),
    () => 'evidence',
  );
  await Promise.all(pending);
  await world.reach(world.height(0) + 2);
  world.expectOneChain();
  assert.ok(world.at(0).shell.metrics().equivocations_seen > 0n);
  const [evidence] = world.at(0).evidence.list();
  assert.equal(evidence?.first.signer, 3);
  assert.equal(evidence?.second.signer, 3);
});

test('votes with bad partial signatures are detected, and their sender is dropped', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  world.network.dishonest.add(3);
  const partial = Uint8Array.from((await world.at(3).signatures.sign(ELSEWHERE)).partial);
  world.network.tamper = (message, from) => {
    if (from !== 3 || (message.type !== 'vote' && message.type !== 'proposal')) return [message];
    return [{ ...message, vote: { ...message.vote, partial } }];
  };
  await world.until(
    () => world.network.drops.some(({ peer }) => peer === 3),
    () => 'validator 3 dropped',
  );
  await world.reach(world.height(0) + 4, [0, 1, 2]);
  assert.ok(world.network.drops.every(({ peer }) => peer === 3));
  world.expectOneChain();
});

const ELSEWHERE = { kind: 'notarize', epoch: 0, view: 9_999, parentView: 0, hash: 'cd'.repeat(32) } as const;

test('a bad certificate drops its sender but not others', async (t) => {
  const world = await ValidatorsWorld.open();
  t.after(() => world.remove());
  await world.reach(1);
  const view = Number(world.at(0).shell.metrics().view) + 5;
  const certificate = { ...ELSEWHERE, kind: 'nullify' as const, view, hash: '00'.repeat(32) };
  world.at(0).shell.receive(2, {
    type: 'certificate',
    certificate: { ...certificate, signature: new Uint8Array(96).fill(0x80) },
  });
  await world.until(
    () => world.network.drops.length > 0,
    () => 'validator 2 dropped by 0',
  );
  assert.deepEqual(
    world.network.drops.map(({ by, peer }) => ({ by, peer })),
    [{ by: 0, peer: 2 }],
  );
  await world.reach(world.height(0) + 3);
});

test("a block whose body is another's drops its sender", async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  world.network.dishonest.add(3);
  const body = encodedBody([]);
  world.network.tamper = (message, from): readonly PeerMessage[] => {
    if (from !== 3 || message.type !== 'proposal' || message.block.body.length <= body.length)
      return [message];
    return [{ ...message, block: { ...message.block, body } }];
  };
  const feeding = setInterval(() => world.transfer(), 20);
  t.after(() => clearInterval(feeding));
  await world.until(
    () => world.network.drops.some(({ peer }) => peer === 3),
    () => 'validator 3 dropped',
  );
  await world.reach(world.height(0) + 3, [0, 1, 2]);
  world.expectOneChain();
});
