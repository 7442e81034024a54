import type { PeerHealth } from '../../generated/node-rpc-v1.js';

/** Counts the invalid proposals of each validator since the start. */
export class InvalidProposals {
  #counts = new Map<number, bigint>();

  /** @param proposer index in the set of the core's epoch */
  count(proposer: number): void {
    this.#counts.set(proposer, (this.#counts.get(proposer) ?? 0n) + 1n);
  }

  /** Validators have other indices from here on. @param indexOf as that of `Inbox.rename` */
  reindex(indexOf: (former: number) => number | undefined): void {
    const renamed = [...this.#counts].flatMap(([former, count]) => {
      const now = indexOf(former);
      return now === undefined ? [] : [[now, count] as const];
    });
    this.#counts = new Map(renamed);
  }

  /** @returns the same with each one's count */
  annotate(peers: readonly PeerHealth[]): readonly PeerHealth[] {
    return peers.map((peer) => {
      const count = this.#counts.get(peer.index);
      return count === undefined ? peer : { ...peer, invalid_proposals: count };
    });
  }
}
