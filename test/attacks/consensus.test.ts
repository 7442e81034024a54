// Attacks over the mesh by a validator with a valid certificate, at any rate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodedBlock } from '../../src/consensus/shell/conversions.js';
import type { ShellOptions } from '../../src/consensus/shell/shell-context.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ledger } from '../../src/ledger/codecs.js';
import { ValidatorsWorld } from '../support/networks/validators-world.js';
import { perTier } from '../support/sweep.js';

const FLOOD = perTier(5_000, 20_000);
const NO_HASH = '00'.repeat(32);

/** Makes verification of validator 3's blocks never finish. @param begun receives each abort signal */
function endless(begun: (signal: AbortSignal) => void) {
  return (index: number, options: ShellOptions): ShellOptions => {
    const { chain } = options;
    if (index === 3) return options;
    const verify: typeof chain.verify = (block, context, signal) => {
      if (context.proposer !== 3 || signal === undefined) return chain.verify(block, context, signal);
      begun(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const wrapped: ShellOptions['chain'] = {
      get tip() {
        return chain.tip;
      },
      propose: (...parameters) => chain.propose(...parameters),
      onProposalEnded: () => chain.onProposalEnded(),
      verify,
      commit: (...parameters) => chain.commit(...parameters),
      release: (hashes) => chain.release(hashes),
      trySuspects: (timestampMs) => chain.trySuspects(timestampMs),
      unopenedHeights: () => chain.unopenedHeights(),
    };
    return { ...options, chain: wrapped };
  };
}

async function attacked(t: { after(what: () => Promise<void>): void }): Promise<ValidatorsWorld> {
  const world = await ValidatorsWorld.open();
  t.after(() => world.remove());
  world.network.dishonest.add(3);
  await world.reach(2);
  return world;
}

test('votes for views far ahead are not kept', async (t) => {
  const world = await attacked(t);
  const { shell } = world.at(0);
  const view = Number(shell.metrics().view);
  const before = process.memoryUsage().heapUsed;
  for (let ahead = 0; ahead < FLOOD; ahead++) {
    const message = { kind: 'nullify' as const, epoch: 0, view: view + 20 + ahead * 1_000, parentView: 0 };
    const signatures = { partial: new Uint8Array(96), signature: new Uint8Array(64) };
    shell.receive(3, { type: 'vote', vote: { ...message, hash: NO_HASH, signer: 3, ...signatures } });
  }
  assert.ok(process.memoryUsage().heapUsed - before < 64 * 1024 * 1024);
  await world.reach(world.height(0) + 3);
  world.expectOneChain();
});

test('unrequested blocks are discarded without decoding their bodies', async (t) => {
  const world = await attacked(t);
  const { shell, world: chain } = world.at(0);
  const { header } = chain.chain.tip;
  const body = new Uint8Array(1024 * 1024).fill(0xff);
  for (let count = 0; count < 500; count++) {
    const encodedHeader = ledger.BlockHeader.encode({ ...header, view: 1_000_000n + BigInt(count) });
    shell.receive(3, { type: 'block', hash: NO_HASH, block: { header: encodedHeader, body } });
  }
  await world.reach(world.height(0) + 3);
  assert.ok(shell.held.blocks < 20, `${shell.held.blocks} blocks`);
  // Decoding this invalid body would have dropped its sender.
  assert.deepEqual(world.network.drops, []);
});

test('a vote in the name of another validator drops its sender and is not counted', async (t) => {
  const world = await attacked(t);
  const { shell } = world.at(0);
  const view = Number(shell.metrics().view);
  const message = { kind: 'nullify' as const, epoch: 0, view, parentView: 0, hash: NO_HASH, signer: 1 };
  shell.receive(3, {
    type: 'vote',
    vote: { ...message, partial: new Uint8Array(96), signature: new Uint8Array(64) },
  });
  assert.deepEqual(world.network.drops, [{ by: 0, peer: 3, reason: "another validator's vote" }]);
});

test('requests are answered only at the rate of an honest validator', async (t) => {
  const world = await attacked(t);
  const { shell } = world.at(0);
  const sent = new Map<string, number>();
  world.network.tamper = (message, from, to) => {
    if (from === 0 && to === 3) sent.set(message.type, (sent.get(message.type) ?? 0) + 1);
    return [message];
  };
  for (let count = 0; count < FLOOD; count++) {
    shell.receive(3, { type: 'get_finalized', fromHeight: 1, count: 256 });
    shell.receive(3, { type: 'get_block', hash: NO_HASH });
    shell.receive(3, { type: 'get_certificates', epoch: 0, fromView: 1, toView: 1_000_000 });
  }
  assert.ok((sent.get('finalized') ?? 0) <= 100, `${sent.get('finalized')} answers of final blocks`);
  assert.ok((sent.get('block') ?? 0) <= 1_500, `${sent.get('block')} answers of blocks`);
  await world.reach(world.height(0) + 3);
  world.expectOneChain();
});

test('an invalid certificate costs one check and drops its sender', async (t) => {
  const world = await attacked(t);
  const { shell } = world.at(0);
  const view = Number(shell.metrics().view);
  for (let ahead = 0; ahead < 1_000; ahead++) {
    const message = { kind: 'nullify' as const, epoch: 0, view: view + 30 + ahead, parentView: 0 };
    const certificate = { ...message, hash: NO_HASH, signature: new Uint8Array(96).fill(1) };
    shell.receive(3, { type: 'certificate', certificate });
  }
  assert.ok(shell.held.certificates <= 64, `${shell.held.certificates} wait`);
  await world.until(
    () => world.network.drops.some(({ by, peer }) => by === 0 && peer === 3),
    () => 'validator 3 dropped by 0',
  );
  await world.reach(world.height(0) + 3, [0, 1, 2]);
});

test('oversized headers and bodies drop their sender before decoding', async (t) => {
  const world = await attacked(t);
  const { shell, world: chain } = world.at(0);
  const stored = new BlockReader(chain.store).header(1n);
  assert.ok(stored !== undefined);
  const block = encodedBlock({ encodedHeader: ledger.BlockHeader.encode(stored.header), items: [] });
  shell.receive(3, { type: 'block', hash: NO_HASH, block: { ...block, header: new Uint8Array(2_000) } });
  await world.until(
    () => world.network.drops.length > 0,
    () => 'validator 3 dropped',
  );
  assert.match(world.network.drops[0]?.reason ?? '', /a header of 2000 bytes/);
});

/** Takes many views of the time-out of a leader. */
const IS_LONG = perTier(false, true);

if (IS_LONG)
  test('a leader whose blocks never finish verification delays only its own views', async (t) => {
    const begun: AbortSignal[] = [];
    const wrap = endless((signal) => begun.push(signal));
    const world = await ValidatorsWorld.open({ wrap, config: { deltaMs: 200 } });
    t.after(() => world.remove());
    // Each of the three others has to verify more blocks of validator 3 than it has verification slots.
    for (let height = 1; begun.length < 3 * 7; height++) await world.reach(height);
    assert.ok(begun.filter(({ aborted }) => !aborted).length <= 3 * 4);
    await world.reach(world.height(0) + 2);
    world.expectOneChain();
    assert.deepEqual(world.network.drops, []);
  });
