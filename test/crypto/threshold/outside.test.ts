// Certificates from partial signatures verify with @noble/curves alone and with blst alone, over messages that the outside
// audit writes from the design page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { LagrangeCache } from '../../../src/crypto/scalars/lagrange.js';
import { assemble } from '../../../src/crypto/threshold/assemble.js';
import {
  finalizeMessage,
  notarizeMessage,
  nullifyMessage,
  voteIdentityMessage,
} from '../../../src/proofs/verify/certificate-message.js';
import { blockVote, holdsByBlst, holdsByNoble, nullifyVote } from '../../outside/agreement.js';
import { ascii, concat, hex, unhex } from '../../outside/bytes.js';
import { dealKey } from '../../support/crypto/shared-key.js';

const HASH = unhex('ab'.repeat(32));
const VIEW = { chainId: 7n, epoch: 2n, view: 0x0102n };
const BLOCK = { ...VIEW, parentView: 0xffn, hash: HASH };
const NUMBERS = [7n, 2n, 0x0102n, 0xffn] as const;

test('messages that validators sign are the bytes written out by hand', () => {
  const numbers = '070000000000000002000000000000000201000000000000';
  const tail = `${numbers}ff00000000000000${'ab'.repeat(32)}`;
  assert.equal(hex(finalizeMessage(BLOCK)), hex(ascii('heddle/finalize/1')) + tail);
  assert.equal(hex(notarizeMessage(BLOCK)), hex(ascii('heddle/notarize/1')) + tail);
  assert.equal(hex(nullifyMessage(VIEW)), hex(ascii('heddle/nullify/1')) + numbers);
  assert.equal(hex(blockVote('finalize', NUMBERS, HASH)), hex(finalizeMessage(BLOCK)));
  assert.equal(hex(blockVote('notarize', NUMBERS, HASH)), hex(notarizeMessage(BLOCK)));
  assert.equal(hex(nullifyVote([7n, 2n, 0x0102n])), hex(nullifyMessage(VIEW)));
  const vote = nullifyMessage(VIEW);
  assert.equal(hex(voteIdentityMessage(vote)), hex(concat(ascii('heddle/vote/1'), vote)));
});

test('certificates of a quorum verify with either library alone, for their message only', async () => {
  const bls = await loadBls('auto');
  const key = dealKey(bls, 5, 7);
  const messages = [
    blockVote('finalize', NUMBERS, HASH),
    blockVote('notarize', NUMBERS, HASH),
    nullifyVote([7n, 2n, 0x0102n]),
  ];
  const certificates = messages.map((message) => {
    const partials = [6, 1, 4, 0, 3].map((index) => ({
      index,
      signature: bls.sign(message, key.shares[index] ?? assert.fail()),
    }));
    return assemble(bls, new LagrangeCache(), key, message, partials).signature ?? assert.fail();
  });
  for (const [place, certificate] of certificates.entries()) {
    for (const [other, message] of messages.entries()) {
      assert.equal(holdsByNoble(certificate, message, key.groupPublicKey), place === other);
      assert.notEqual(holdsByBlst(certificate, message, key.groupPublicKey), place !== other);
    }
  }
});
