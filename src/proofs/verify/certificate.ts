import { nobleBls } from '../../../native-free/crypto/bls.js';
import { StrictBls } from '../../crypto/strict-bls.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { readJsonBlockHeader, readJsonFinalityCertificate } from '../../generated/verify-codecs.js';
import { toHex } from '../../idl/hex.js';
import { sameBytes } from '../same-bytes.js';
import { finalizeMessage } from './certificate-message.js';
import { Answer, reading } from './decoding.js';
import { headerHash } from './header-hash.js';
import { type TrustAnchor, type TrustRoot, trustRoot } from './trust-anchor.js';
import { VerifyError } from './verify-error.js';

/** A block that follows from the trust anchor. */
export interface VerifiedBlock {
  readonly header: BlockHeader;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/**
 * Checks a certificate of finality.
 * 1. Its key is the trusted one.
 * 2. Epoch, view and block hash are the header's.
 * 3. Its signature over {@link finalizeMessage} is good.
 * @param hash the header's, 32 bytes
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
  if (!sameBytes(block_hash, hash) || epoch !== header.epoch || view !== header.view) {
    throw new VerifyError(
      'wrong_certificate',
      `certificate: expected one of block ${toHex(hash)} (epoch ${header.epoch}, view ${header.view}), got one of ${toHex(block_hash)} (epoch ${epoch}, view ${view})`,
    );
  }
  const message = finalizeMessage({ chainId: header.chain_id, epoch, view, parentView, hash });
  if (!new StrictBls(nobleBls()).verify(signature, message, groupPublicKey)) {
    throw new VerifyError('bad_signature', `certificate of block ${toHex(hash)}: the signature is not good`);
  }
}

/**
 * Checks the header of an answer that carries `header` and, where one is there, `certificate`: those of state_proof,
 * finalized_history_root and get_light_snapshot.
 * @param answer the method's result, as JSON.parse made it
 * @throws VerifyError `malformed`, `wrong_chain`, `no_certificate`, `wrong_header`, or as {@link verifyCertificate} says
 */
export function verifyHeader(answer: unknown, trust: TrustAnchor): VerifiedBlock {
  const root = trustRoot(trust);
  return reading(() => readVerifiedHeader(new Answer(answer, 'an answer with a header', 'answer'), root));
}

/** As {@link verifyHeader}, for an answer that is being read. */
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
  verifyCertificate(certificate, block, root.groupPublicKey);
  return block;
}

/** @throws VerifyError `wrong_header` */
export function expectHash({ header, hash }: VerifiedBlock, expected: Uint8Array, what: string): void {
  if (sameBytes(hash, expected)) return;
  throw new VerifyError(
    'wrong_header',
    `header of height ${header.height}: expected ${what}, ${toHex(expected)}, got ${toHex(hash)}`,
  );
}
