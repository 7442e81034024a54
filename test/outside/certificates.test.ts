// Certificates and finality proofs, checked with @noble/curves alone and with blst alone, by the layouts of the
// design page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { equal, hex, sha256 } from './bytes.js';
import { type FinalityProof, finalityFault, nobleSign, voteMessage } from './finality.js';
import { CHAIN_ID, certify, EPOCH_LENGTH, GROUP_KEY, makeChain } from './finality-chain.js';
import { type BlockHeader, blockHash } from './ledger-shapes.js';
import { SIGNATURE_CHECKS } from './signature-checks.js';

const chain = makeChain(3);
const last = chain.length - 1;

function proofOf(height: number): FinalityProof {
  const header = chain[height]?.header ?? assert.fail(`no block ${height}`);
  const certified = chain.findIndex(({ certificate }, at) => at >= height && certificate !== undefined);
  const certificate = chain[certified]?.certificate ?? assert.fail(`nothing certifies ${height}`);
  const descendants = chain.slice(height + 1, certified + 1).map((block) => block.header);
  return { header, certificate, descendants };
}

for (const { name, check, skip } of SIGNATURE_CHECKS) {
  describe(`with ${name} alone`, { skip }, () => {
    const fault = (proof: FinalityProof) => finalityFault(proof, GROUP_KEY, check);

    test('every height of three epochs with skipped views is final under the one key', () => {
      let through = 0;
      for (let height = 0; height <= last; height++) {
        const proof = proofOf(height);
        assert.equal(fault(proof), undefined, `block ${height}`);
        if (proof.descendants.length > 0) through++;
      }
      assert.ok(through > last / 2, `${through}`);
      // A proof may lead from any block to any later certificate, across the ends of epochs.
      const header = chain[1]?.header ?? assert.fail();
      const certificate = chain[last]?.certificate ?? assert.fail();
      const descendants = chain.slice(2).map((block) => block.header);
      assert.equal(fault({ header, certificate, descendants }), undefined);
    });

    test('invalid finality proofs are refused', () => {
      const good = proofOf(4);
      const [first = assert.fail(), ...rest] = good.descendants;
      const { certificate, header } = good;
      const forged: BlockHeader = { ...header, state_root: new Uint8Array(32) };
      const wrong: readonly (readonly [string, FinalityProof])[] = [
        ['no headers', { ...good, descendants: [] }],
        ['one too few', { ...good, descendants: good.descendants.slice(0, -1) }],
        ['a gap', { ...good, descendants: rest }],
        ['one twice', { ...good, descendants: [first, first, ...rest] }],
        ['a forged block', { ...good, header: forged }],
        [
          'a certificate in the middle',
          { ...proofOf(2), descendants: proofOf(2).descendants.concat(header) },
        ],
        ['another view', { ...good, certificate: { ...certificate, view: certificate.view + 1n } }],
        ['another parent', { ...good, certificate: { ...certificate, parent_view: 99n } }],
        ['another epoch', { ...good, certificate: { ...certificate, epoch: 2n } }],
        ['no signature', { ...good, certificate: { ...certificate, signature: new Uint8Array(96) } }],
      ];
      for (const [what, proof] of wrong) assert.notEqual(fault(proof), undefined, what);
    });

    test('a notarization is no certificate of finality', () => {
      const good = proofOf(3);
      const { signature: _, group_public_key: __, ...facts } = good.certificate;
      const key = sha256(Buffer.from('a key of four validators')).fill(0, 0, 1);
      const signature = nobleSign(voteMessage('notarize', CHAIN_ID, facts), key);
      assert.equal(fault(good), undefined);
      assert.notEqual(fault({ ...good, certificate: { ...good.certificate, signature } }), undefined);
    });
  });
}

test('a message of 81 bytes is what a certificate signs', () => {
  const header = chain[EPOCH_LENGTH]?.header ?? assert.fail();
  const { block_hash, ...facts } = certify(header, header.view, header.view + 3n);
  const message = voteMessage('finalize', CHAIN_ID, { ...facts, block_hash });
  assert.equal(message.length, 81);
  assert.equal(hex(message.subarray(0, 25)), `${hex(Buffer.from('heddle/finalize/1'))}9210000000000000`);
  assert.ok(equal(message.subarray(49), blockHash(header)));
});
