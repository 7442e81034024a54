import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type LedgerReceipt,
  ledgerManifest,
  type SignedEnvelope,
  type SignedTransaction,
} from '../../../src/generated/ledger.js';
import type { InclusionProof } from '../../../src/generated/node-rpc-v1.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { verifyTransactionIncluded } from '../../../src/proofs/verify.js';
import { arbitraryOf } from '../../support/arbitraries.js';
import { certify, digest, GROUP_PUBLIC_KEY, hashOf, headerWith, plainList, sha256 } from './proved-world.js';
import { refusal, refusesEveryMutation } from './refusals.js';

const [transactions = []] = fc.sample(
  fc.array(arbitraryOf(ledgerManifest, 'SignedTransaction') as fc.Arbitrary<SignedTransaction>, {
    minLength: 9,
    maxLength: 9,
  }),
  { seed: 5, numRuns: 1 },
);
const hashes = transactions.map(({ transaction }) =>
  sha256(Buffer.from('heddle/tx/1'), ledger.Transaction.encode(transaction)),
);
const items = transactions.map((value) => ledger.BlockItem.encode({ type: 'transaction', value }));
const receipts = hashes.map(
  (tx_hash, index): LedgerReceipt => ({
    tx_hash,
    outcome: { type: index % 2 === 0 ? 'success' : 'reverted' },
    gas_used: BigInt(21_000 + index),
    fee: 5n,
    output: Uint8Array.of(index),
    logs: [{ contract: digest(1).slice(0, 20), topics: [digest(2)], data: Uint8Array.of(1) }],
  }),
);
const encodedReceipts = receipts.map((receipt) => ledger.LedgerReceipt.encode(receipt));

/** Answers of tx_receipt for a block of the first `count` transactions. */
function block(count: number) {
  const itemList = plainList(items.slice(0, count));
  const receiptList = plainList(encodedReceipts.slice(0, count));
  const header = headerWith({ transactions_root: itemList.root, receipts_root: receiptList.root });
  const proofOf = (index: number): InclusionProof => ({
    header,
    item: items[index] ?? assert.fail(),
    item_index: index,
    item_path: itemList.path(index),
    item_count: count,
    receipt: encodedReceipts[index] ?? assert.fail(),
    receipt_index: index,
    receipt_path: receiptList.path(index),
    receipt_count: count,
  });
  return { header, proofOf, trust: { headerHash: hashOf(header) } };
}

const answerOf = (proof: InclusionProof): unknown => ({
  proof: JSON.parse(rpcTypes.InclusionProof.toJson(proof)),
});
const hashAt = (index: number) => hashes[index] ?? assert.fail();

test('every transaction of blocks of every size is proved, with its receipt', () => {
  for (let count = 1; count <= 9; count++) {
    const { proofOf, trust, header } = block(count);
    for (let index = 0; index < count; index++) {
      const verified = verifyTransactionIncluded(answerOf(proofOf(index)), hashAt(index), trust);
      assert.deepEqual(verified.receipt, receipts[index]);
      assert.deepEqual(verified.item, items[index]);
      assert.equal(verified.index, index);
      assert.equal(verified.block.header.height, header.height);
    }
  }
});

test('every change of an inclusion proof is refused', () => {
  for (const [count, index] of [
    [1, 0],
    [2, 1],
    [9, 4],
    [9, 8],
  ] as const) {
    const { proofOf, trust } = block(count);
    const tried = refusesEveryMutation(
      answerOf(proofOf(index)),
      (mutated) => verifyTransactionIncluded(mutated, hashAt(index), trust),
      { bitStep: 3 },
    );
    assert.ok(tried > 1_000, `${tried}`);
  }
});

test('the proof of another transaction, and halves of two proofs, are refused', () => {
  const { proofOf, trust } = block(9);
  const codeOf = (proof: InclusionProof, hash: Uint8Array) =>
    refusal('proof', () => verifyTransactionIncluded(answerOf(proof), hash, trust));
  assert.equal(codeOf(proofOf(3), hashAt(4)), 'wrong_subject');
  const [a, b] = [proofOf(3), proofOf(4)];
  const { receipt, receipt_index, receipt_path } = b;
  assert.equal(codeOf({ ...a, receipt, receipt_index, receipt_path }, hashAt(3)), 'not_proved');
  assert.equal(codeOf({ ...a, receipt_index: 4 }, hashAt(3)), 'not_proved');
  const { item, item_index, item_path } = b;
  assert.equal(codeOf({ ...a, item, item_index, item_path }, hashAt(3)), 'not_proved');
  assert.equal(
    refusal('no proof', () => verifyTransactionIncluded({ receipt: {} }, hashAt(3), trust)),
    'not_proved',
  );
});

