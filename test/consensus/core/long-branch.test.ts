import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockFacts, JournalEntry } from '../../../src/consensus/core/types.js';
import { CoreHarness, certificateOf, GENESIS } from '../../support/worlds/core-harness.js';

/** A branch of `length` blocks, notarized in consecutive views and not final, with its journal. */
function branchOf(length: number): {
  readonly blocks: readonly BlockFacts[];
  readonly journal: JournalEntry[];
} {
  const blocks: BlockFacts[] = [];
  const journal: JournalEntry[] = [];
  let parent = GENESIS;
  for (let view = 1; view <= length; view++) {
    const facts = { parentHash: parent.hash, height: view, epoch: 0, view, proposer: view % 4 };
    const block = { ...facts, hash: `b${view}` };
    blocks.push(block);
    journal.push(
      { type: 'block', block, view },
      { type: 'certificate', certificate: certificateOf('notarize', view, view - 1, block.hash) },
    );
    parent = block;
  }
  return { blocks, journal };
}

test('a validator restarted with a long notarized branch verifies it from below and builds on it', () => {
  const { blocks, journal } = branchOf(1_500);
  const driver = new CoreHarness({ self: 1_501 % 4, config: { epochLength: 10_000 }, journal });
  assert.equal(driver.view, 1_501);
  // The lowest block is already being verified.
  for (const [at, { hash }] of blocks.entries()) {
    driver.verdict(hash);
    assert.deepEqual(
      driver.of('verify').map(({ block }) => block.hash),
      blocks.slice(at + 1, at + 2).map((next) => next.hash),
    );
  }
  if (driver.timers.has('due')) driver.fire('due');
  const [proposal] = driver.of('propose');
  assert.equal(proposal?.parentHash, blocks.at(-1)?.hash);
  assert.equal(proposal?.parentHeight, 1_500);
});
