import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHeddle } from '../support/nodes/node-process.js';

test('simulate-consensus reports the seeds so far when it is interrupted', async () => {
  const running = startHeddle(['simulate-consensus', '--seeds', '1..1000000'], { timeoutMs: 60_000 });
  await running.said(/ [1-9]\d* of 1000000 seeds/);
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  assert.equal(code, 1);
  assert.match(stdout, /^[1-9]\d* runs of 4 validators in [\d.]+ s \(\d+\/s\): no violation$/m);
  assert.match(stderr, /interrupted after [1-9]\d* of 1000000 seeds/);
});
