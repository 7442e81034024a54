import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualSealer, SealError } from '../../../src/consensus/shell/manual-sealer.js';

const NOTHING = async () => undefined;

/** Requests a block, and waits until the request is pending. */
async function requested(
  sealer: ManualSealer,
  timestampMs: number,
): Promise<{ readonly sealed: Promise<void> }> {
  let sealed: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    sealed = sealer.seal(timestampMs, NOTHING, resolve);
  });
  return { sealed };
}

test('requests are served one after the other', async () => {
  const sealer = new ManualSealer();
  const one = await requested(sealer, 1);
  const other = requested(sealer, 2);
  assert.equal(sealer.timestampMs, 1);
  sealer.take()?.();
  await one.sealed;
  const { sealed } = await other;
  assert.equal(sealer.timestampMs, 2);
  sealer.take()?.();
  await sealed;
  assert.equal(sealer.isRequested, false);
});

test('once consensus has ended, the pending request fails, and so do later ones', async () => {
  const sealer = new ManualSealer();
  const { sealed } = await requested(sealer, 1);
  const reason = new SealError('consensus has stopped');
  sealer.fail(reason);
  sealer.fail(new Error('the second reason'));
  await assert.rejects(sealed, reason);
  await assert.rejects(sealer.seal(2, NOTHING, assert.fail), reason);
  assert.equal(sealer.isRequested, false);
});
