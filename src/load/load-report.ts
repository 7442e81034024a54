/** How a latency is distributed, in milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** What happened in one stretch of the load. Rates are per second. */
export interface LoadSample {
  /** The end of the stretch, in seconds since the load began. */
  readonly at_s: number;
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
  readonly sealed: number;
  /** Transactions that the node had accepted and not yet sealed. */
  readonly unsealed: number;
  /** The node's pool. */
  readonly pool: number;
  readonly blocks: number;
  /** Gas used by gas limit, mean of the blocks; absent where there was none. */
  readonly fill?: number;
  /** From being sent to being acknowledged, and to being seen in a block, of what was in this stretch. */
  readonly accepted_p50_ms: number;
  readonly accepted_p99_ms: number;
  readonly sealed_p50_ms: number;
  readonly sealed_p99_ms: number;
}

export interface LoadSettings {
  readonly profile: string;
  /** Transactions a second that were to be sent. */
  readonly rate: number;
  readonly duration_s: number;
  readonly connections: number;
  readonly accounts: number;
  readonly lanes: number;
  readonly max_unsealed: number;
  readonly seed: number;
}

/** What a load came to. */
export interface LoadReport {
  readonly kind: 'heddle load report 1';
  readonly ended: 'complete' | 'interrupted' | 'node_gone';
  /** ISO 8601. */
  readonly started: string;
  readonly description: string;
  readonly url: string;
  readonly node_version: string;
  readonly chain_id: string;
  readonly block_time_ms: number;
  readonly settings: LoadSettings;
  /** How long transactions were sent. */
  readonly sending_s: number;
  /** From the first one sent to the last one seen in a block. */
  readonly whole_s: number;
  readonly totals: {
    readonly sent: number;
    readonly accepted: number;
    readonly refused: number;
    readonly sealed: number;
    /** Accepted, and not seen in a block when the load ended. */
    readonly unsealed: number;
    /** Not sent when they were due, because too many were under way or unsealed. */
    readonly held_back: number;
  };
  readonly per_second: { readonly sent: number; readonly accepted: number; readonly sealed: number };
  /** Transactions that were refused, by the reason. */
  readonly refusals: Readonly<Record<string, number>>;
  /** How a random sample of the sealed ones ended. */
  readonly sampled_outcomes: Readonly<Record<string, number>>;
  readonly accepted_ms: Latencies;
  readonly sealed_ms: Latencies;
  readonly blocks: {
    readonly count: number;
    readonly transactions_mean: number;
    readonly transactions_max: number;
    readonly fill_mean: number;
    readonly fill_max: number;
  };
  readonly samples: readonly LoadSample[];
}
