import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { EffectOf } from '../../../src/consensus/core/types.js';
import { BlockCommits } from '../../../src/consensus/shell/block-commits.js';
import { shellContext } from '../../support/worlds/shell-context.js';

function effect(view: number): EffectOf<'commit'> {
  const hash = view.toString(16).padStart(64, '0');
  const certificate = { kind: 'finalize', epoch: 0, view, parentView: view - 1, hash } as const;
  return {
    type: 'commit',
    hashes: [hash],
    certificate: { ...certificate, signature: new Uint8Array(96) },
  };
}

test('two commits at the same time are done one after the other, and suspects are tried between commits', async () => {
  const done: string[] = [];
  const nothing = () => undefined;
  const header = { timestamp_ms: 0n, height: 0n };
  const context = shellContext({
    chain: {
      tip: { header: header as never, hash: new Uint8Array(32) },
      commit: async (hash) => {
        done.push(`commit ${hash.at(-1)}`);
        await turn();
        done.push(`committed ${hash.at(-1)}`);
        return [];
      },
      trySuspects: async () => {
        done.push('suspects');
        return false;
      },
    },
  });
  const commits = new BlockCommits(context, {
    manual: { take: nothing },
    work: { onTransactionAdded: nothing, committed: nothing, resume: nothing },
    own: { committed: nothing },
    times: { recordFinal: () => 0 },
    envelopes: { refresh: nothing },
    verifications: { forget: nothing },
    onFinal: nothing,
  });
  const both = [1, 2].map((view) => commits.commit(effect(view), Promise.resolve()));
  await turn();
  assert.equal(commits.isIdle, false);
  await Promise.all(both);
  assert.equal(commits.isIdle, true);
  assert.deepEqual(done, ['commit 1', 'committed 1', 'commit 2', 'committed 2', 'suspects', 'suspects']);
});
