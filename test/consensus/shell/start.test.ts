import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShellOptions } from '../../../src/consensus/shell/shell-context.js';
import { eventually } from '../../support/eventually.js';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';

test('a validator that cannot enter its first epoch reports a failure', async (t) => {
  const reason = new Error('the signature service has ended');
  const wrap = (_: number, options: ShellOptions): ShellOptions => ({
    ...options,
    epochs: { enter: () => Promise.reject(reason) },
  });
  const world = await ValidatorsWorld.open({ startNone: true, wrap });
  t.after(() => world.remove());
  await world.start(0);
  await eventually('the failure is reported', async () => world.failures.length > 0);
  assert.deepEqual(world.failures, [reason]);
  await world.at(0).shell.stop();
});
