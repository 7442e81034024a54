// Finality through a later block's certificate: every height of a chain of three epochs with skipped views, and
// forged proofs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockHeader } from '../../../src/generated/ledger.js';
import type { FinalityCertificate } from '../../../src/generated/node-rpc-v1.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { MAX_DESCENDANTS, verifyFinality, verifyHeader } from '../../../src/proofs/verify.js';
import { FinalityProof, finalityFault } from '../../outside/finality.js';
import { GROUP_KEY, makeChain } from '../../outside/finality-chain.js';
import { hex } from '../../support/hex.js';
import { EPOCH_LENGTH, epochsWorld, finalityAt } from './epochs-world.js';
import { CHAIN_ID, certify, digest, GROUP_PUBLIC_KEY, hashOf, headerWith } from './proved-world.js';
import { refusal, refusesEveryMutation } from './refusals.js';

const trust = { groupPublicKey: hex(GROUP_PUBLIC_KEY), chainId: CHAIN_ID };
const world = epochsWorld();
const { headers, certificates } = world;
const headerAt = (height: number): BlockHeader => headers[height] ?? assert.fail(`no header ${height}`);
const certificateAt = (height: number): FinalityCertificate =>
  certificates.get(height) ?? assert.fail(`no certificate ${height}`);
/** A block of epoch 1 that became final with the second block after it. */
const HEIGHT = 8;
assert.equal(finalityAt(world, HEIGHT).descendants.length, 2);

function answerOf(
  header: BlockHeader,
  { certificate, descendants }: { certificate: FinalityCertificate; descendants: readonly BlockHeader[] },
): Record<string, unknown> {
  return JSON.parse(rpcTypes.FinalityProofResult.toJson({ header, certificate, descendants }));
}

/** The error code with which an answer about a block is refused. */
function codeOf(
  change: { certificate?: FinalityCertificate; descendants?: readonly BlockHeader[] },
  header = headerAt(HEIGHT),
): string {
  const answer = answerOf(header, { ...finalityAt(world, HEIGHT), ...change });
  return refusal('finality', () => verifyHeader(answer, trust));
}

/** A header that is a child of `parent`. */
const childOf = (parent: BlockHeader, parts: Partial<BlockHeader> = {}): BlockHeader =>
  headerWith({ ...parent, height: parent.height + 1n, parent_hash: hashOf(parent), ...parts });

test('every block of three epochs with skipped views is final under one key', () => {
  let through = 0;
  for (const header of headers) {
    const finality = finalityAt(world, Number(header.height));
    through += finality.descendants.length === 0 ? 0 : 1;
    const block = verifyHeader(answerOf(header, finality), trust);
    assert.deepEqual(block, { header, hash: hashOf(header) });
  }
  assert.ok(through > EPOCH_LENGTH, `${through}`);
});

test('proofs made independently from the design are believed, and ours are believed there', () => {
  const chain = makeChain(3);
  for (const { header } of chain) {
    const height = Number(header.height);
    const certified = chain.findIndex(({ certificate }, at) => at >= height && certificate !== undefined);
    const certificate = chain[certified]?.certificate ?? assert.fail();
    const descendants = chain.slice(height + 1, certified + 1).map((block) => block.header);
    const answer = FinalityProof.toJson({ header, certificate, descendants });
    assert.equal(verifyHeader(answer, { groupPublicKey: GROUP_KEY }).header.height, header.height);
    const own = headers[height];
    if (own === undefined) continue;
    const proof = FinalityProof.fromJson(answerOf(own, finalityAt(world, height)), 'proof');
    assert.equal(finalityFault(proof, GROUP_PUBLIC_KEY), undefined);
  }
});

test('certificates from the next epoch and from the end of the chain are equally valid', () => {
  for (const [height, certified] of [
    [EPOCH_LENGTH - 1, EPOCH_LENGTH + 3],
    [0, headers.length - 1],
  ] as const) {
    const descendants = headers.slice(height + 1, certified + 1);
    const answer = answerOf(headerAt(height), { certificate: certificateAt(certified), descendants });
    assert.equal(verifyHeader(answer, trust).header.height, BigInt(height));
  }
});

test('headers that are missing, superfluous or in another order are refused', () => {
  const { descendants } = finalityAt(world, HEIGHT);
  const [first = assert.fail(), second = assert.fail()] = descendants;
  // The certificate then belongs to a header in the middle, or to a missing one.
  assert.equal(codeOf({ descendants: [] }), 'wrong_certificate');
  assert.equal(codeOf({ descendants: [first] }), 'wrong_certificate');
  assert.equal(codeOf({ descendants: [first, second, headerAt(HEIGHT + 3)] }), 'wrong_certificate');
  assert.equal(codeOf({ descendants: [second] }), 'wrong_descendant');
  assert.equal(codeOf({ descendants: [second, first] }), 'wrong_descendant');
  assert.equal(codeOf({ descendants: [first, first, second] }), 'wrong_descendant');
  assert.equal(codeOf({ descendants: [headerAt(HEIGHT), first, second] }), 'wrong_descendant');
  const { descendants: _, ...bare } = answerOf(headerAt(HEIGHT), finalityAt(world, HEIGHT));
  assert.equal(
    refusal('bare', () => verifyHeader(bare, trust)),
    'wrong_certificate',
  );
});

