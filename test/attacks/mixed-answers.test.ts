// Many clients query just-included transactions in batches: each answer matches its request and a single height.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CheckedAnswers } from '../support/nodes/checked-answers.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { perTier } from '../support/sweep.js';

const ANSWERS = perTier(150, 500);
const ROUND_MS = perTier(1_500, 5_000);
const FLAGS = ['--block-time', '60', '--idle-block-time', '60', '--bundle-blocks', '100000'];

for (const threads of perTier([1], [1, 2])) {
  test(`answers are neither torn, stale nor mixed up with --front-threads ${threads}`, async (t) => {
    const node = await NodeProcess.start({ flags: [...FLAGS, '--front-threads', String(threads)] });
    try {
      const checked = new CheckedAnswers(node.url, [0, 60]);
      await checked.runUntil(({ answers, bundles }) => answers > ANSWERS && bundles > 5, ROUND_MS);
      t.diagnostic(JSON.stringify(checked.counts));
      assert.equal(checked.counts.pruned, 0);
      assert.doesNotMatch(node.log, /internal error/);
    } finally {
      await node.dispose();
    }
  });
}
