import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import type { IndexOf } from './epoch-starts.js';

/** Counts each validator's invalid proposals since the start. */
export class InvalidProposals {
  #counts = new Map<number, bigint>();

  /** @param proposer index in the set of the core's epoch */
  count(proposer: number): void {
    this.#counts.set(proposer, (this.#counts.get(proposer) ?? 0n) + 1n);
  }

  /** Renumbers the validators. */
  reindex(indexOf: IndexOf): void {
    const renamed = [...this.#counts].flatMap(([former, count]) => {
      const now = indexOf(former);
      return now === undefined ? [] : [[now, count] as const];
    });
    this.#counts = new Map(renamed);
  }

  /** @returns the peers with their counts */
  annotate(peers: readonly PeerHealth[]): readonly PeerHealth[] {
    return peers.map((peer) => {
      const count = this.#counts.get(peer.index);
      return count === undefined ? peer : { ...peer, invalid_proposals: count };
    });
  }
}
