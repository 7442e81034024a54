import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { BlockHeader } from '../../../src/generated/ledger.js';
import type { FinalityCertificate } from '../../../src/generated/node-rpc-v1.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { verifyHeader } from '../../../src/proofs/verify.js';
import { hex } from '../../support/hex.js';
import { CHAIN_ID, certify, GROUP_PUBLIC_KEY, hashOf, headerWith } from './proved-world.js';
import { refusal, refusesEveryMutation } from './refusals.js';

const trust = { groupPublicKey: hex(GROUP_PUBLIC_KEY), chainId: CHAIN_ID };

function answerOf(
  header: BlockHeader,
  certificate?: FinalityCertificate,
): { header: unknown; certificate?: unknown } {
  return {
    header: JSON.parse(rpcTypes.BlockHeader.toJson(header)),
    ...(certificate === undefined
      ? {}
      : { certificate: JSON.parse(rpcTypes.FinalityCertificate.toJson(certificate)) }),
  };
}

const header = headerWith();
const answer = answerOf(header, certify(header));

test('a certified header is believed under the key, in every key format', () => {
  for (const groupPublicKey of [GROUP_PUBLIC_KEY, hex(GROUP_PUBLIC_KEY), `0x${hex(GROUP_PUBLIC_KEY)}`]) {
    const block = verifyHeader(answer, { groupPublicKey });
    assert.deepEqual(block.header, header);
    assert.equal(hex(block.hash), hex(hashOf(header)));
  }
});

test('a header with the trusted hash needs no certificate, and any other header is refused', () => {
  const headerHash = hex(hashOf(header));
  assert.deepEqual(verifyHeader(answerOf(header), { headerHash }).header, header);
  const tried = refusesEveryMutation(answerOf(header), (mutated) => verifyHeader(mutated, { headerHash }));
  assert.ok(tried > 1_500, `${tried}`);
});

test('the genesis file supplies key and chain', async () => {
  const genesis = { ...devGenesis(await loadCrypto('off')) };
  const set = { ...genesis.validator_set, group_public_key: GROUP_PUBLIC_KEY };
  const file = JSON.parse(ledger.Genesis.toJson({ ...genesis, validator_set: set }));
  assert.deepEqual(verifyHeader(answer, { genesis: file }).header, header);
  const elsewhere = { ...file, chain_id: 1 };
  assert.equal(
    refusal('another chain', () => verifyHeader(answer, { genesis: elsewhere })),
    'wrong_chain',
  );
  assert.equal(
    refusal('no genesis', () => verifyHeader(answer, { genesis: {} })),
    'malformed',
  );
});

test('every refusal names the failed check', () => {
  const other = headerWith({ height: 12n });
  const codeOf = (given: unknown) => refusal('header', () => verifyHeader(given, trust));
  assert.equal(codeOf(answerOf(header)), 'no_certificate');
  assert.equal(codeOf(answerOf(header, certify(header, { key: new Uint8Array(32).fill(8) }))), 'wrong_key');
  assert.equal(codeOf(answerOf(header, certify(other))), 'wrong_certificate');
  assert.equal(codeOf(answerOf(header, certify(header, { kind: 'notarize' }))), 'bad_signature');
  assert.equal(codeOf(answerOf(header, { ...certify(header), parent_view: 11n })), 'bad_signature');
  assert.equal(codeOf(answerOf(header, { ...certify(header), view: 12n })), 'wrong_certificate');
  // A certificate of the last block of an epoch may have a later view; the signed message is the same.
  assert.equal(codeOf(answerOf(header, { ...certify(header), view: 14n })), 'bad_signature');
  assert.equal(
    codeOf(answerOf(headerWith({ chain_id: 1n }), certify(headerWith({ chain_id: 1n })))),
    'wrong_chain',
  );
  assert.equal(codeOf({}), 'malformed');
  assert.equal(codeOf(null), 'malformed');
  assert.equal(codeOf('0x'), 'malformed');
  // The trusted key written into a certificate that another key signed.
  const forged = certify(header, { key: new Uint8Array(32).fill(8) });
  assert.equal(codeOf(answerOf(header, { ...forged, group_public_key: GROUP_PUBLIC_KEY })), 'bad_signature');
  for (const groupPublicKey of ['', '0x12', 'nonsense', new Uint8Array(47)]) {
    assert.equal(
      refusal('key', () => verifyHeader(answer, { groupPublicKey })),
      'malformed',
    );
  }
});

test('a header or certificate with any change is refused', () => {
  const verify = (mutated: unknown) => verifyHeader(mutated, trust);
  // Errors found before the signature check cost little; a signature takes 3 to 14 ms.
  const tried = refusesEveryMutation({ ...answer, certificate: certificateWithoutSignature() }, (mutated) =>
    verify(withSignature(mutated)),
  );
  assert.ok(tried > 1_500, `${tried}`);
  const signature = refusesEveryMutation(
    { signature: hexOf('signature') },
    (mutated) =>
      verify({ ...answer, certificate: { ...certificateWithoutSignature(), ...(mutated as object) } }),
    { bitStep: 7 },
  );
  assert.ok(signature > 100, `${signature}`);
});

function hexOf(member: 'signature'): unknown {
  return (answer.certificate as Record<string, unknown>)[member];
}

function certificateWithoutSignature(): Record<string, unknown> {
  const { signature: _, ...rest } = answer.certificate as Record<string, unknown>;
  return rest;
}

function withSignature(mutated: unknown): unknown {
  const { certificate, ...rest } = mutated as { certificate?: object };
  return certificate === undefined
    ? rest
    : { ...rest, certificate: { ...certificate, signature: hexOf('signature') } };
}
