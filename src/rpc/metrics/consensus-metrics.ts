import type { Registry } from 'prom-client';
import type { ConsensusMetrics, PeerHealth } from '../../generated/node-rpc-v1.js';
import { Declarations, type Reading } from './declare.js';

type PeerFigures = Pick<PeerHealth, 'index' | 'connected' | 'rtt_ms' | 'behind_by'>;

export interface ConsensusGauges {
  /** Since the start. */
  counts(): Omit<ConsensusMetrics, 'leader' | 'finality_latency_ms' | 'block_interval_ms'>;
  peers(): readonly PeerFigures[];
  /** Milliseconds since a block became final; undefined before the first. */
  sinceFinalMs(): number | undefined;
  /** Milliseconds since the last block if the next one is long overdue, else undefined. */
  overdueMs(): number | undefined;
  hasEpochKey(): boolean;
  /** Number of invalid proposals since the start, by index of the proposer in the set of its epoch. */
  invalidProposals(): ReadonlyMap<number, number>;
  /** The same of proposals that had to wait because their time was ahead of this node's clock. */
  earlyProposals(): ReadonlyMap<number, number>;
}

export class ProposerCounts {
  readonly #counts = new Map<number, number>();

  get counts(): ReadonlyMap<number, number> {
    return this.#counts;
  }

  count(proposer: number): void {
    this.#counts.set(proposer, (this.#counts.get(proposer) ?? 0) + 1);
  }
}

export function watchConsensus(registry: Registry, node: ConsensusGauges): void {
  const declare = new Declarations(registry);
  declare.gauge('heddle_consensus_epoch', 'Epoch of the next block', () => node.counts().epoch);
  declare.gauge('heddle_consensus_view', 'Current view', () => node.counts().view);
  const counters = [
    ['proposals', 'Blocks proposed by this node'],
    ['notarizations', 'Notarizations seen'],
    ['nullifications', 'Views that ended without a block'],
    ['finalizations', 'Finalizations seen'],
    ['timeouts', 'Views in which this node stopped waiting for a proposal'],
  ] as const;
  for (const [name, help] of counters) {
    declare.counter(`heddle_consensus_${name}_total`, `${help} since the start`, () => node.counts()[name]);
  }
  declare.counter(
    'heddle_consensus_equivocations_total',
    'Pairs of contradicting votes of other validators with valid signatures',
    () => node.counts().equivocations_seen,
  );
  for (const [name, what, counts] of [
    ['invalid', 'Invalid proposals of other validators', () => node.invalidProposals()],
    ['early', "Proposals of other validators ahead of this node's clock", () => node.earlyProposals()],
  ] as const) {
    const help = `${what}, by index in the set of their epoch`;
    declare.counters(`heddle_consensus_${name}_proposals_total`, help, 'validator', () =>
      byPeer(node, counts()),
    );
  }
  declare.gauge(
    'heddle_consensus_since_final_seconds',
    'Time since this node saw a block become final; absent before the first',
    () => seconds(node.sinceFinalMs()),
  );
  declare.gauge(
    'heddle_consensus_overdue_seconds',
    'Time since the last block if the next one is long overdue, else 0',
    () => seconds(node.overdueMs() ?? 0),
  );
  declare.gauge(
    'heddle_consensus_epoch_key_available',
    '1 if this node holds a valid share of the group key, or needs none; else 0',
    () => (node.hasEpochKey() ? 1 : 0),
  );
  const ofPeers = (name: string, help: string, value: (peer: PeerFigures) => Reading): void =>
    declare.gauges(`heddle_consensus_peer_${name}`, help, 'validator', () =>
      node.peers().map((peer) => [String(peer.index), value(peer)]),
    );
  ofPeers('connected', '1 if another validator is connected, else 0', (peer) => (peer.connected ? 1 : 0));
  ofPeers('round_trip_seconds', 'Round-trip time to another validator', (peer) => seconds(peer.rtt_ms));
  const lag = 'Number of blocks that another validator is behind this node';
  ofPeers('lag_blocks', lag, (peer) => peer.behind_by);
}

/** The counts of all other validators, also of those without any. */
function byPeer(node: ConsensusGauges, counts: ReadonlyMap<number, number>) {
  const all = new Map(node.peers().map(({ index }) => [String(index), 0]));
  for (const [index, count] of counts) all.set(String(index), count);
  return all;
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000;
}
