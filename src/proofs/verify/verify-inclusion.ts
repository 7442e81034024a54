import type { LedgerReceipt } from '../../generated/ledger.js';
import type { InclusionProof } from '../../generated/node-rpc-v1.js';
import { readBorshLedgerReceipt, readJsonInclusionProof } from '../../generated/verify-codecs.js';
import { toHex } from '../../idl/hex.js';
import { verifyListPath } from '../list-root.js';
import { sameBytes } from '../same-bytes.js';
import { expectHash, readVerifiedHeader, type VerifiedBlock } from './certificate.js';
import { Answer, decodeBorsh, reading } from './decoding.js';
import { headerHash } from './header-hash.js';
import { portableHashes } from './portable-hashes.js';
import { type Bytes, bytesOf, type TrustAnchor, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';
import { verifyBlockInHistory } from './verify-history.js';

/** A transaction that is in the chain, and what came of it. */
export interface VerifiedTransaction {
  readonly block: VerifiedBlock;
  /** Its place among the block's transactions, from 0. */
  readonly index: number;
  /** borsh(BlockItem): the signed transaction. */
  readonly item: Uint8Array;
  readonly receipt: LedgerReceipt;
}

/** Answers that tie the block of a transaction to the trust anchor; not needed where that is the block's own hash. */
export interface FinalityAnswers {
  /** An answer with a certified header, such as finalized_history_root's, of the same block or a later one. */
  readonly finalized?: unknown;
  /** For a later one: the answer of finalized_history_proof for the transaction's height at the size of its history. */
  readonly history?: unknown;
}

/**
 * Checks an answer of tx_receipt that was asked for `with_proof`.
 * 1. Item and receipt are at the same place of lists of the same length, under the roots of the header.
 * 2. The item is the transaction, the receipt is of it.
 * 3. The header is the trusted one, or the certified one, or one in the history of the certified one.
 * @param answer the method's result, as JSON.parse made it
 * @param txHash 32 bytes
 * @throws VerifyError saying which check failed
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
        `transaction ${toHex(hash)}: the answer brings no proof: it is in no block, or was not asked for with_proof`,
      );
    }
    const proof = r.read('proof', readJsonInclusionProof);
    const block = { header: proof.header, hash: headerHash(proof.header) };
    verifyPlaces(proof);
    const receipt = decodeBorsh(proof.receipt, readBorshLedgerReceipt, 'LedgerReceipt');
    if (!sameBytes(receipt.tx_hash, hash) || !isItemOf(proof.item, hash)) {
      throw new VerifyError(
        'wrong_subject',
        `inclusion proof: expected transaction ${toHex(hash)}, got the receipt of ${toHex(receipt.tx_hash)}`,
      );
    }
    verifyFinality(block, trust, finality);
    return { block, index: proof.item_index, item: proof.item, receipt };
  });
}

function verifyPlaces(proof: InclusionProof): void {
  const { header, item, item_index, item_count, receipt } = proof;
  if (item_index !== proof.receipt_index || item_count !== proof.receipt_count) {
    throw new VerifyError(
      'not_proved',
      `inclusion proof: item ${item_index} of ${item_count} and receipt ${proof.receipt_index} of ${proof.receipt_count} are not of one transaction`,
    );
  }
  const lists = [
    { name: 'transactions_root', root: header.transactions_root, bytes: item, path: proof.item_path },
    { name: 'receipts_root', root: header.receipts_root, bytes: receipt, path: proof.receipt_path },
  ];
  for (const { name, root, bytes, path } of lists) {
    const place = { root, length: item_count, index: item_index, leaf: portableHashes.sha256(bytes), path };
    if (verifyListPath(portableHashes, place)) continue;
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
        `block ${block.header.height}: a key is trusted, but no certified header was given that shows that the block is final`,
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
/** The encoded lengths of the two kinds of signature: a tag, a key, 64 bytes. */
const SIGNATURE_LENGTHS = [1 + 32 + 64, 1 + 33 + 64];

/**
 * Whether borsh(BlockItem) is the transaction with this hash: a tag, borsh(Transaction), a signature of one of two lengths.
 * The hash decides which: nothing but the transaction's own encoding has it.
 */
function isItemOf(item: Uint8Array, txHash: Uint8Array): boolean {
  if (item[0] !== 0) return false;
  return SIGNATURE_LENGTHS.some((length, tag) => {
    const end = item.length - length;
    if (end < 1 || item[end] !== tag) return false;
    const preimage = new Uint8Array(TX_DOMAIN.length + end - 1);
    preimage.set(TX_DOMAIN);
    preimage.set(item.subarray(1, end), TX_DOMAIN.length);
    return sameBytes(portableHashes.sha256(preimage), txHash);
  });
}
