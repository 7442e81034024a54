// Many clients read at the oldest heights while these are pruned.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeStatus } from '../../outside/traffic.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { CheckedAnswers } from '../../support/nodes/checked-answers.js';

export interface PruningSize {
  /** Minimum numbers of right answers, and of refusals. */
  readonly answers: number;
  readonly pruned: number;
  readonly roundMs: number;
}

/** The node keeps no more state than it has to: that of a thousand heights. It prunes every 64 blocks. */
export function pruningRaces(attacked: AttackedNode, size: PruningSize): void {
  test('reads at heights that are being pruned are right or refused as state_unavailable', async (t) => {
    const height = async () => Number((await nodeStatus(attacked.rpc)).tip.height);
    const checked = new CheckedAnswers(attacked.node.url, [960, 1_100]);
    // The bundles of the heights that will be pruned.
    for (let bundle = 0; bundle < 12; bundle++) {
      await checked.sendBundle(attacked.rpc);
      await attacked.mineTo((await height()) + 10);
    }
    await attacked.mineTo((await height()) + 920);
    await checked.runUntil(
      ({ answers, pruned }) => answers > size.answers && pruned > size.pruned,
      size.roundMs,
    );
    t.diagnostic(JSON.stringify(checked.counts));
    assert.ok(checked.counts.bundles > 12);
    assert.doesNotMatch(attacked.node.log, /internal error/);
  });
}