test('a forged block before, among or after certified ones is refused', () => {
  const { certificate, descendants } = finalityAt(world, HEIGHT);
  const [first = assert.fail(), second = assert.fail()] = descendants;
  const forged = { ...headerAt(HEIGHT), state_root: digest(99) };
  assert.equal(codeOf({}, forged), 'wrong_descendant');
  const child = childOf(forged, { view: first.view });
  assert.equal(codeOf({ descendants: [child, second] }, forged), 'wrong_descendant');
  // Linked without a gap, but not to the certified block.
  const grandchild = { ...second, parent_hash: hashOf(child) };
  assert.equal(codeOf({ descendants: [child, grandchild] }, forged), 'wrong_certificate');
  const renamed = { ...certificate, block_hash: hashOf(grandchild) };
  assert.equal(codeOf({ descendants: [child, grandchild], certificate: renamed }, forged), 'bad_signature');
});

test('descendants of another chain, or with a gap in their heights, are refused', () => {
  const parent = headerAt(HEIGHT);
  for (const wrong of [childOf(parent, { chain_id: 1n }), childOf(parent, { height: parent.height + 2n })]) {
    // Signed with the real key, as validators never would.
    assert.equal(codeOf({ descendants: [wrong], certificate: certify(wrong) }), 'wrong_descendant');
  }
});

test('a certificate of another kind, view, parent, epoch or key is refused', () => {
  const [first = assert.fail(), last = assert.fail()] = finalityAt(world, HEIGHT).descendants;
  const parentView = first.view;
  const good = certify(last, { parentView });
  for (const kind of ['notarize', 'nullify']) {
    assert.equal(codeOf({ certificate: certify(last, { parentView, kind }) }), 'bad_signature');
  }
  assert.equal(codeOf({ certificate: { ...good, view: good.view + 1n } }), 'bad_signature');
  assert.equal(codeOf({ certificate: { ...good, parent_view: parentView + 1n } }), 'bad_signature');
  // A view before the block's own.
  assert.equal(
    codeOf({ certificate: certify(last, { parentView, view: last.view - 1n }) }),
    'wrong_certificate',
  );
  const elsewhere = { ...last, epoch: last.epoch + 1n };
  const ofOther = { ...certify(elsewhere, { parentView }), block_hash: hashOf(last) };
  assert.equal(codeOf({ certificate: ofOther }), 'wrong_certificate');
  assert.equal(codeOf({ certificate: { ...ofOther, epoch: last.epoch } }), 'bad_signature');
  const key = new Uint8Array(32).fill(8);
  assert.equal(codeOf({ certificate: certify(last, { parentView, key }) }), 'wrong_key');
  const asTrusted = { ...certify(last, { parentView, key }), group_public_key: GROUP_PUBLIC_KEY };
  assert.equal(codeOf({ certificate: asTrusted }), 'bad_signature');
});

test('a certificate in a later view than the header’s is valid: the last block of an epoch was proposed again', () => {
  const last = headerAt(EPOCH_LENGTH);
  const certificate = certificateAt(EPOCH_LENGTH);
  assert.equal(certificate.view, last.view + 2n);
  assert.equal(verifyHeader(answerOf(last, { certificate, descendants: [] }), trust).header.height, 7n);
});

test('more headers than ever needed are refused before any is read', () => {
  const answer = answerOf(headerAt(HEIGHT), finalityAt(world, HEIGHT));
  const descendants = new Array<unknown>(MAX_DESCENDANTS + 1).fill({});
  assert.equal(
    refusal('too many', () => verifyHeader({ ...answer, descendants }, trust)),
    'malformed',
  );
  const block = { header: headerAt(HEIGHT), hash: hashOf(headerAt(HEIGHT)) };
  const many = new Array<BlockHeader>(MAX_DESCENDANTS + 1).fill(headerAt(HEIGHT + 1));
  const finality = { certificate: certificateAt(HEIGHT + 2), descendants: many };
  assert.equal(
    refusal('too many', () => verifyFinality(finality, block, GROUP_PUBLIC_KEY)),
    'wrong_descendant',
  );
});

test('anything but a list of headers is refused', () => {
  const answer = answerOf(headerAt(HEIGHT), finalityAt(world, HEIGHT));
  for (const descendants of ['', {}, 1, true, [null], [{}], [[]], [1], [answer]]) {
    assert.equal(
      refusal(JSON.stringify(descendants), () => verifyHeader({ ...answer, descendants }, trust)),
      'malformed',
    );
  }
});

test('any change of an intermediate header is refused', () => {
  const answer = answerOf(headerAt(HEIGHT), finalityAt(world, HEIGHT));
  const { certificate, ...rest } = answer;
  const tried = refusesEveryMutation(
    rest,
    (mutated) => verifyHeader({ ...(mutated as object), certificate }, trust),
    { bitStep: 3 },
  );
  assert.ok(tried > 1_500, `${tried}`);
});
