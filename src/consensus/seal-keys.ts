import type { ProposalContext } from '../chain/propose-block.js';
import { sealIdentity } from '../crypto/sealing/seal-identity.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import type { SealKey } from '../generated/ledger.js';

/** Provides proposals with the keys that open sealed envelopes, one per height. */
export interface SealKeys {
  /** The known keys of these heights, lowest first; waits for missing ones until the signal aborts. */
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

export function keyFinder(keys: readonly SealKey[]): SealKeyParts {
  return { keyOf: (height) => keys.find((key) => key.height === height) };
}

/**
 * Seal keys of a chain with one validator, which holds the whole group key and signs each seal key on demand.
 * @param privateKey the group's private key, 32 bytes
 */
export function validatorSealKeys(
  chainId: bigint,
  privateKey: Uint8Array,
  workers: Pick<ExecutionPool, 'run'>,
): SealKeys {
  return {
    committed: () => undefined,
    forProposal: async (due) => {
      if (due.length === 0) return keyFinder([]);
      const messages = due.map((height) => sealIdentity(chainId, height));
      const { signatures } = await workers.run('sign_bls', { privateKey, messages });
      const keys = due.flatMap((height, at) => {
        const signature = signatures[at];
        return signature === undefined ? [] : [{ height, signature }];
      });
      return keyFinder(keys);
    },
  };
}
