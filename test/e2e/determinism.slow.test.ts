// Same transactions in, same blocks out: with and without native parts, and for any number of workers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { assertAlike, transferScript } from '../support/determinism.js';
import { NATIVE } from '../support/native-modes.js';

test('blocks come out the same for any number of workers, also without native parts', async () => {
  await assertAlike([
    [NATIVE, 1],
    [NATIVE, 2],
    [NATIVE, 4],
    ['off', 1],
    ['off', 4],
  ]);
});

test('the transaction script of the determinism test is itself deterministic', () => {
  const hashes = (): string[] => transferScript().flatMap((block) => block.map(({ hash }) => hash));
  assert.deepEqual(hashes(), hashes());
});
