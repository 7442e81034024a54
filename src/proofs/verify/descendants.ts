import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { sameBytes } from '../same-bytes.js';

/** The most headers that a proof of finality may have between a block and the certified one. */
export const MAX_DESCENDANTS = 10_000;

/** A block's header, and the hash of it, 32 bytes. */
export interface HashedHeader {
  readonly header: BlockHeader;
  readonly hash: Uint8Array;
}

/** What makes a block final. */
export interface FinalityOf {
  /** Of the last of `descendants`; of the block itself where there are none. */
  readonly certificate: FinalityCertificate;
  /** The headers from the block's child up to the certified block. */
  readonly descendants: readonly BlockHeader[];
}

/**
 * The block that is certified where `block` is proved final by a descendant: the last of `descendants`, or `block` where there are
 * none. The chain of parent hashes is what binds: heights and chain are compared so that a wrong proof is named.
 * @param hashOf sha256("heddle/block/1" ‖ borsh(BlockHeader))
 * @returns undefined where there are too many, or one is not the child of the header before it
 */
export function certifiedDescendant(
  block: HashedHeader,
  descendants: readonly BlockHeader[],
  hashOf: (header: BlockHeader) => Uint8Array,
): HashedHeader | undefined {
  if (descendants.length > MAX_DESCENDANTS) return undefined;
  let last = block;
  for (const header of descendants) {
    const isChild =
      header.height === last.header.height + 1n &&
      header.chain_id === last.header.chain_id &&
      sameBytes(header.parent_hash, last.hash);
    if (!isChild) return undefined;
    last = { header, hash: hashOf(header) };
  }
  return last;
}

/**
 * Whether what a certificate says of its block is true of this one; its key and signature are not looked at. The last block of an
 * epoch may have been certified in a later view than it was made in.
 */
export function isCertificateOf(certificate: FinalityCertificate, { header, hash }: HashedHeader): boolean {
  return (
    sameBytes(certificate.block_hash, hash) &&
    certificate.epoch === header.epoch &&
    certificate.view >= header.view
  );
}
