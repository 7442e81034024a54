import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { PendingBlock } from '../../../src/chain/pending-blocks.js';
import type { Certificate } from '../../../src/consensus/core/types.js';
import { CatchUp } from '../../../src/consensus/shell/catch-up.js';
import type { FinalBlock, PeerMessage } from '../../../src/consensus/shell/ports.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { toHex } from '../../../src/idl/hex.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { encoded } from '../../support/worlds/block-transfer.js';
import { ChainWorld } from '../../support/worlds/chain-world.js';

function finalizationOf({ header, hash }: PendingBlock): Certificate {
  const view = Number(header.view);
  const [epoch, parentView] = [Number(header.epoch), view - 1];
  const message = { kind: 'finalize', epoch, view, parentView, hash: toHex(hash) } as const;
  return { ...message, signature: new Uint8Array(96) };
}

/**
 * A chain of final blocks, some without a direct certificate, and a node that has none of them.
 * @param epochLength blocks per epoch; default: more than `count`
 */
async function behind(
  t: TestContext,
  count: number,
  isCertified: (height: number) => boolean,
  epochLength = 1_000,
) {
  const genesis = { ...devGenesis(await loadCrypto('off')), epoch_length: BigInt(epochLength) };
  const source = await ChainWorld.open({ genesis });
  const world = await ChainWorld.open({ genesis });
  t.after(() => Promise.all([source.remove(), world.remove()]));
  const blocks: FinalBlock[] = [];
  let parent = source.chain.tip.hash;
  for (let height = 1; height <= count; height++) {
    const epoch = BigInt(Math.floor((height - 1) / epochLength));
    const block = await source.propose({ parent, epoch, view: BigInt(height) });
    parent = block.hash;
    const certificate = isCertified(height) ? finalizationOf(block) : undefined;
    blocks.push({ block: encoded(block), certificate });
  }
  return { world, blocks };
}

function withoutCertificates(blocks: readonly FinalBlock[]): readonly FinalBlock[] {
  return blocks.map(({ block }) => ({ block, certificate: undefined }));
}

interface PeerBehaviour {
  /** Maximum number of blocks per response; default: no extra limit. */
  readonly most?: number;
  /** Response time, in milliseconds; default: one event loop tick. */
  readonly afterMs?: number;
  /** Alters the blocks of a response. */
  readonly tamper?: (blocks: readonly FinalBlock[]) => readonly FinalBlock[];
}

/** A catch-up from peers 1, 2, … with the given behaviours. */
function catchingUp(world: ChainWorld, blocks: readonly FinalBlock[], behaviours: readonly PeerBehaviour[]) {
  const asked: { readonly peer: number; readonly fromHeight: number; readonly count: number }[] = [];
  const dropped: { readonly peer: number; readonly reason: string }[] = [];
  const connected = new Set(behaviours.map((_, place) => place + 1));
  const commits: { readonly own: number | undefined; readonly under: number }[] = [];
  const withheld: number[] = [];
  const aborted: number[] = [];
  /** Requests and answers in their order. */
  const events: string[] = [];
  let failures = 0;
  let onVerifying: (() => void) | undefined;
  const catchUp = new CatchUp({
    runtime: NODE_RUNTIME,
    crypto: world.crypto,
    chain: {
      get tip() {
        return world.chain.tip;
      },
      verify: (block, context, signal) => {
        if (onVerifying !== undefined) return hanging(Number(context.view), signal);
        if (failures === 0) return world.blockChain.verify(block, context, signal);
        failures--;
        return Promise.resolve({ verdict: 'withheld', reason: 'a worker ended', cause: undefined });
      },
    },
    signatures: { isCertified: async () => true },
    network: {
      connected: () => [...connected],
      send: (peer: number, message: PeerMessage) => {
        if (message.type !== 'get_finalized') return;
        const { fromHeight, count } = message;
        asked.push({ peer, fromHeight, count });
        events.push(`asks ${peer} from ${fromHeight}`);
        const {
          most = count,
          afterMs,
          tamper = (all: readonly FinalBlock[]) => all,
        } = behaviours[peer - 1] ?? {};
        const some = tamper(blocks.slice(fromHeight - 1, fromHeight - 1 + Math.min(count, most)));
        const answer = () => {
          events.push(`${peer} answers`);
          catchUp.onAnswer(peer, { fromHeight, blocks: some });
        };
        if (afterMs === undefined) setImmediate(answer);
        else if (Number.isFinite(afterMs)) setTimeout(answer, afterMs).unref();
      },
      drop: (peer, reason) => {
        dropped.push({ peer, reason });
        connected.delete(peer);
      },
    },
    commit: async (block, certificate, finalization) => {
      commits.push({ own: certificate?.view, under: finalization.view });
      await world.blockChain.commit(block.hash);
    },
    onWithheld: (height) => withheld.push(height),
  });
  /** A verification that ends only when aborted. */
  const hanging = (view: number, signal: AbortSignal | undefined) =>
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        aborted.push(view);
        reject(signal.reason);
      });
      onVerifying?.();
    });
  return {
    catchUp,
    aborted,
    /** Makes verifications hang; resolves when one has begun. */
    hang: () =>
      new Promise<void>((resolve) => {
        onVerifying = resolve;
      }),
    asked,
    events,
    commits,
    withheld,
    dropped,
    connected,
    fail: (count: number) => (failures = count),
  };
}

