import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { BlockFacts } from '../../../src/consensus/core/types.js';
import { BlockVerifications } from '../../../src/consensus/shell/block-verifications.js';

const HOUR_MS = 3_600_000;

test('proposals an hour ahead of the clock are all counted, and logged once in ten seconds', async () => {
  let nowMs = 0;
  const logged: object[] = [];
  const counted: number[] = [];
  const verdicts: unknown[] = [];
  const encoded = { header: new Uint8Array(0), body: new Uint8Array(0) };
  const factsOf = (view: number): BlockFacts => ({
    hash: view.toString(16).padStart(64, '0'),
    parentHash: '00'.repeat(32),
    height: 7,
    epoch: 0,
    view,
    proposer: view % 4,
  });
  const verifications = new BlockVerifications(
    {
      runtime: { ...NODE_RUNTIME, now: () => nowMs, wallMs: () => 1_000 },
      chain: { verify: () => Promise.reject(new Error('a block that waits is not executed')) },
      onEarlyProposal: (proposer: number) => counted.push(proposer),
      log: { warn: (fields: object) => logged.push(fields) },
      tasks: { run: (_: string, work: () => Promise<void>) => work() },
      events: { push: (event: unknown) => verdicts.push(event) },
      known: {
        get: (hash: string) => ({
          facts: factsOf(Number.parseInt(hash, 16)),
          timestampMs: BigInt(1_000 + HOUR_MS),
          encoded: () => encoded,
        }),
      },
    } as never,
    { count: () => assert.fail('early is not invalid') },
  );
  const verify = async (view: number) => {
    verifications.verify({ type: 'verify', block: factsOf(view), notarized: false });
    await turn();
  };
  for (const view of [1, 1, 2, 5]) await verify(view);
  assert.deepEqual(counted, [1, 2, 1]);
  assert.deepEqual(logged, [{ height: 7, view: 1, proposer: 1, ahead_ms: HOUR_MS }]);
  assert.equal(verdicts.length, 4);
  nowMs += 10_000;
  await verify(6);
  assert.equal(logged.length, 2);
});
