import type { ProposalContext } from '../chain/propose-block.js';
import type { SealKey } from '../generated/ledger.js';

/** The keys of heights with envelopes, as proposals need them. */
export interface SealKeys {
  /** What the next proposal may begin with. @param parentHeight the height that it is built on */
  forProposal(parentHeight: bigint): SealKeyParts | Promise<SealKeyParts>;
  /** To be called after each commit. */
  committed(): void;
}

export type SealKeyParts = Pick<ProposalContext, 'keyOf'>;

/** Where a chain has envelopes that are not open. */
export interface UnopenedHeights {
  /** Those that open them, ascending, as of the last committed block. */
  unopenedHeights(): readonly bigint[];
}

/** What looks a known key up. */
export function keyFinder(keys: readonly SealKey[]): SealKeyParts {
  return { keyOf: (height) => keys.find((key) => key.height === height) };
}
