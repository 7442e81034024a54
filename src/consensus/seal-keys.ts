import type { ProposalContext } from '../chain/propose-block.js';
import type { SealKey } from '../generated/ledger.js';

/** Provides proposals with the keys that open sealed envelopes, one per height. */
export interface SealKeys {
  /**
   * The known keys of these heights. Waits for missing ones until the signal aborts.
   * @param due the heights that a proposal may open, lowest first
   */
  forProposal(due: readonly bigint[], signal: AbortSignal): Promise<SealKeyParts>;
  /** Called after each commit. */
  committed(): void;
}

export type SealKeyParts = Pick<ProposalContext, 'keyOf'>;

/** The heights that still have sealed envelopes. */
export interface UnopenedHeights {
  /** Opening heights of the unopened envelopes after the last committed block, ascending. */
  unopenedHeights(): readonly bigint[];
}

/** Returns a lookup over known keys. */
export function keyFinder(keys: readonly SealKey[]): SealKeyParts {
  return { keyOf: (height) => keys.find((key) => key.height === height) };
}
