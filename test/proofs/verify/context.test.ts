import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValidatorSet } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { verifyLightClientContext } from '../../../src/proofs/verify.js';
import { HistoryMmr } from '../../outside/trees.js';
import { certify, digest, GROUP_PUBLIC_KEY, hashOf, headerWith, sha256 } from './proved-world.js';
import { refusal, refusesEveryMutation } from './refusals.js';

const validatorSet: ValidatorSet = {
  epoch: 2n,
  quorum: 3,
  group_public_key: GROUP_PUBLIC_KEY,
  validators: Array.from({ length: 4 }, (_, index) => ({
    index,
    address: digest(index).slice(0, 20),
    identity_key: digest(10 + index),
    share_public_key: GROUP_PUBLIC_KEY,
  })),
};
const range = new HistoryMmr();
for (let leaf = 0; leaf < 11; leaf++) range.append(digest(leaf));
const header = headerWith({
  epoch: 2n,
  history_root: range.root(),
  validators_hash: sha256(ledger.ValidatorSet.encode(validatorSet)),
});
const child = headerWith({ epoch: 3n, view: 1n, height: 12n, parent_hash: hashOf(header) });
const context = {
  chain_id: header.chain_id,
  genesis_hash: digest(0),
  epoch: 2n,
  validator_set: validatorSet,
  header,
  certificate: certify(child, { parentView: 0n }),
  descendants: [child],
  history: { root: range.root(), size: range.size, peaks: [...range.peaks], height: header.height },
  signing_domain: 'heddle/finalize/1',
};
const answer = JSON.parse(rpcTypes.LightClientContextResult.toJson(context));

test('the context of a light client is proved with the group key alone, in any epoch', () => {
  const verified = verifyLightClientContext(answer, { groupPublicKey: GROUP_PUBLIC_KEY });
  assert.deepEqual(verified.block, { header, hash: hashOf(header) });
  assert.deepEqual(verified.validatorSet, validatorSet);
  assert.equal(verified.history.size, range.size);
});

test('every change of the context is refused', () => {
  const trust = { headerHash: hashOf(header) };
  const { certificate: _, descendants: __, ...rest } = answer;
  const tried = refusesEveryMutation(rest, (mutated) => verifyLightClientContext(mutated, trust), {
    // The history proves the hash of genesis; the verifier computes the domain itself.
    isFree: (what) => /genesis_hash|signing_domain/.test(what),
    bitStep: 3,
  });
  assert.ok(tried > 500, `${tried}`);
});

test('validators of another epoch, and another chain or epoch than the header has, are refused', () => {
  const codeOf = (change: object) =>
    refusal(JSON.stringify(Object.keys(change)), () =>
      verifyLightClientContext({ ...answer, ...change }, { groupPublicKey: GROUP_PUBLIC_KEY }),
    );
  const others = { ...validatorSet, epoch: 3n };
  assert.equal(codeOf({ validator_set: JSON.parse(rpcTypes.ValidatorSet.toJson(others)) }), 'not_proved');
  assert.equal(codeOf({ epoch: 3 }), 'wrong_subject');
  assert.equal(codeOf({ chain_id: 1 }), 'wrong_subject');
  assert.equal(codeOf({ descendants: [] }), 'wrong_certificate');
});
