import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_BLOCK } from '../../../src/consensus/core/types.js';
import {
  certificateFromWire,
  certificateToWire,
  voteFromWire,
  voteToWire,
} from '../../../src/consensus/core/wire.js';
import { certificateOf, voteOf } from '../../support/worlds/core-harness.js';

const HASH = 'ab'.repeat(32);

test('votes and certificates survive encoding', () => {
  for (const vote of [voteOf(3, 'notarize', 7, 5, HASH), voteOf(0, 'nullify', 1)])
    assert.deepEqual(voteFromWire(voteToWire(vote)), vote);
  const certificate = certificateOf('finalize', 2 ** 40, 3, HASH, 9);
  assert.deepEqual(certificateFromWire(certificateToWire(certificate)), certificate);
});

test('unknown fields are refused', () => {
  const vote = voteToWire(voteOf(3, 'notarize', 7, 5, HASH));
  const nullify = voteToWire(voteOf(3, 'nullify', 7, 0, NO_BLOCK));
  for (const wire of [
    { ...vote, view: 2n ** 53n },
    { ...vote, epoch: 2n ** 64n - 1n },
    { ...vote, view: 0n, parent_view: 0n },
    { ...vote, parent_view: 7n },
    { ...nullify, parent_view: 1n },
    { ...nullify, block_hash: vote.block_hash },
  ])
    assert.equal(voteFromWire(wire), undefined);
});
