import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockFacts, Effect } from '../../../src/consensus/core/types.js';
import { CoreHarness, childOf, GENESIS } from '../../support/worlds/core-harness.js';

/** Tracks the block bytes and executions that a shell would hold. */
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

/** Pushes a valid block of the view, then nullifies the view. */
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

test('any number of failed views leaves a bounded number of executed blocks', () => {
  const driver = new CoreHarness({ self: 0 });
  const held = new Held();
  for (let view = 1; view <= 1_000; view++) passOver(driver, held, GENESIS, 0, view);
  assert.equal(driver.view, 1_001);
  assert.ok(held.executed.size <= 66, `${held.executed.size} executed`);
});

test('a follower keeps a bounded number of bytes of possibly unneeded blocks', () => {
  const driver = new CoreHarness({ self: 0, setup: { mayVote: false } });
  const held = new Held();
  for (let view = 1; view <= 1_000; view++) passOver(driver, held, GENESIS, 0, view);
  assert.ok(held.bytes.size <= 66, `${held.bytes.size} held`);
});

test('ancestors of the highest notarized block stay, and a released block is verified again before use', () => {
  const driver = new CoreHarness({ self: 0 });
  const held = new Held();
  const first = childOf(GENESIS, 1);
  driver.notarized(first, 0);
  held.executed.add(first.hash);
  const early = passOver(driver, held, first, 1, 2);
  for (let view = 3; view <= 400; view++) passOver(driver, held, first, 1, view);
  assert.ok(held.executed.has(first.hash), 'the parent of all stays');
  assert.ok(!held.executed.has(early.hash), 'an early one went');
  // The early block was notarized and finalized too, but its certificate arrives after others built on the first
  // block.
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

test('a new epoch keeps no block of the previous one', () => {
  const driver = new CoreHarness({ self: 0, config: { epochLength: 1 } });
  const last = childOf(GENESIS, 1);
  driver.notarized(last, 0);
  // A block from a later view, at a height far above the epoch.
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

test('a certificate that failed without a bad vote is retried', () => {
  const driver = new CoreHarness({ self: 0 });
  driver.vote(1, 'nullify', 1);
  driver.vote(2, 'nullify', 1);
  const [asked] = driver.of('assemble');
  assert.ok(asked !== undefined);
  driver.step({ type: 'bad_partials', message: asked.message, signers: [] });
  assert.deepEqual(driver.of('assemble'), [asked]);
  assert.deepEqual(driver.of('drop_peers'), []);
});
