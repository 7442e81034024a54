import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualSealer, SealError } from '../../../src/consensus/shell/manual-sealer.js';

const NOTHING = async () => undefined;
const HASH = 'ab'.repeat(32);

/** Requests a block, and waits until the request is pending. */
async function requested(
  sealer: ManualSealer,
  timestampMs: number,
): Promise<{ readonly sealed: Promise<string> }> {
  let sealed = Promise.resolve('');
  await new Promise<void>((resolve) => {
    sealed = sealer.seal({ timestampMs }, NOTHING, resolve);
  });
  return { sealed };
}

test('requests are served one after the other', async () => {
  const sealer = new ManualSealer();
  const one = await requested(sealer, 1);
  const other = requested(sealer, 2);
  assert.equal(sealer.claim()?.timestampMs, 1);
  sealer.take()?.(HASH);
  assert.equal(await one.sealed, HASH);
  const { sealed } = await other;
  assert.equal(sealer.claim()?.timestampMs, 2);
  sealer.take()?.(HASH);
  await sealed;
  assert.equal(sealer.isRequested, false);
});

test('a block that was begun before the request does not end it', async () => {
  const sealer = new ManualSealer();
  assert.equal(sealer.claim(), undefined);
  const { sealed } = await requested(sealer, 1);
  assert.equal(sealer.take(), undefined);
  assert.equal(sealer.isRequested, true);
  sealer.claim();
  sealer.take()?.(HASH);
  await sealed;
});

test('once consensus has ended, the pending request fails, and so do later ones', async () => {
  const sealer = new ManualSealer();
  const { sealed } = await requested(sealer, 1);
  const reason = new SealError('consensus has stopped');
  sealer.fail(reason);
  sealer.fail(new Error('the second reason'));
  await assert.rejects(sealed, reason);
  await assert.rejects(sealer.seal({ timestampMs: 2 }, NOTHING, assert.fail), reason);
  assert.equal(sealer.isRequested, false);
});
