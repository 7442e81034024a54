// Many clients read at the oldest heights while these are pruned.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CheckedAnswers } from '../support/checked-answers.js';
import { NodeProcess } from '../support/node-process.js';

test('reads at heights that are being pruned are right or refused as state_unavailable', async (t) => {
  const node = await NodeProcess.start({
    flags: [
      // A slow machine seals many blocks while it checks a bundle.
      '--bundle-blocks',
      '100000',
      '--block-time',
      '10',
      '--idle-block-time',
      '10',
      '--front-threads',
      '2',
      '--state-retention',
      '1',
    ],
  });
  try {
    // The node always keeps a thousand heights and prunes every 64 blocks.
    const checked = new CheckedAnswers(node.url, [960, 1_100]);
    await checked.reach(1_040);
    await checked.runUntil(
      ({ answers, bundles, pruned }) => answers > 300 && bundles > 20 && pruned > 20,
      4_000,
    );
    t.diagnostic(JSON.stringify(checked.counts));
    assert.doesNotMatch(node.log, /internal error/);
  } finally {
    await node.dispose();
  }
});
