import type { BlockHeader } from '../generated/ledger.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';

/** The most headers that a node gives between a block and the certified one: what is further away is proved by the history. */
export const MAX_DESCENDANTS = 1_000;

/** What shows that a block is final. */
export interface Finality {
  /** The block's own, or that of the nearest descendant that has one. */
  readonly certificate: FinalityCertificate;
  /** The headers from the block's child up to the certified block; empty where the certificate is its own. */
  readonly descendants: readonly BlockHeader[];
}

/**
 * The view that a certificate names as that of the block's parent: 0 for genesis, and for the first block of an epoch.
 * @param parent the parent's header; undefined where it is not stored
 * @returns undefined where it takes the parent to know
 */
export function parentViewOf(header: BlockHeader, parent: BlockHeader | undefined): bigint | undefined {
  if (header.height === 0n) return 0n;
  if (parent === undefined) return undefined;
  return parent.epoch === header.epoch ? parent.view : 0n;
}

/** Who can show that blocks of the chain are final. */
export interface Certificates {
  /**
   * What shows that the block at a height is final; undefined where nothing does: beyond the tip, or on a node that neither holds
   * the validator's key nor got a certificate from its source, of that block or of one at most {@link MAX_DESCENDANTS} above.
   */
  of(height: bigint): Promise<Finality | undefined>;
}