/** Asserts that an event came, and that another one had not come by then. A stall cannot break that, unlike a time limit. */
function assertBefore(events: readonly string[], pattern: RegExp, other: string): void {
  const first = events.findIndex((event) => pattern.test(event));
  const later = events.indexOf(other);
  assert.ok(first >= 0 && (later < 0 || first < later), events.join(', '));
}

test('each block is committed under its own or a later finalization, stored first', async (t) => {
  const { world, blocks } = await behind(t, 6, (height) => height % 3 === 0);
  const { catchUp, commits } = catchingUp(world, blocks, [{ most: 4 }, { most: 4 }]);
  const done = await catchUp.run(6, 0);
  assert.deepEqual([done?.committed.height, done?.finalization.view], [6, 6]);
  assert.deepEqual(commits, [
    { own: undefined, under: 3 },
    { own: undefined, under: 3 },
    { own: 3, under: 3 },
    { own: undefined, under: 6 },
    { own: undefined, under: 6 },
    { own: 6, under: 6 },
  ]);
});

test('a peer that sends one block at a time without certificates does not delay a node', async (t) => {
  const { world, blocks } = await behind(t, 40, (height) => height === 40);
  const { catchUp, asked } = catchingUp(world, blocks, [{ most: 1, tamper: withoutCertificates }, {}]);
  const done = await catchUp.run(40, 0);
  assert.equal(done?.committed.height, 40);
  assert.ok(asked.filter(({ peer }) => peer === 1).length <= 32);
  assert.ok(asked.some(({ peer, fromHeight }) => peer === 2 && fromHeight === 1));
});

test('no blocks beyond the epoch are committed, though a peer certifies only those', async (t) => {
  const { world, blocks } = await behind(t, 8, (height) => height % 4 === 0, 4);
  const lastCertified = (some: readonly FinalBlock[]) =>
    some.map(({ block, certificate }) => ({
      block,
      certificate: certificate?.epoch === 1 ? certificate : undefined,
    }));
  const { catchUp, asked, dropped } = catchingUp(world, blocks, [{ tamper: lastCertified }, {}]);
  const done = await catchUp.run(2, 0);
  assert.deepEqual([done?.committed.height, done?.finalization.epoch], [4, 0]);
  assert.equal(world.chain.tip.header.height, 4n);
  assert.deepEqual([...new Set(asked.map(({ peer }) => peer))], [1, 2]);
  assert.deepEqual(dropped, []);
});

