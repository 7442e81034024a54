// Assignment of verification slots to blocks, and loss of slots to other blocks.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { BlockContext } from '../../../src/chain/next-block.js';
import type { BlockVerdict } from '../../../src/chain/verify-block.js';
import type { KnownBlock } from '../../../src/consensus/shell/known-blocks.js';
import { type Verdict, Verifier } from '../../../src/consensus/shell/verifier.js';

/** Longer than the wait for a block that is not notarized. */
const LATE_MS = 3_000;

describe('verification slots', () => {
  /** Running verifications by view; each runs until aborted. */
  let running: Map<number, AbortSignal>;
  let verifier: Verifier;
  let nowMs: number;
  /** Views of the blocks whose time is too far ahead, with the milliseconds. */
  let early: [view: number, aheadMs: number][];

  beforeEach(() => {
    running = new Map();
    nowMs = 10_000;
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
    const onWithheld = () => undefined;
    const runtime = { ...NODE_RUNTIME, now: () => nowMs, wallMs: () => 0 };
    const onEarly = ({ view }: { readonly view: number }, aheadMs: number) => early.push([view, aheadMs]);
    verifier = new Verifier({ runtime, chain: { verify }, onWithheld, onEarly });
  });

  afterEach(() => verifier.stop());

  test('a block ahead of the clock waits, and is reported once', async () => {
    const hourMs = 3_600_000;
    const late = { ...block(2), timestampMs: BigInt(hourMs) };
    for (let asked = 0; asked < 3; asked++)
      assert.deepEqual(await verifier.verify(late, false), { verdict: 'withheld', retryMs: 500 });
    const soon = { ...block(3), timestampMs: 2_100n };
    assert.deepEqual(await verifier.verify(soon, false), { verdict: 'withheld', retryMs: 100 });
    void verifier.verify({ ...block(4), timestampMs: 2_000n }, false).catch(() => undefined);
    assert.deepEqual(early, [
      [2, hourMs],
      [3, 2_100],
    ]);
    verifier.forget([late.facts.hash]);
    await verifier.verify(late, false);
    assert.equal(early.length, 3);
  });

  function block(view: number, epoch = 0): KnownBlock {
    const hash = view.toString(16).padStart(64, '0');
    const facts = { hash, parentHash: '00'.repeat(32), height: 1, epoch, view, proposer: 0 };
    const encoded = { header: new Uint8Array(0), body: new Uint8Array(0) };
    return { facts, timestampMs: 0n, arrivedAt: 0, encoded: () => encoded, bytes: 0, decoded: undefined };
  }

  async function verified(view: number, notarized = false): Promise<Verdict | undefined> {
    const none = turn(undefined);
    const verdict = verifier.verify(block(view), notarized);
    verdict.catch(() => undefined);
    return Promise.race([verdict, none]);
  }

  test('when all slots are taken, the block of the earliest ended view loses its slot', async () => {
    for (const view of [4, 2, 5, 3]) assert.equal(await verified(view), undefined);
    // The block is retried shortly after, when a slot is free.
    assert.equal((await verified(6))?.verdict, 'withheld');
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
    assert.equal((await verified(5))?.verdict, 'withheld');
    assert.equal((await verified(6))?.verdict, undefined);
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
