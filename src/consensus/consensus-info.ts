import type { Chain } from '../chain/chain.js';
import type { ConsensusMetrics, PeerHealth, SyncState } from '../generated/node-rpc-v1.js';

/** A node's view of consensus, for health and metrics. */
export interface ConsensusInfo {
  /** This node's consensus counters since its start. */
  metrics(): ConsensusMetrics;
  /** Milliseconds, on the local clock, since this process last saw a block become final; undefined before the first. */
  readonly sinceFinalMs: number | undefined;
  /** This node's index in the set of the next block's epoch; undefined for non-members. */
  readonly index?: number | undefined;
  /** Whether this node holds a valid share of the group key for the epoch. Defaults to true. */
  readonly epochKeyAvailable?: boolean;
  /** Milliseconds since the last block if the next one is long overdue, else undefined. */
  readonly overdueMs?: number | undefined;
  /** The other validators; absent if there are none. @param tip this node's height */
  peers?(tip: bigint): readonly PeerHealth[];
  /** Sync state relative to the other validators; absent for a node without peers. */
  sync?(): SyncInfo;
}

export interface SyncInfo {
  readonly state: SyncState['type'];
  /** Highest height known to be final on any node; at least this node's height. */
  readonly bestKnownHeight: bigint;
  /** Reasons why the node is not synced or does not vote; empty if nothing is wrong. */
  readonly reasons: readonly string[];
}

/** Metrics of a node that has not taken part in consensus. */
export function zeroMetrics(at: Pick<ConsensusMetrics, 'epoch' | 'view' | 'leader'>): ConsensusMetrics {
  const none = { p50: 0, p90: 0, p99: 0 };
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

/** Consensus info of a follower, which only receives others' blocks. */
export function followerInfo(chain: Pick<Chain, 'tip'>): ConsensusInfo {
  return {
    sinceFinalMs: undefined,
    metrics: () => {
      const { epoch, view, proposer: leader } = chain.tip.header;
      return zeroMetrics({ epoch, view, leader });
    },
  };
}
