import { concatBytes } from '../../base/concat-bytes.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { LedgerReceipt } from '../../generated/ledger.js';
import type { InclusionProof } from '../../generated/node-rpc-v1.js';
import { readBorshLedgerReceipt, readJsonInclusionProof } from '../../generated/verify-codecs.js';
import { toHex } from '../../idl/hex.js';
import { verifyListPath } from '../list-root.js';
import { expectHash, readVerifiedHeader, type VerifiedBlock } from './certificate.js';
import { Answer, decodeBorsh, reading } from './decoding.js';
import { headerHash, portableHashes } from './header-hash.js';
import { type Bytes, bytesOf, type TrustAnchor, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';
import { verifyBlockInHistory } from './verify-history.js';

/** Subject of a receipt: a transaction, or the inclusion (which reveals no content) or opening of an envelope. */
export type ProvedSubject = 'transaction' | 'inclusion' | 'opening';

/** A transaction that is in the chain, and its result. */
export interface VerifiedTransaction {
  readonly block: VerifiedBlock;
  readonly of: ProvedSubject;
  /** Index of its receipt in the block, from 0. */
  readonly index: number;
  /** borsh(BlockItem): the signed transaction or envelope; for an opening, the key that opened it. */
  readonly item: Uint8Array;
  readonly receipt: LedgerReceipt;
}

/** Answers that tie the transaction's block to the trust anchor; not needed if the anchor is that block's hash. */
export interface FinalityAnswers {
  /** An answer with a certified header, such as finalized_history_root's, of the same block or a later one. */
  readonly finalized?: unknown;
  /** For a later block: finalized_history_proof's answer for the transaction's height at the size of its history. */
  readonly history?: unknown;
}

/**
 * Verifies an answer of tx_receipt that was requested `with_proof`.
 * 1. Item and receipt are under the roots of the header.
 * 2. For a transaction or the inclusion of an envelope, the item is that transaction or envelope, and the receipt
 *    belongs to it. A block has at most one receipt of a transaction: an envelope is included below the height that
 *    it opens at, and opened above it.
 * 3. For an opening, the answer includes the envelope, which is the transaction. The receipt belongs to its opening,
 *    the item is the key of the height that it opens at, and the block is above that height.
 * 4. The header is the trusted one, the certified one, or one in the history of the certified one.
 * @param answer the method's result, as parsed by JSON.parse
 * @param txHash 32 bytes
 * @throws VerifyError naming the failed check
 */
export function verifyTransactionIncluded(
  answer: unknown,
  txHash: Bytes,
  trust: TrustAnchor,
  finality: FinalityAnswers = {},
): VerifiedTransaction {
  const hash = bytesOf(txHash, 32, 'transaction hash');
  return reading(() => {
    const r = new Answer(answer, 'TxReceiptResult', 'answer');
    if (!r.has('proof')) {
      throw new VerifyError(
        'not_proved',
        `transaction ${toHex(hash)}: the answer has no proof: the transaction is not in a block, or with_proof was not requested`,
      );
    }
    const proof = r.read('proof', readJsonInclusionProof);
    const block = { header: proof.header, hash: headerHash(proof.header) };
    verifyPlaces(proof);
    const receipt = decodeBorsh(proof.receipt, readBorshLedgerReceipt, 'LedgerReceipt');
    const of = subjectOf(proof, hash);
    const isReceiptOf = sameBytes(receipt.tx_hash, hash);
    if (of === undefined && !isReceiptOf) {
      throw new VerifyError(
        'wrong_subject',
        `inclusion proof: expected transaction ${toHex(hash)}, got the receipt of ${toHex(receipt.tx_hash)}`,
      );
    }
    if (of === undefined || !isReceiptOf) {
      throw new VerifyError(
        'not_proved',
        `inclusion proof: item ${proof.item_index} and receipt ${proof.receipt_index} are not both of transaction ${toHex(hash)}`,
      );
    }
    verifyFinality(block, trust, finality);
    return { block, of, index: proof.receipt_index, item: proof.item, receipt };
  });
}

function verifyPlaces(proof: InclusionProof): void {
  const { header, item, item_path, item_index, item_count } = proof;
  const { receipt, receipt_path, receipt_index, receipt_count } = proof;
  const isListed = (
    root: Uint8Array,
    bytes: Uint8Array,
    path: readonly Uint8Array[],
    index: number,
    length: number,
  ) => verifyListPath(portableHashes, { root, leaf: portableHashes.sha256(bytes), path, index, length });
  const places = {
    transactions_root: isListed(header.transactions_root, item, item_path, item_index, item_count),
    receipts_root: isListed(header.receipts_root, receipt, receipt_path, receipt_index, receipt_count),
  };
  for (const [name, isProved] of Object.entries(places)) {
    if (isProved) continue;
    throw new VerifyError('not_proved', `inclusion proof: it does not lead to the ${name} of the header`);
  }
}

function verifyFinality(
  block: VerifiedBlock,
  trust: TrustAnchor,
  { finalized, history }: FinalityAnswers,
): void {
  const root = trustRoot(trust);
  if (finalized === undefined) {
    if (root.kind === 'key') {
      throw new VerifyError(
        'no_certificate',
        `block ${block.header.height}: the trust anchor is a key, but no certified header was given to show that the block is final`,
      );
    }
    expectHash(block, root.hash, 'the trusted block');
    return;
  }
  const anchor = readVerifiedHeader(new Answer(finalized, 'an answer with a header', 'finalized'), root);
  if (anchor.header.height <= block.header.height || history === undefined) {
    expectHash(block, anchor.hash, 'the certified block');
  } else {
    const expected = verifyBlockInHistory(history, block.header.height, anchor);
    expectHash(block, expected, `the block in the history of block ${anchor.header.height}`);
  }
}

const TX_DOMAIN = new TextEncoder().encode('heddle/tx/1');
const SEALED_DOMAIN = new TextEncoder().encode('heddle/sealed/1');
/** Encoded lengths of the two signature types: a tag, a key, 64 bytes. */
const SIGNATURE_LENGTHS = [1 + 32 + 64, 1 + 33 + 64];

/** The variants of BlockItem. */
const TRANSACTION = 0;
const SEALED = 1;
const SEAL_KEY = 2;

/** Offset of `opens_at` in borsh(SealedEnvelope): after chain_id, sender, lane, nonce, gas_limit and three fees. */
const OPENS_AT = 8 + 20 + 4 + 8 + 8 + 16 + 16 + 16;

/** The subject that a proof's item shows; undefined if the item is not about the transaction with this hash. */
function subjectOf(
  { header, item, envelope }: InclusionProof,
  txHash: Uint8Array,
): ProvedSubject | undefined {
  if (envelope !== undefined)
    return isOpeningOf(header.height, item, envelope, txHash) ? 'opening' : undefined;
  if (item[0] === TRANSACTION) return isSignedBody(item, TX_DOMAIN, txHash) ? 'transaction' : undefined;
  if (item[0] === SEALED) return isSignedBody(item, SEALED_DOMAIN, txHash) ? 'inclusion' : undefined;
  return undefined;
}

/**
 * True if borsh(BlockItem) is a signed body with this hash: a tag, a body, and a signature of one of two lengths. The
 * body has no length prefix, so both lengths are tried and the hash decides.
 */
function isSignedBody(item: Uint8Array, domain: Uint8Array, hash: Uint8Array): boolean {
  return SIGNATURE_LENGTHS.some((length, tag) => {
    const end = item.length - length;
    return end >= 1 && item[end] === tag && hashes(domain, item.subarray(1, end), hash);
  });
}

/** True if the item is the key of the height that the envelope opens at and the block is above that height. */
function isOpeningOf(height: bigint, item: Uint8Array, envelope: Uint8Array, hash: Uint8Array): boolean {
  if (item[0] !== SEAL_KEY || item.length !== 1 + 8 + 96 || envelope.length < OPENS_AT + 8) return false;
  if (!hashes(SEALED_DOMAIN, envelope, hash)) return false;
  const opensAt = u64At(envelope, OPENS_AT);
  return opensAt === u64At(item, 1) && opensAt < height;
}

function u64At(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(offset, true);
}

function hashes(domain: Uint8Array, body: Uint8Array, expected: Uint8Array): boolean {
  return sameBytes(portableHashes.sha256(concatBytes([domain, body])), expected);
}