test('under a key, the block must be certified, directly or as part of a later history', () => {
  const { proofOf, header } = block(9);
  const trust = { groupPublicKey: GROUP_PUBLIC_KEY };
  const answer = answerOf(proofOf(2));
  const verify = (finalized: unknown, history?: unknown) =>
    verifyTransactionIncluded(answer, hashAt(2), trust, { finalized, history });
  assert.equal(
    refusal('no header', () => verifyTransactionIncluded(answer, hashAt(2), trust)),
    'no_certificate',
  );
  const answerWith = (of: typeof header) => ({
    header: JSON.parse(rpcTypes.BlockHeader.toJson(of)),
    certificate: JSON.parse(rpcTypes.FinalityCertificate.toJson(certify(of))),
  });
  assert.equal(verify(answerWith(header)).index, 2);
  assert.equal(
    refusal('another block', () => verify(answerWith(headerWith()))),
    'wrong_header',
  );

  // The range of 13 leaves, this block being number 11: peaks over 8, 4 and 1 leaves.
  const be64 = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(value));
    return bytes;
  };
  const leaf = hashOf(header);
  const [sibling, uncle, first, last] = [digest(31), digest(32), digest(33), digest(34)];
  // Leaves 8 to 11 stand at positions 15, 16, 18 and 19, their parents at 17, 20 and 21.
  const parent = sha256(be64(21), sibling, leaf);
  const second = sha256(be64(22), uncle, parent);
  const root = sha256(be64(23), first, second, last);
  const later = headerWith({ height: 13n, view: 20n, history_root: root });
  const history = {
    leaf_index: 11,
    block_hash: Buffer.from(leaf).toString('hex'),
    path: [sibling, uncle].map((hash) => Buffer.from(hash).toString('hex')),
    peaks: [first, second, last].map((hash) => Buffer.from(hash).toString('hex')),
    size: 23,
    root: Buffer.from(root).toString('hex'),
  };
  const certified = answerWith(later);
  assert.equal(verify(certified, history).index, 2);
  assert.equal(
    refusal('no history', () => verify(certified)),
    'wrong_header',
  );
  const other = { ...history, block_hash: Buffer.from(digest(99)).toString('hex') };
  assert.equal(
    refusal('another block', () => verify(certified, other)),
    'not_proved',
  );
  assert.equal(
    refusal('another height', () => verify(certified, { ...history, leaf_index: 10 })),
    'wrong_subject',
  );
  assert.equal(
    refusal('another size', () => verify(certified, { ...history, size: 22 })),
    'wrong_subject',
  );
});

