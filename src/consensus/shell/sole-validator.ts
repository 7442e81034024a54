import type { Certificate, VoteMessage } from '../core/types.js';
import type { AssembledVotes, EpochMembership, Epochs, Network, VoteSignatures } from './ports.js';

const NO_PARTIAL = new Uint8Array(96);
const NO_SIGNATURE = new Uint8Array(64);

/** Membership of a chain with a single validator, which no validator can join: the dealer knows the whole key. */
export const SOLE_EPOCHS: Epochs = {
  async enter(): Promise<EpochMembership> {
    return { validators: 1, self: 0, mayVote: true };
  },
};

export const NO_PEERS: Network = {
  connected: () => [],
  send: () => undefined,
  broadcast: () => undefined,
  drop: () => undefined,
  enterEpoch: () => (former) => former,
  peers: () => [],
};

/** A sole validator's placeholder signatures: no peer sees its votes, and `ValidatorCertificates` signs on demand. */
export class SoleSignatures implements VoteSignatures {
  async sign() {
    return { partial: NO_PARTIAL, signature: NO_SIGNATURE };
  }

  async assemble(_message: VoteMessage): Promise<AssembledVotes> {
    return { signature: NO_PARTIAL, bad: [] };
  }

  async isCertified(_certificate: Certificate): Promise<boolean> {
    return false;
  }

  isSigned(): boolean {
    return false;
  }
}