test('a slow peer is abandoned, and its blocks are fetched from others', async (t) => {
  const { world, blocks } = await behind(t, 60, () => true);
  const slow = { most: 1, afterMs: 2_700 };
  const { catchUp, asked, events, connected } = catchingUp(world, blocks, [slow, {}, {}]);
  assert.equal((await catchUp.run(30, 0))?.committed.height, 30);
  // The first range costs one timeout; 30 blocks from the slow peer alone would take 81 s.
  assertBefore(events, /^asks [23] from 1$/, '1 answers');
  assert.equal(asked.filter(({ peer }) => peer === 1).length, 1);
  // The slow peer is still used if it is the only one.
  connected.delete(2);
  connected.delete(3);
  assert.equal((await catchUp.run(31, 0))?.committed.height, 31);
  assert.equal(asked.filter(({ peer }) => peer === 1).length, 2);
});

test('a range that a peer does not serve is also requested from others', async (t) => {
  const { world, blocks } = await behind(t, 30, () => true);
  const { catchUp, events } = catchingUp(world, blocks, [
    { most: 0 },
    { afterMs: Number.POSITIVE_INFINITY },
    { afterMs: 20 },
  ]);
  const timer = setTimeout(() => events.push('2.5 s are over'), 2_500);
  t.after(() => clearTimeout(timer));
  assert.equal((await catchUp.run(30, 0))?.committed.height, 30);
  assertBefore(events, /^asks 3 from 1$/, '2.5 s are over');
});

test('a peer that sends invalid or uncertified blocks is dropped', async (t) => {
  const { world, blocks } = await behind(t, 20, () => true);
  const skipping = (some: readonly FinalBlock[]) => some.slice(1);
  const swapped = (some: readonly FinalBlock[]) =>
    some.map(({ block }, place) => ({ block, certificate: some[(place + 1) % some.length]?.certificate }));
  const cut = (some: readonly FinalBlock[]) =>
    some.map(({ block, certificate }) => ({
      block: { header: block.header.subarray(1), body: block.body },
      certificate,
    }));
  const { catchUp, dropped } = catchingUp(world, blocks, [
    { tamper: skipping },
    { tamper: swapped },
    { tamper: cut },
    { afterMs: 50 },
  ]);
  assert.equal((await catchUp.run(20, 0))?.committed.height, 20);
  assert.deepEqual(dropped.map(({ peer }) => peer).sort(), [1, 2, 3]);
});

test('disjoint ranges are requested in parallel', async (t) => {
  const { world, blocks } = await behind(t, 600, () => true);
  const { catchUp, asked } = catchingUp(world, blocks, [{ afterMs: 30 }, { afterMs: 30 }, { afterMs: 30 }]);
  const begun = catchUp.run(600, 0);
  await nextTick();
  assert.deepEqual(asked, [
    { peer: 1, fromHeight: 1, count: 256 },
    { peer: 2, fromHeight: 257, count: 256 },
    { peer: 3, fromHeight: 513, count: 88 },
  ]);
  assert.equal((await begun)?.committed.height, 600);
  assert.equal(asked.length, 3);
});

test('a block without a verdict is retried', async (t) => {
  const { world, blocks } = await behind(t, 2, () => true);
  const { catchUp, withheld, fail } = catchingUp(world, blocks, [{}, {}]);
  fail(1);
  const done = await catchUp.run(2, 0);
  assert.equal(done?.committed.height, 2);
  assert.deepEqual(withheld, [1]);
});

test('stopping cancels the verification in progress and commits nothing more', async (t) => {
  const { world, blocks } = await behind(t, 3, () => true);
  const { catchUp, aborted, commits, hang } = catchingUp(world, blocks, [{}]);
  const verifying = hang();
  const begun = catchUp.run(3, 0);
  await verifying;
  catchUp.stop();
  assert.equal(await begun, undefined);
  assert.deepEqual([aborted, commits], [[1], []]);
  assert.equal(await catchUp.run(3, 0), undefined);
});
