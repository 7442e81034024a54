import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { BlockHash, Vote } from '../core/types.js';
import type { IndexOf } from './epoch-starts.js';

interface Position {
  /** The last block that the peer voted for; a voter has verified all ancestors of the block. */
  hash: BlockHash | undefined;
  /** Last known height. */
  height: number | undefined;
}

/**
 * Tracks the other validators' heights from messages they send anyway: votes name a block, and requests for final
 * blocks name a first height. Each reports only its own height, so a lie makes no other peer look
 * worse, and at least one honest peer has reached the best height.
 */
export class PeerHeights {
  readonly #heightOf: (hash: BlockHash) => number | undefined;
  #positions = new Map<number, Position>();

  /** @param heightOf returns the height of a known block */
  constructor(heightOf: (hash: BlockHash) => number | undefined) {
    this.#heightOf = heightOf;
  }

  /** Records a peer's own vote. */
  noteVote(peer: number, { kind, hash }: Pick<Vote, 'kind' | 'hash'>): void {
    if (kind === 'nullify') return;
    const place = this.#at(peer);
    // A vote may arrive before its block.
    place.height = this.#resolved(place);
    place.hash = hash;
  }

  /** Records a peer's request for final blocks from a height on. */
  noteRequest(peer: number, fromHeight: number): void {
    const place = this.#at(peer);
    place.hash = undefined;
    place.height = Math.max(0, fromHeight - 1);
  }

  /** Renumbers the peers. */
  reindex(indexOf: IndexOf): void {
    const renamed = [...this.#positions].flatMap(([former, place]) => {
      const now = indexOf(former);
      return now === undefined ? [] : [[now, place] as const];
    });
    this.#positions = new Map(renamed);
  }

  /**
   * @param tip this node's height
   * @returns the peers with `behind_by`, each one's lag in blocks; absent if unknown
   */
  annotate(peers: readonly PeerHealth[], tip: bigint): readonly PeerHealth[] {
    return peers.map((peer) => {
      const place = this.#positions.get(peer.index);
      const height = place === undefined ? undefined : this.#resolved(place);
      if (height === undefined) return peer;
      const behind = tip - BigInt(height);
      return { ...peer, behind_by: behind > 0n ? behind : 0n };
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
