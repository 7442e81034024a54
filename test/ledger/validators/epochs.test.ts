import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EpochPhase, MIN_EPOCH_LENGTH, phaseAt } from '../../../src/ledger/validators/epochs.js';

const LETTERS: Record<EpochPhase, string> = { changes: 'c', dealings: 'd', complaints: '-' };

function phases(length: bigint, epoch: bigint): string {
  const heights = Array.from(
    { length: Number(length) },
    (_, position) => epoch * length + BigInt(position) + 1n,
  );
  return heights.map((height) => LETTERS[phaseAt(height, length)]).join('');
}

test('changes come first, then dealings until two thirds of an epoch, then only complaints', () => {
  const expected = new Map([
    [2n, 'cd'],
    [3n, 'cd-'],
    [4n, 'cd--'],
    [5n, 'cdd--'],
    [6n, 'ccdd--'],
    [8n, 'ccddd---'],
    [12n, 'ccccdddd----'],
    [16n, 'cccccddddd------'],
  ]);
  for (const [length, text] of expected) {
    for (const epoch of [0n, 1n, 5n]) assert.equal(phases(length, epoch), text, `${length}`);
  }
});

test('in every epoch of three blocks or more the last dealings are at position ⌊2L/3⌋ − 1', () => {
  for (let length = MIN_EPOCH_LENGTH + 1n; length < 200n; length++) {
    const text = phases(length, 3n);
    assert.equal(BigInt(text.lastIndexOf('d')), (2n * length) / 3n - 1n);
    assert.match(text, /^c+d+-+$/);
  }
});
