import type { EpochMembership, Epochs, Network } from './ports.js';

/** The only validator, for as long as the chain lives: whoever dealt its key knows it, so that nobody can join. */
export const SOLE_EPOCHS: Epochs = {
  async enter(): Promise<EpochMembership> {
    return { validators: 1, self: 0, mayVote: true };
  },
};

/** Nobody else. */
export const NO_PEERS: Network = {
  connected: () => [],
  send: () => undefined,
  broadcast: () => undefined,
  drop: () => undefined,
  enterEpoch: () => (former) => former,
  peers: () => [],
};
