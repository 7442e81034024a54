import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOB, ownWorld, PROBE } from './view-world.js';

test('a call that runs for too long is given up with its worker, and all others are answered', async (t) => {
  // Far more than any of the others takes, were it the first on a new worker of a machine that is busy.
  const limit = 1_500;
  const world = await ownWorld(t, {
    workers: '1',
    'max-call-gas': '1000000000000',
    'max-call-ms': String(limit),
  });
  const loop = { contract: world.probe, input: PROBE.loop };
  const balance = { contract: world.token, method: 'balance_of', args: [BOB] };
  const [, ...others] = await Promise.all([
    world.refusal(loop).then((failure) => {
      assert.equal(failure.data.kind, 'timeout', failure.message);
      assert.equal(failure.data['limit_ms'], limit);
    }),
    ...Array.from({ length: 40 }, () => world.view(balance)),
  ]);
  for (const answer of others) assert.equal(answer?.decoded, '0');
  await world.seal([world.pay(3)]);
  assert.equal(await world.bobs(), '3');
});

test('many expensive calls at once do not count against each other', async (t) => {
  const world = await ownWorld(t, { workers: '1', 'max-call-ms': '800' });
  const expensive = { contract: world.probe, input: PROBE.loop, gas_limit: 100_000_000 };
  const answers = await Promise.all(Array.from({ length: 24 }, () => world.view(expensive)));
  for (const { status, gas_used } of answers)
    assert.deepEqual([status.type, gas_used], ['out_of_gas', 100_000_000]);
});
