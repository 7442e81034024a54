import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConfiguration } from '../../../src/consensus/ceremony/configuration.js';
import type { CeremonyConfiguration } from '../../../src/generated/mesh.js';
import { validatorWorld } from '../../support/networks/validators.js';

const world = validatorWorld(12);
const good = world.configuration([0, 1, 2, 3]);

test('a valid configuration is accepted', () => {
  checkConfiguration(good, world.bls);
});

test('an invalid configuration is refused and the problem named', () => {
  const [first, ...others] = good.validators;
  assert.ok(first);
  const wrong: readonly (readonly [Partial<CeremonyConfiguration>, RegExp])[] = [
    [{ validators: [] }, /: validators:/],
    [{ validators: [first, ...others, first] }, /: validators\[4\]\.identity_key:/],
    [{ validators: [{ ...first, endpoint: 'nowhere' }, ...others] }, /: validators\[0\]\.endpoint:/],
    [
      { validators: [{ ...first, encryption_key: new Uint8Array(48) }, ...others] },
      /: validators\[0\]\.encryption_key: not a valid point/,
    ],
    [{ gas_limit: 1n }, /: gas_limit:/],
    [{ base_fee: 0n }, /: base_fee:/],
    [{ accounts: [...good.accounts, ...good.accounts] }, /: accounts\[1\]\.address:/],
  ];
  for (const [altered, message] of wrong) {
    assert.throws(() => checkConfiguration({ ...good, ...altered }, world.bls), message);
  }
});
