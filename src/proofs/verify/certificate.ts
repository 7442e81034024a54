import { nobleBls } from '../../../native-free/crypto/bls.js';
import { sameBytes } from '../../base/same-bytes.js';
import { strictBls } from '../../crypto/strict-bls.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { readJsonBlockHeader, readJsonFinalityCertificate } from '../../generated/verify-codecs.js';
import type { JsonReader } from '../../idl/codecs/json-reader.js';
import { toHex } from '../../idl/hex.js';
import { finalizeMessage } from './certificate-message.js';
import { Answer, reading } from './decoding.js';
import { certifiedDescendant, type FinalityOf, isCertificateOf, MAX_DESCENDANTS } from './descendants.js';
import { headerHash } from './header-hash.js';
import { type TrustAnchor, type TrustRoot, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';

/** A block verified against the trust anchor. */
export interface VerifiedBlock {
  readonly header: BlockHeader;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/**
 * Verifies a block's certificate.
 * 1. The certificate's key is the trusted one, which stays the same over all epochs.
 * 2. The epoch and block hash are the header's. The view is the header's, or a later one in which the last block of
 *    an epoch was proposed again.
 * 3. The signature over {@link finalizeMessage} is valid.
 * @param hash hash of the header, 32 bytes
 * @param groupPublicKey the trusted key, 48 bytes
 * @throws VerifyError `wrong_key`, `wrong_certificate`, `bad_signature`
 */
export function verifyCertificate(
  certificate: FinalityCertificate,
  { header, hash }: VerifiedBlock,
  groupPublicKey: Uint8Array,
): void {
  const { epoch, view, parent_view: parentView, block_hash, signature } = certificate;
  if (!sameBytes(certificate.group_public_key, groupPublicKey)) {
    throw new VerifyError(
      'wrong_key',
      `certificate: expected one under the trusted key ${toHex(groupPublicKey)}, got one under ${toHex(certificate.group_public_key)}`,
    );
  }
  if (!isCertificateOf(certificate, { header, hash })) {
    throw new VerifyError(
      'wrong_certificate',
      `certificate: expected one of block ${toHex(hash)} (epoch ${header.epoch}, view ${header.view}), got one of ${toHex(block_hash)} (epoch ${epoch}, view ${view})`,
    );
  }
  const message = finalizeMessage({ chainId: header.chain_id, epoch, view, parentView, hash });
  if (!strictBls(nobleBls()).verify(signature, message, groupPublicKey)) {
    throw new VerifyError('bad_signature', `certificate of block ${toHex(hash)}: the signature is invalid`);
  }
}

/**
 * Verifies that a block is final, by its certificate or that of a descendant.
 * 1. The first of `descendants` is a child of the block, and each later one is a child of the previous one; at most
 *    {@link MAX_DESCENDANTS} are allowed.
 * 2. The certificate is valid for the last descendant, or for the block if there are none.
 * @param block the block, with the hash of its header (32 bytes)
 * @param groupPublicKey the trusted key, 48 bytes
 * @throws VerifyError `wrong_descendant`, or as {@link verifyCertificate}
 */
export function verifyFinality(
  { certificate, descendants }: FinalityOf,
  block: VerifiedBlock,
  groupPublicKey: Uint8Array,
): void {
  const certified = certifiedDescendant(block, descendants, headerHash);
  if (certified === undefined) {
    throw new VerifyError(
      'wrong_descendant',
      `block ${block.header.height}: its ${descendants.length} descendant headers do not form a chain from it`,
    );
  }
  verifyCertificate(certificate, certified, groupPublicKey);
}

/**
 * Verifies the header of an answer with `header` and, optionally, `certificate` and `descendants`: answers of
 * finality_proof, light_client_context, state_proof, finalized_history_root and get_light_snapshot.
 * @param answer the method's result, as parsed by JSON.parse
 * @throws VerifyError `malformed`, `wrong_chain`, `no_certificate`, `wrong_header`, or as {@link verifyFinality}
 */
export function verifyHeader(answer: unknown, trust: TrustAnchor): VerifiedBlock {
  const root = trustRoot(trust);
  return reading(() => readVerifiedHeader(new Answer(answer, 'an answer with a header', 'answer'), root));
}

/** Like {@link verifyHeader}, for an {@link Answer}. */
export function readVerifiedHeader(answer: Answer, root: TrustRoot): VerifiedBlock {
  const header = answer.read('header', readJsonBlockHeader);
  const block = { header, hash: headerHash(header) };
  if (root.kind === 'header') {
    expectHash(block, root.hash, 'the trusted block');
    return block;
  }
  if (root.chainId !== undefined && header.chain_id !== root.chainId) {
    throw new VerifyError(
      'wrong_chain',
      `header: expected one of chain ${root.chainId}, got one of chain ${header.chain_id}`,
    );
  }
  if (!answer.has('certificate')) {
    throw new VerifyError(
      'no_certificate',
      `block ${header.height}: the answer has no certificate, so nothing shows that the block is final`,
    );
  }
  const certificate = answer.read('certificate', readJsonFinalityCertificate);
  const descendants = answer.has('descendants') ? answer.read('descendants', readHeaders) : [];
  verifyFinality({ certificate, descendants }, block, root.groupPublicKey);
  return block;
}

function readHeaders(reader: JsonReader, value: unknown, path: string): BlockHeader[] {
  reader.list(value, MAX_DESCENDANTS, path);
  return value.map((header, index) => readJsonBlockHeader(reader, header, `${path}[${index}]`));
}

/** @throws VerifyError `wrong_header` */
export function expectHash({ header, hash }: VerifiedBlock, expected: Uint8Array, what: string): void {
  if (sameBytes(hash, expected)) return;
  throw new VerifyError(
    'wrong_header',
    `header of height ${header.height}: expected ${what}, ${toHex(expected)}, got ${toHex(hash)}`,
  );
}
