// Same transactions in, same blocks out: with and without native parts, and for any number of workers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { NATIVE } from '../support/native-modes.js';
import { assertAlike, transferScript } from '../support/worlds/determinism.js';

test('blocks are the same for any number of workers, with and without native parts', async () => {
  await assertAlike([
    [NATIVE, 1],
    [NATIVE, 2],
    [NATIVE, 4],
    ['off', 1],
    ['off', 2],
    ['off', 4],
  ]);
});

test('the script makes the same transactions every time', () => {
  const hashes = (): string[] => transferScript().flatMap((block) => block.map(({ hash }) => hash));
  assert.deepEqual(hashes(), hashes());
});
