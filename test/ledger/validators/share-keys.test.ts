import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealerGenesis } from '../../../src/consensus/dealer-genesis.js';
import { checkGenesis } from '../../../src/ledger/genesis.js';
import { checkShareKeys } from '../../../src/ledger/validators/check-share-keys.js';
import { signTogether } from '../../support/crypto/threshold.js';
import { validatorWorld } from '../../support/networks/validators.js';

const world = validatorWorld(11);
const MESSAGE = new TextEncoder().encode('message');

test('a dealt genesis has no ceremony, keys that match, and shares that sign under them', () => {
  for (const members of [[0], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6]]) {
    const { genesis, shares } = dealerGenesis(world, world.configuration(members));
    checkGenesis(genesis);
    assert.equal(genesis.ceremony, undefined);
    const { validator_set: set } = genesis;
    assert.equal(checkShareKeys(world.bls, set), undefined);
    const signers = [...members.keys()].slice(-set.quorum);
    const signature = signTogether(world.bls, MESSAGE, shares, signers);
    assert.ok(world.bls.verify(signature, MESSAGE, set.group_public_key));
  }
});

test('keys that do not match are refused, each under its rule', () => {
  const { set } = world.dealt([0, 1, 2, 3, 4]);
  const other = world.dealt([0, 1, 2, 3, 4]).set;
  const rule = (altered: Partial<typeof set>) => checkShareKeys(world.bls, { ...set, ...altered })?.rule;
  const withKey = (index: number, key: Uint8Array) =>
    rule({
      validators: set.validators.map((validator) =>
        validator.index === index ? { ...validator, share_public_key: key } : validator,
      ),
    });
  assert.equal(rule({ group_public_key: other.group_public_key }), 'constant');
  for (const { index, share_public_key } of other.validators) {
    assert.equal(withKey(index, share_public_key), 'constant', `${index}`);
  }
  assert.equal(withKey(2, new Uint8Array(48)), 'point');
  assert.equal(withKey(2, new Uint8Array(0)), 'point');
  assert.equal(rule({ quorum: 3 }), 'constant');
  assert.equal(rule({ quorum: 6 }), 'size');
  assert.equal(rule({ quorum: 0 }), 'size');
});
