import type { EpochMembership, Epochs, Network } from './ports.js';

/** Membership of a chain with a single validator, which no validator can join: the dealer knows the whole key. */
export const SOLE_EPOCHS: Epochs = {
  async enter(): Promise<EpochMembership> {
    return { validators: 1, self: 0, mayVote: true };
  },
};

/** A network without peers. */
export const NO_PEERS: Network = {
  connected: () => [],
  send: () => undefined,
  broadcast: () => undefined,
  drop: () => undefined,
  enterEpoch: () => (former) => former,
  peers: () => [],
};
