// Assignment of verification slots to blocks, and loss of slots to other blocks.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { BlockContext } from '../../../src/chain/next-block.js';
import type { BlockVerdict } from '../../../src/chain/verify-block.js';
import { BlockVerifications } from '../../../src/consensus/shell/block-verifications.js';
import type { CoreInput } from '../../../src/consensus/shell/core-queue.js';
import type { KnownBlock } from '../../../src/consensus/shell/known-blocks.js';
import { shellContext } from '../../support/worlds/shell-context.js';

/** Longer than the wait for a block that is not notarized. */
const LATE_MS = 3_000;

describe('verification slots', () => {
  /** Running verifications by view; each runs until aborted. */
  let running: Map<number, AbortSignal>;
  let verifications: BlockVerifications;
  let blocks: Map<string, KnownBlock>;
  let told: CoreInput[];
  let nowMs: number;
  /** Proposers of the blocks whose time is too far ahead. */
  let early: number[];

  beforeEach(() => {
    running = new Map();
    nowMs = 10_000;
    blocks = new Map();
    told = [];
    early = [];
    const verify = (_: unknown, { view }: BlockContext, signal?: AbortSignal): Promise<BlockVerdict> =>
      new Promise((_resolve, reject) => {
        if (signal === undefined) return;
        running.set(Number(view), signal);
        signal.addEventListener('abort', () => {
          running.delete(Number(view));
          reject(signal.reason);
        });
      });
    const context = shellContext({
      runtime: { ...NODE_RUNTIME, now: () => nowMs, wallMs: () => 0 },
      chain: { verify },
      known: { get: (hash) => blocks.get(hash) },
      events: { hasStarted: true, push: (event) => told.push(event) },
      onEarlyProposal: (proposer) => early.push(proposer),
    });
    verifications = new BlockVerifications(context, {
      countInvalid: () => assert.fail('no block is invalid'),
    });
  });

  afterEach(() => verifications.stop());

  function block(view: number, timestampMs = 0n): KnownBlock {
    const hash = view.toString(16).padStart(64, '0');
    const facts = { hash, parentHash: '00'.repeat(32), height: 1, epoch: 0, view, proposer: view };
    const encoded = { header: new Uint8Array(0), body: new Uint8Array(0) };
    return { facts, timestampMs, arrivedAt: 0, encoded: () => encoded, bytes: 0, decoded: undefined };
  }

  /** What the core learns in this turn about a block that it wants verified; undefined if nothing. */
  async function verified(one: number | KnownBlock, notarized = false) {
    const wanted = typeof one === 'number' ? block(one) : one;
    const { facts } = wanted;
    blocks.set(facts.hash, wanted);
    const before = told.length;
    verifications.verify({ type: 'verify', block: facts, notarized }).catch(() => undefined);
    await turn();
    return told[before];
  }

  test('a block ahead of the clock waits, and is counted once', async () => {
    const hourMs = 3_600_000;
    const late = block(2, BigInt(hourMs));
    const waits = (view: number, retryMs: number) => {
      return { type: 'verdict', hash: block(view).facts.hash, verdict: 'withheld', retryMs };
    };
    for (let asked = 0; asked < 3; asked++) assert.deepEqual(await verified(late), waits(2, 500));
    assert.deepEqual(await verified(block(3, 2_100n)), waits(3, 100));
    assert.equal(await verified(block(4, 2_000n)), undefined);
    assert.deepEqual(early, [2, 3]);
    verifications.forget([late.facts.hash]);
    await verified(late);
    assert.equal(early.length, 3);
  });

  test('when all slots are taken, the block of the earliest ended view loses its slot', async () => {
    for (const view of [4, 2, 5, 3]) assert.equal(await verified(view), undefined);
    // The block is retried shortly after, when a slot is free.
    assert.equal(verdictIn(await verified(6)), 'withheld');
    assert.deepEqual([...running.keys()], [4, 5, 3]);
    await turn();
    assert.equal(await verified(6), undefined);
    assert.deepEqual([...running.keys()], [4, 5, 3, 6]);
  });

  test('a later block aborts verifications of ended views', async () => {
    await verified(2);
    await verified(3);
    nowMs += LATE_MS;
    await verified(4);
    assert.deepEqual([...running.keys()], [4]);
  });

  test('no block loses its slot to one of the same or an earlier view', async () => {
    for (const view of [6, 7, 8, 9]) await verified(view);
    nowMs += LATE_MS;
    assert.equal(verdictIn(await verified(5)), 'withheld');
    assert.equal(await verified(6), undefined);
    assert.deepEqual([...running.keys()], [6, 7, 8, 9]);
  });

  test('a notarized block always gets a slot and keeps it', async () => {
    for (const view of [2, 3, 4, 5]) await verified(view);
    for (const view of [2, 6]) await verified(view, true);
    nowMs += LATE_MS;
    await verified(9);
    assert.deepEqual([...running.keys()], [2, 6]);
    await turn();
    await verified(9);
    assert.deepEqual([...running.keys()], [2, 6, 9]);
  });

  test('an aborted block is verified again once notarized', async () => {
    await verified(2);
    nowMs += LATE_MS;
    await verified(3);
    await turn();
    assert.equal(await verified(2, true), undefined);
    assert.deepEqual([...running.keys()], [3, 2]);
  });
});

function verdictIn(event: CoreInput | undefined) {
  return event?.type === 'verdict' ? event.verdict : undefined;
}

test('proposals an hour ahead of the clock are all counted, and logged once in ten seconds', async () => {
  const hourMs = 3_600_000;
  let nowMs = 0;
  const logged: object[] = [];
  const counted: number[] = [];
  const verdicts: unknown[] = [];
  const encoded = { header: new Uint8Array(0), body: new Uint8Array(0) };
  const factsOf = (view: number) => ({
    hash: view.toString(16).padStart(64, '0'),
    parentHash: '00'.repeat(32),
    height: 7,
    epoch: 0,
    view,
    proposer: view % 4,
  });
  const { log } = shellContext({});
  const context = shellContext({
    runtime: { ...NODE_RUNTIME, now: () => nowMs, wallMs: () => 1_000 },
    chain: { verify: () => Promise.reject(new Error('a block that waits is not executed')) },
    onEarlyProposal: (proposer) => counted.push(proposer),
    log: { ...log, warn: (fields) => logged.push(fields) },
    events: { hasStarted: true, push: (event) => verdicts.push(event) },
    known: {
      get: (hash) => ({
        facts: factsOf(Number.parseInt(hash, 16)),
        timestampMs: BigInt(1_000 + hourMs),
        arrivedAt: 0,
        encoded: () => encoded,
        bytes: 0,
        decoded: undefined,
      }),
    },
  });
  const verifications = new BlockVerifications(context, {
    countInvalid: () => assert.fail('early is not invalid'),
  });
  const verify = (view: number) =>
    verifications.verify({ type: 'verify', block: factsOf(view), notarized: false });
  for (const view of [1, 1, 2, 5]) await verify(view);
  assert.deepEqual(counted, [1, 2, 1]);
  assert.deepEqual(logged, [{ height: 7, view: 1, proposer: 1, ahead_ms: hourMs }]);
  assert.equal(verdicts.length, 4);
  nowMs += 10_000;
  await verify(6);
  assert.equal(logged.length, 2);
});
