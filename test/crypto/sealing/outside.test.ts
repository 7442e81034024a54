// Envelopes sealed by the node open with the outside audit's code, written from the design page alone, and vice versa,
// byte for byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { sealOpener } from '../../../src/crypto/sealing/open.js';
import { seal } from '../../../src/crypto/sealing/seal.js';
import { sealIdentity } from '../../../src/crypto/sealing/seal-identity.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { sealedEnvelopeHash } from '../../../src/ledger/transaction-envelope.js';
import { holdsByBlst, holdsByNoble, sealIdentityOf } from '../../outside/agreement.js';
import { hex, unhex } from '../../outside/bytes.js';
import { Action } from '../../outside/ledger-shapes.js';
import {
  envelopeHash,
  openOutside,
  SealedEnvelope,
  SealedHeader,
  sealOutside,
} from '../../outside/sealed.js';
import { decode, encode } from '../../outside/shapes.js';
import { transfer } from '../../outside/wallet.js';

const HEADER = {
  chain_id: 7n,
  sender: unhex('11'.repeat(20)),
  lane: 2,
  nonce: 3n,
  gas_limit: 2_100_000n,
  max_fee: 5n,
  priority_fee: 6n,
  max_seal_fee: 7n,
  opens_at: 40n,
};
const ACTION = transfer(unhex('22'.repeat(20)), 256n);
const RANDOMNESS = { sigma: unhex('33'.repeat(32)), key: unhex('44'.repeat(32)) };
const PRIVATE_KEY = unhex('05'.repeat(32));

test('the header of a sealed transaction encodes to the bytes written out by hand', () => {
  const expected = [
    '0700000000000000',
    '11'.repeat(20),
    '02000000',
    '0300000000000000',
    '200b200000000000',
    '05000000000000000000000000000000',
    '06000000000000000000000000000000',
    '07000000000000000000000000000000',
    '2800000000000000',
  ].join('');
  assert.equal(hex(encode(SealedHeader, HEADER)), expected);
  assert.equal(hex(ledger.SealedHeader.encode(HEADER)), expected);
});

test('both implementations seal to the same bytes and hash, and open envelopes of the other', async () => {
  const bls = await loadBls('auto');
  const groupPublicKey = bls.publicKey(PRIVATE_KEY);
  const identity = sealIdentity(HEADER.chain_id, HEADER.opens_at);
  assert.equal(hex(identity), hex(sealIdentityOf(HEADER.chain_id, HEADER.opens_at)));
  const heightKey = bls.sign(identity, PRIVATE_KEY);
  assert.equal(holdsByNoble(heightKey, identity, groupPublicKey), true);
  assert.notEqual(holdsByBlst(heightKey, identity, groupPublicKey), false);

  const theirs = sealOutside(groupPublicKey, HEADER, ACTION, RANDOMNESS);
  const ours = {
    header: HEADER,
    ...seal({
      groupPublicKey,
      identity,
      header: ledger.SealedHeader.encode(HEADER),
      action: encode(Action, ACTION),
      randomness: unhex(hex(RANDOMNESS.sigma) + hex(RANDOMNESS.key)),
    }),
  };
  const encoded = ledger.SealedEnvelope.encode(ours);
  assert.equal(hex(encoded), hex(encode(SealedEnvelope, theirs)));
  assert.equal(
    hex(sealedEnvelopeHash(encoded, await loadCrypto('auto'))),
    hex(envelopeHash(decode(SealedEnvelope, encoded))),
  );

  assert.deepEqual(openOutside(ours, heightKey), ACTION);
  const opened = sealOpener(heightKey, bls).open(theirs, encode(SealedHeader, theirs.header));
  assert.equal('content' in opened && hex(opened.content), hex(encode(Action, ACTION)));
});
