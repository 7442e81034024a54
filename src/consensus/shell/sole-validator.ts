import type { Epochs, Network, VoteSignatures } from './ports.js';

/** Membership of a chain with a single validator, which no validator can join: the dealer knows the whole key. */
export const SOLE_EPOCHS: Epochs = { enter: async () => ({ validators: 1, self: 0, mayVote: true }) };

export const NO_PEERS: Network = {
  connected: () => [],
  send: () => undefined,
  broadcast: () => undefined,
  drop: () => undefined,
  enterEpoch: () => (former) => former,
  peers: () => [],
};

/** A sole validator's placeholder signatures: no peer sees its votes, and `ValidatorCertificates` signs on demand. */
export const SOLE_SIGNATURES: VoteSignatures = {
  sign: async () => ({ partial: new Uint8Array(96), signature: new Uint8Array(64) }),
  assemble: async () => ({ signature: new Uint8Array(96), bad: [] }),
  isCertified: async () => false,
  isSigned: () => false,
};
