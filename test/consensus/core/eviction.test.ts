import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockFacts, Effect } from '../../../src/consensus/core/types.js';
import { CoreHarness, childOf, GENESIS } from '../../support/core-harness.js';

/** What a shell does with the blocks' bytes and executions, that nothing is used which was let go. */
class Held {
  readonly bytes = new Set<string>();
  readonly executed = new Set<string>();

  take(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === 'release_blocks') for (const hash of effect.hashes) this.executed.delete(hash);
      if (effect.type === 'drop_blocks') for (const hash of effect.hashes) this.bytes.delete(hash);
    }
  }
}

/** A block of the view is pushed and found valid, and the view nullified all the same. */
function passOver(
  driver: CoreHarness,
  held: Held,
  parent: BlockFacts,
  parentView: number,
  view: number,
): BlockFacts {
  const block = childOf(parent, view);
  driver.nowMs += 100;
  if (block.proposer !== driver.self) {
    held.bytes.add(block.hash);
    held.take(driver.step({ type: 'block', block, from: block.proposer }));
    held.take(driver.vote(block.proposer, 'notarize', view, parentView, block.hash));
    if (driver.effects.some(({ type }) => type === 'verify')) {
      held.executed.add(block.hash);
      held.take(driver.verdict(block.hash));
    }
  }
  held.take(driver.certificate('nullify', view));
  return block;
}

test('views that come to nothing leave a bounded number of executed blocks behind, however many they are', () => {
  const driver = new CoreHarness({ self: 0 });
  const held = new Held();
  for (let view = 1; view <= 1_000; view++) passOver(driver, held, GENESIS, 0, view);
  assert.equal(driver.view, 1_001);
  assert.ok(held.executed.size <= 66, `${held.executed.size} executed`);
});

test('who follows keeps a bounded number of bytes of blocks that nobody may need', () => {
  const driver = new CoreHarness({ self: 0, setup: { mayVote: false } });
  const held = new Held();
  for (let view = 1; view <= 1_000; view++) passOver(driver, held, GENESIS, 0, view);
  assert.ok(held.bytes.size <= 66, `${held.bytes.size} held`);
});

test('what leads to the highest notarized block stays, and a released block is verified again before it is used', () => {
  const driver = new CoreHarness({ self: 0 });
  const held = new Held();
  const first = childOf(GENESIS, 1);
  driver.notarized(first, 0);
  held.executed.add(first.hash);
  const early = passOver(driver, held, first, 1, 2);
  for (let view = 3; view <= 400; view++) passOver(driver, held, first, 1, view);
  assert.ok(held.executed.has(first.hash), 'the parent of all stays');
  assert.ok(!held.executed.has(early.hash), 'an early one went');
  // It was notarized as well, and that comes to be known late: others built on it.
  held.take(driver.certificate('finalize', 2, 1, early.hash));
  assert.deepEqual(
    driver.of('verify').map(({ block }) => block.hash),
    [early.hash],
  );
  assert.deepEqual(driver.of('commit'), []);
  driver.verdict(early.hash);
  assert.deepEqual(
    driver.of('commit').map(({ hashes }) => hashes),
    [[first.hash, early.hash]],
  );
});

test('an epoch that begins leaves no block of the one before behind', () => {
  const driver = new CoreHarness({ self: 0, config: { epochLength: 1 } });
  const last = childOf(GENESIS, 1);
  driver.notarized(last, 0);
  // Of a later view, and far above the epoch.
  const stray = { ...childOf(last, 2), height: 1_000 };
  driver.step({ type: 'block', block: stray, from: stray.proposer });
  driver.certificate('finalize', 1, 0, last.hash);
  assert.ok(driver.core.ended);
  driver.start({ epoch: 1, committed: last });
  assert.deepEqual(
    driver.of('drop_blocks').map(({ hashes }) => hashes),
    [[stray.hash]],
  );
});

test('a certificate that could not be made through no vote’s fault is tried again', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.vote(1, 'nullify', 1);
  driver.vote(2, 'nullify', 1);
  const [asked] = driver.of('assemble');
  assert.ok(asked !== undefined);
  driver.step({ type: 'bad_partials', message: asked.message, signers: [] });
  assert.deepEqual(driver.of('assemble'), [asked]);
  assert.deepEqual(driver.of('drop_peers'), []);
});
