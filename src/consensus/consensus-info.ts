import type { Chain } from '../chain/chain.js';
import type { ConsensusMetrics, PeerHealth, SyncState } from '../generated/node-rpc-v1.js';
import { RecentDurations } from './quantiles.js';

/** How a node comes to final blocks, for whoever reports it. */
export interface ConsensusInfo {
  /** What this node did for agreement since its start. */
  metrics(): ConsensusMetrics;
  /** Milliseconds since this process saw a block become final by its own clock; undefined while it has seen none. */
  readonly sinceFinalMs: number | undefined;
  /** This node's index in the set of the next block's epoch; left out, or undefined, where it is none of its validators. */
  readonly index?: number | undefined;
  /** Whether it can do its part for the epoch: it holds a share of the group key that fits. True where it is left out. */
  readonly epochKeyAvailable?: boolean;
  /** Milliseconds since the last block where the next one is long overdue, else undefined. */
  readonly overdueMs?: number | undefined;
  /** The other validators. Left out where there are none. @param tip this node's height */
  peers?(tip: bigint): readonly PeerHealth[];
  /** How far it is beside the other validators. Left out where it goes by itself. */
  sync?(): SyncInfo;
}

/** How far a validator is. */
export interface SyncInfo {
  readonly state: SyncState['type'];
  /** Of blocks that are final somewhere: at least this node's height. */
  readonly bestKnownHeight: bigint;
  /** Why it is not synced, or does not vote; empty where nothing is wrong. */
  readonly reasons: readonly string[];
}

/** What a node reports that has taken part in no agreement. */
export function zeroMetrics(at: Pick<ConsensusMetrics, 'epoch' | 'view' | 'leader'>): ConsensusMetrics {
  const none = new RecentDurations().quantiles();
  return {
    ...at,
    proposals: 0n,
    notarizations: 0n,
    nullifications: 0n,
    finalizations: 0n,
    timeouts: 0n,
    equivocations_seen: 0n,
    finality_latency_ms: none,
    block_interval_ms: none,
  };
}

/** The agreement of a node that takes part in none: others' blocks are all it sees. */
export class FollowerInfo implements ConsensusInfo {
  readonly sinceFinalMs = undefined;
  readonly #chain: Pick<Chain, 'tip'>;

  constructor(chain: Pick<Chain, 'tip'>) {
    this.#chain = chain;
  }

  metrics(): ConsensusMetrics {
    const { epoch, view, proposer: leader } = this.#chain.tip.header;
    return zeroMetrics({ epoch, view, leader });
  }
}
