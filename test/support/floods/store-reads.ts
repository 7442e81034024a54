import { type Flood, rpcBody } from './flood.js';

const MAX_LOGS = 10_000;

/** Proofs at heights behind the tip, each of another account, which require the tree of that height. */
export const OLD_PROOFS: Flood = {
  name: 'old-proofs',
  attacks:
    '100 connections ask for state proofs at old heights: the proof worker, which also makes the roots of blocks',
  world: { blocks: 30, transfersABlock: 2_000 },
  arm: ({ world: { newcomers, first, last } }) => {
    let asked = 0;
    const next = (): string => {
      asked++;
      const value = first + ((asked * 7) % (last - first + 1));
      const contract = newcomers[(asked * 31) % newcomers.length];
      return rpcBody('state_proof', { contract, at: { type: 'height', value } });
    };
    return (attack) => attack.keepSending(100, next);
  },
};

export const ALL_LOGS: Flood = {
  name: 'all-logs',
  attacks:
    '16 connections ask for all events of the chain, 10,000 a page: scans of the store, and large answers',
  arm: () => {
    const body = rpcBody('get_logs', { from_height: 0, limit: MAX_LOGS });
    return (attack) => attack.keepSending(16, () => body);
  },
};
