import { sameBytes } from '../../base/same-bytes.js';
import type { BlockHeader } from '../../generated/ledger.js';
import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';

/** Maximum number of headers in a finality proof between a block and the certified one. */
export const MAX_DESCENDANTS = 10_000;

/** A block's header and its hash, 32 bytes. */
export interface HashedHeader {
  readonly header: BlockHeader;
  readonly hash: Uint8Array;
}

/** Finality proof of a block. */
export interface FinalityOf {
  /** Certificate of the last of `descendants`, or of the block itself if there are none. */
  readonly certificate: FinalityCertificate;
  /** The headers from the block's child up to the certified block. */
  readonly descendants: readonly BlockHeader[];
}

/**
 * The certified block of a finality proof: the last of `descendants`, or `block` if there are none. The parent hashes
 * alone are binding; heights and chain ids are compared for clearer errors.
 * @param hashOf sha256("heddle/block/1" ‖ borsh(BlockHeader))
 * @returns undefined if there are too many descendants, or one is not the child of the previous header
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
 * True if the certificate's claims about its block match this block; its key and signature are not checked. The last
 * block of an epoch may be certified in a later view than its header's.
 */
export function isCertificateOf(certificate: FinalityCertificate, { header, hash }: HashedHeader): boolean {
  return (
    sameBytes(certificate.block_hash, hash) &&
    certificate.epoch === header.epoch &&
    certificate.view >= header.view
  );
}
