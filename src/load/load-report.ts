import type { Resources, SpanUsage } from './resources/usage.js';

/** A latency distribution in milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** One span of the load. Rates are per second. */
export interface LoadSample extends SpanUsage {
  /** End of the span, in seconds since the load began. */
  readonly at_s: number;
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
  readonly sealed: number;
  /** Transactions accepted but not yet sealed. */
  readonly unsealed: number;
  /** Number of transactions in the node's pool. */
  readonly pool: number;
  readonly blocks: number;
  /** Mean ratio of gas used to gas limit over the span's blocks; absent if there were none. */
  readonly fill?: number;
  /**
   * Latencies within the span: from sending to acknowledgement (accepted), and to inclusion in a block (sealed). Absent if
   * the span had none, such as a second without a block.
   */
  readonly accepted_p50_ms?: number;
  readonly accepted_p99_ms?: number;
  readonly sealed_p50_ms?: number;
  readonly sealed_p99_ms?: number;
}

export interface LoadSettings {
  readonly profile: string;
  /** Target transactions per second. */
  readonly rate: number;
  readonly duration_s: number;
  readonly connections: number;
  readonly accounts: number;
  readonly lanes: number;
  readonly max_unsealed: number;
  readonly seed: number;
}

/** What kept a load from being sealed faster; `none` if nothing did, `unknown` if the facts name nothing. */
export type LimitKind =
  | 'none'
  | 'unknown'
  | 'node_gone'
  | 'load_generator'
  | 'rate_limit'
  | 'access'
  | 'fees'
  | 'funds'
  | 'gas_limit'
  | 'processors'
  | 'main_thread'
  | 'front_threads'
  | 'signatures'
  | 'contract_calls'
  | 'state_tree'
  | 'store'
  | 'sealing'
  | 'pool'
  | 'node_overloaded'
  | 'max_unsealed';

/** What a load comes to. */
export interface Verdict {
  /** What was sealed, what was asked for, and what the limit was. */
  readonly sentence: string;
  readonly limit: LimitKind;
  /** The measured facts behind it, one clause each. */
  readonly evidence: readonly string[];
}

/** One figure of two loads. */
export interface ComparedFigure {
  readonly name: string;
  readonly unit: '/s' | 'ms' | '%' | '';
  readonly before: number;
  readonly now: number;
}

/** Differences between a load and an earlier one. */
export interface LoadComparison {
  /** When the earlier load began, ISO 8601. */
  readonly started: string;
  /** Differences that may explain those of the figures, such as other settings. */
  readonly warnings: readonly string[];
  readonly figures: readonly ComparedFigure[];
}

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
  /** Duration of the sending phase. */
  readonly sending_s: number;
  /** Duration from the start of sending to the end of the drain. */
  readonly whole_s: number;
  readonly totals: {
    readonly sent: number;
    readonly accepted: number;
    readonly refused: number;
    readonly sealed: number;
    /** Accepted but not seen in a block when the load ended. */
    readonly unsealed: number;
    /** Planned but not sent, because too many were in flight or unsealed. With `sent`, all that were due. */
    readonly held_back: number;
    /** Of these, those for which `max_unsealed` left no room; the others waited for answers to earlier ones. */
    readonly held_back_unsealed: number;
  };
  readonly per_second: { readonly sent: number; readonly accepted: number; readonly sealed: number };
  readonly refusals: Readonly<Record<string, number>>;
  /** Outcomes of a random sample of the sealed transactions. */
  readonly sampled_outcomes: Readonly<Record<string, number>>;
  /** Of the sample's reverted transactions, by the name of the error that the contract declares. */
  readonly sampled_errors: Readonly<Record<string, number>>;
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
  readonly resources: Resources;
  readonly verdict: Verdict;
  /** Differences from an earlier report, if one was named. */
  readonly comparison?: LoadComparison;
}