describe('sealed transactions', () => {
  const [envelopes = []] = fc.sample(
    fc.array(arbitraryOf(ledgerManifest, 'SignedEnvelope') as fc.Arbitrary<SignedEnvelope>, {
      minLength: 2,
      maxLength: 2,
    }),
    { seed: 6, numRuns: 1 },
  );
  const [opened, included] = envelopes.map(({ envelope, signature }, index): SignedEnvelope => {
    const opens_at = index === 0 ? 9n : 14n;
    return { envelope: { ...envelope, header: { ...envelope.header, opens_at } }, signature };
  });
  assert.ok(opened !== undefined && included !== undefined);
  const hashOfEnvelope = ({ envelope }: SignedEnvelope) =>
    sha256(Buffer.from('heddle/sealed/1'), ledger.SealedEnvelope.encode(envelope));
  const keyOf = (height: bigint) =>
    ledger.BlockItem.encode({ type: 'seal_key', value: { height, signature: new Uint8Array(96).fill(7) } });
  const receiptOf = (tx_hash: Uint8Array, output: number) =>
    ledger.LedgerReceipt.encode({
      ...(receipts[0] ?? assert.fail()),
      tx_hash,
      output: Uint8Array.of(output),
    });

  /** A block of height 11 that opens the first envelope and includes the second. */
  function sealedBlock(key = keyOf(9n)) {
    const blockItems = [key, ledger.BlockItem.encode({ type: 'sealed', value: included ?? assert.fail() })];
    blockItems.push(items[0] ?? assert.fail());
    const hashed = [opened, included].map((one) => hashOfEnvelope(one ?? assert.fail()));
    const blockReceipts = hashed.map((hash, index) => receiptOf(hash, 40 + index));
    blockReceipts.push(encodedReceipts[0] ?? assert.fail());
    const [itemList, receiptList] = [plainList(blockItems), plainList(blockReceipts)];
    const header = headerWith({ transactions_root: itemList.root, receipts_root: receiptList.root });
    const proofOf = (index: number, isOpening = false): InclusionProof => ({
      header,
      item: blockItems[index] ?? assert.fail(),
      item_index: index,
      item_path: itemList.path(index),
      item_count: blockItems.length,
      receipt: blockReceipts[index] ?? assert.fail(),
      receipt_index: index,
      receipt_path: receiptList.path(index),
      receipt_count: blockReceipts.length,
      ...(isOpening && opened ? { envelope: ledger.SealedEnvelope.encode(opened.envelope) } : {}),
    });
    return { proofOf, trust: { headerHash: hashOf(header) }, hashed };
  }
  const at = (hashed: readonly Uint8Array[], index: number) => hashed[index] ?? assert.fail();

  test('are proved in the block that includes them and in the one that opens them', () => {
    const { proofOf, trust, hashed } = sealedBlock();
    const verified = [
      verifyTransactionIncluded(answerOf(proofOf(0, true)), at(hashed, 0), trust),
      verifyTransactionIncluded(answerOf(proofOf(1)), at(hashed, 1), trust),
      verifyTransactionIncluded(answerOf(proofOf(2)), hashAt(0), trust),
    ];
    assert.deepEqual(
      verified.map(({ of, index }) => [of, index]),
      [
        ['opening', 0],
        ['inclusion', 1],
        ['transaction', 2],
      ],
    );
  });

  test('are not proved by a key of another height, without the envelope, or with another’s envelope', () => {
    const { proofOf, trust, hashed } = sealedBlock();
    const code = (proof: InclusionProof, hash: Uint8Array, under = trust) =>
      refusal('proof', () => verifyTransactionIncluded(answerOf(proof), hash, under));
    const opening = proofOf(0, true);
    const { envelope = assert.fail(), ...bare } = opening;
    assert.equal(code(bare, at(hashed, 0)), 'not_proved');
    const others = ledger.SealedEnvelope.encode((included ?? assert.fail()).envelope);
    assert.equal(code({ ...bare, envelope: others }, at(hashed, 0)), 'not_proved');
    // An envelope's inclusion presented as its opening, first with the block's key, then with the key of its own
    // height.
    const { receipt, receipt_index, receipt_path } = proofOf(1);
    const passedOff = { ...bare, receipt, receipt_index, receipt_path, envelope: others };
    assert.equal(code(passedOff, at(hashed, 1)), 'not_proved');
    assert.equal(code({ ...proofOf(1), envelope: others }, at(hashed, 1)), 'not_proved');
    const later = sealedBlock(keyOf(14n));
    const { item, item_path } = later.proofOf(0);
    const early = { ...passedOff, ...later.proofOf(1), envelope: others };
    assert.equal(
      code({ ...early, item, item_index: 0, item_path }, at(hashed, 1), later.trust),
      'not_proved',
    );
    assert.equal(code({ ...later.proofOf(0, true), envelope }, at(hashed, 0), later.trust), 'not_proved');
  });

  test('have proofs that refuse every change', () => {
    const { proofOf, trust, hashed } = sealedBlock();
    for (const [index, isOpening] of [
      [0, true],
      [1, false],
    ] as const) {
      const tried = refusesEveryMutation(
        answerOf(proofOf(index, isOpening)),
        (mutated) => verifyTransactionIncluded(mutated, at(hashed, index), trust),
        { bitStep: 5 },
      );
      assert.ok(tried > 500, `${tried}`);
    }
  });
});
