import type { BlockHeader } from '../generated/ledger.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';

/** Maximum number of headers between a block and its certified descendant; older blocks are proved by the history. */
export const MAX_DESCENDANTS = 1_000;

/** A proof that a block is final. */
export interface Finality {
  /** The certificate of the block, or of its nearest certified descendant. */
  readonly certificate: FinalityCertificate;
  /** Headers from the block's child up to the certified block; empty if the block itself is certified. */
  readonly descendants: readonly BlockHeader[];
}

/**
 * The parent view named by a block's certificate: 0 for genesis and for the first block of an epoch.
 * @param parent the parent's header; undefined if it is not stored
 * @returns undefined if the parent is needed but unknown
 */
export function parentViewOf(header: BlockHeader, parent: BlockHeader | undefined): bigint | undefined {
  if (header.height === 0n) return 0n;
  if (parent === undefined) return undefined;
  return parent.epoch === header.epoch ? parent.view : 0n;
}

/** Source of finality proofs. */
export interface Certificates {
  /**
   * Returns a proof that the block at a height is final, or undefined above the tip. A node without the validator's
   * key also returns undefined if it got no certificate from its source for that block or one at most
   * {@link MAX_DESCENDANTS} above it.
   */
  of(height: bigint): Promise<Finality | undefined>;
}
