import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { BlockHash, Vote } from '../core/types.js';

interface Position {
  /** The block that it voted for last; whoever does has verified all before it. */
  hash: BlockHash | undefined;
  /** As far as is known. */
  height: number | undefined;
}

/**
 * How far the other validators are, by what they send anyway: the last block that one voted for, or from where on it asks for final
 * ones. Each tells of itself alone, so that a lie makes nobody else look worse; what is shown of this node needs one honest peer.
 */
export class PeerHeights {
  readonly #heightOf: (hash: BlockHash) => number | undefined;
  #positions = new Map<number, Position>();

  /** @param heightOf that of a block that is here */
  constructor(heightOf: (hash: BlockHash) => number | undefined) {
    this.#heightOf = heightOf;
  }

  /** A peer voted in its own name. */
  noteVote(peer: number, { kind, hash }: Pick<Vote, 'kind' | 'hash'>): void {
    if (kind === 'nullify') return;
    const place = this.#at(peer);
    // A vote may come before its block.
    place.height = this.#resolved(place);
    place.hash = hash;
  }

  /** A peer asks for final blocks from a height on. */
  noteRequest(peer: number, fromHeight: number): void {
    const place = this.#at(peer);
    place.hash = undefined;
    place.height = Math.max(0, fromHeight - 1);
  }

  /** Peers have other indices from here on. @param indexOf as that of `Inbox.rename` */
  reindex(indexOf: (former: number) => number | undefined): void {
    const renamed = [...this.#positions].flatMap(([former, place]) => {
      const now = indexOf(former);
      return now === undefined ? [] : [[now, place] as const];
    });
    this.#positions = new Map(renamed);
  }

  /** @param tip this node's height @returns the same with how many blocks each is behind it; left out where nothing is known */
  annotate(peers: readonly PeerHealth[], tip: bigint): readonly PeerHealth[] {
    return peers.map((peer) => {
      const place = this.#positions.get(peer.index);
      const height = place === undefined ? undefined : this.#resolved(place);
      if (height === undefined) return peer;
      const behind = tip - BigInt(height);
      return { ...peer, behind_by: behind > 0n ? behind : 0n };
    });
  }

  /**
   * The greatest height that more validators report than may be faulty.
   * @param validators in the set
   */
  best(validators: number): number | undefined {
    const heights = [...this.#positions.values()].flatMap((place) => this.#resolved(place) ?? []);
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
