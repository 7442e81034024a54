import assert from 'node:assert/strict';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import type { ValidatorNet } from '../networks/validator-net.js';
import { SteadyLoad } from './steady-load.js';

/**
 * Restores a validator's disk to an earlier state under load, and checks that all still agree and nobody has seen it vote
 * twice (rule 9).
 * @param others whether the other three continue without it, or two of them wait for it at the view of its last vote
 */
export async function isPutBack(
  net: ValidatorNet,
  index: number,
  others: 'went on' | 'waited',
): Promise<void> {
  const load = new SteadyLoad(net);
  const directory = net.directory(index);
  const backup = join(directory, '..', 'backup');
  await net.stop(index);
  cpSync(directory, backup, { recursive: true });
  await net.start([index]);
  await net.grow(4n);
  if (others === 'waited') await net.kill(0);
  await net.kill(index);
  if (others === 'went on') await net.grow(3n);
  rmSync(directory, { recursive: true });
  cpSync(backup, directory, { recursive: true });
  assert.ok(existsSync(validatorPaths(directory).share));
  await net.start([index]);
  await net.grow(4n);
  await net.start([0]);
  await net.grow(4n);
  await net.agree();
  await load.stop();
  await load.expectIncluded(index);
}
