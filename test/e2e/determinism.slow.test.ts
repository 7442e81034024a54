import test from 'node:test';
import { assertAlike } from '../support/determinism.js';
import { NATIVE } from '../support/native-modes.js';

test('blocks come out the same for any number of workers, also without native parts', async () => {
  await assertAlike([
    [NATIVE, 2],
    [NATIVE, 4],
    ['off', 1],
    ['off', 2],
  ]);
});
