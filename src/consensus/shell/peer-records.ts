import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { BlockHash, Vote } from '../core/types.js';
import type { IndexOf } from './ports.js';

interface Position {
  /** The last block that the peer voted for; a voter has verified all ancestors of the block. */
  hash: BlockHash | undefined;
  height: number | undefined;
}

/**
 * What this process has seen of the other validators: their invalid proposals, and their heights from messages they send
 * anyway. Votes name a block, and requests for final blocks name a first height. Each reports only its own height, so a
 * lie makes no other peer look worse, and at least one honest peer has reached the best height.
 */
export class PeerRecords {
  readonly #heightOf: (hash: BlockHash) => number | undefined;
  #positions = new Map<number, Position>();
  #invalidProposals = new Map<number, bigint>();

  constructor(heightOf: (hash: BlockHash) => number | undefined) {
    this.#heightOf = heightOf;
  }

  noteVote(peer: number, { kind, hash }: Pick<Vote, 'kind' | 'hash'>): void {
    if (kind === 'nullify') return;
    const place = this.#at(peer);
    // A vote may arrive before its block.
    place.height = this.#resolved(place);
    place.hash = hash;
  }

  noteRequest(peer: number, fromHeight: number): void {
    const place = this.#at(peer);
    place.hash = undefined;
    place.height = Math.max(0, fromHeight - 1);
  }

  /** @param proposer index in the set of the core's epoch */
  countInvalid(proposer: number): void {
    this.#invalidProposals.set(proposer, (this.#invalidProposals.get(proposer) ?? 0n) + 1n);
  }

  reindex(indexOf: IndexOf): void {
    this.#positions = renumbered(this.#positions, indexOf);
    this.#invalidProposals = renumbered(this.#invalidProposals, indexOf);
  }

  /**
   * @param tip this node's height
   * @returns the peers with `behind_by`, each one's lag in blocks, and `invalid_proposals`; absent if unknown
   */
  annotate(peers: readonly PeerHealth[], tip: bigint): readonly PeerHealth[] {
    return peers.map((peer) => {
      const place = this.#positions.get(peer.index);
      const height = place === undefined ? undefined : this.#resolved(place);
      const behind = height === undefined ? undefined : tip - BigInt(height);
      const invalid = this.#invalidProposals.get(peer.index);
      return {
        ...peer,
        ...(behind === undefined ? {} : { behind_by: behind > 0n ? behind : 0n }),
        ...(invalid === undefined ? {} : { invalid_proposals: invalid }),
      };
    });
  }

  /** Highest height reported by more validators than may be faulty. @param validators size of the set */
  best(validators: number): number | undefined {
    const heights = [...this.#positions].flatMap(([peer, place]) =>
      // Any stranger may be a peer outside the set.
      peer < validators ? (this.#resolved(place) ?? []) : [],
    );
    return heights.sort((a, b) => b - a)[validators - quorumOf(validators)];
  }

  #at(peer: number): Position {
    const known = this.#positions.get(peer);
    if (known !== undefined) return known;
    const place: Position = { hash: undefined, height: undefined };
    this.#positions.set(peer, place);
    return place;
  }

  #resolved({ hash, height }: Position): number | undefined {
    return (hash === undefined ? undefined : this.#heightOf(hash)) ?? height;
  }
}

function renumbered<T>(byIndex: ReadonlyMap<number, T>, indexOf: IndexOf): Map<number, T> {
  return new Map(
    [...byIndex].flatMap(([former, value]) => {
      const now = indexOf(former);
      return now === undefined ? [] : [[now, value] as const];
    }),
  );
}
