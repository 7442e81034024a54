import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ampleLimits } from '../../src/client/ample-limits.js';

test('gas limits are a quarter above their estimates, as far as there is room', () => {
  const cases: readonly (readonly [estimates: bigint[], most: bigint | undefined, limits: bigint[]])[] = [
    [[400n], undefined, [500n]],
    [[400n], 500n, [500n]],
    [[400n], 450n, [450n]],
    [[400n], 300n, [400n]],
    [[400n, 800n], 1_500n, [500n, 1_000n]],
    [[400n, 800n], 1_350n, [450n, 900n]],
    [[400n, 800n], 1_000n, [400n, 800n]],
    [[3n], 3n, [3n]],
    [[], 5n, []],
  ];
  for (const [estimates, most, limits] of cases) assert.deepEqual(ampleLimits(estimates, most), limits);
});
