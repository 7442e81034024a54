import * as v from 'valibot';
import type { Resources, SpanUsage } from './resources/usage.js';

const MAX_SAMPLES = 10_000;
const MAX_REASONS = 100;

const text = v.pipe(v.string(), v.maxLength(1_000));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

/** An object whose members are all amounts. */
function amounts<const Name extends string>(...names: Name[]) {
  const entries = names.map((name) => [name, amount] as const);
  return v.object(Object.fromEntries(entries) as Record<Name, typeof amount>);
}

/** A latency distribution in milliseconds. */
const latencies = amounts('count', 'mean', 'p50', 'p90', 'p99', 'p999', 'max');

export type Latencies = Readonly<v.InferOutput<typeof latencies>>;

const thread = v.object({ busy: amount, cores: v.exactOptional(amount) });

/** One span of the load. Rates are per second. */
const sample = v.object({
  /** End of the span, in seconds since the load began. */
  at_s: amount,
  sent: amount,
  accepted: amount,
  refused: amount,
  sealed: amount,
  /** Transactions accepted but not yet sealed. */
  unsealed: amount,
  /** Number of transactions in the node's pool. */
  pool: amount,
  blocks: amount,
  /** Mean ratio of gas used to gas limit over the span's blocks; absent if there were none. */
  fill: v.exactOptional(amount),
  /** From sending to acknowledgement (accepted) and to inclusion (sealed); absent if the span had none. */
  accepted_p50_ms: v.exactOptional(amount),
  accepted_p99_ms: v.exactOptional(amount),
  sealed_p50_ms: v.exactOptional(amount),
  sealed_p99_ms: v.exactOptional(amount),
  generator: v.exactOptional(v.object({ busy: amount, cores: amount, memory_bytes: amount })),
  node: v.exactOptional(
    v.object({
      cores: amount,
      memory_bytes: amount,
      main: v.exactOptional(thread),
      front: v.exactOptional(thread),
      block_workers: v.exactOptional(amount),
    }),
  ),
});

/** The part of a sample that earlier reports have too. */
export type PlottedSample = Readonly<v.InferOutput<typeof sample>>;
export type LoadSample = Omit<PlottedSample, keyof SpanUsage> & SpanUsage;

const settings = v.object({
  profile: text,
  /** Target transactions per second. */
  rate: amount,
  duration_s: amount,
  connections: amount,
  accounts: amount,
  lanes: amount,
  max_unsealed: amount,
  seed: amount,
});

export type LoadSettings = Readonly<v.InferOutput<typeof settings>>;

export const REPORT_KIND = 'heddle load report 1';

/** What a comparison needs of a report; reports of older builds may have no usage. */
export const reportSchema = v.object({
  kind: v.literal(REPORT_KIND),
  ended: v.picklist(['complete', 'interrupted', 'node_gone']),
  /** ISO 8601. */
  started: v.pipe(v.string(), v.isoTimestamp()),
  url: text,
  node_version: text,
  chain_id: text,
  block_time_ms: amount,
  settings,
  totals: v.object({
    sent: amount,
    accepted: amount,
    refused: amount,
    sealed: amount,
    /** Accepted but not seen in a block when the load ended. */
    unsealed: amount,
    /** Planned but not sent, because too many were in flight or unsealed. With `sent`, all that were due. */
    held_back: amount,
    /** Of these, those for which `max_unsealed` left no room; the others waited for answers to earlier ones. */
    held_back_unsealed: v.exactOptional(amount),
  }),
  per_second: v.object({ sent: amount, accepted: amount, sealed: amount }),
  refusals: v.pipe(
    v.record(text, amount),
    v.check(
      (reasons) => Object.keys(reasons).length <= MAX_REASONS,
      `expected at most ${MAX_REASONS} reasons`,
    ),
  ),
  accepted_ms: latencies,
  sealed_ms: latencies,
  blocks: amounts('count', 'transactions_mean', 'transactions_max', 'fill_mean', 'fill_max'),
  samples: v.pipe(
    v.array(sample),
    v.maxLength(MAX_SAMPLES),
    v.check((samples) => isAscending(samples), 'expected samples in order of their time'),
    v.readonly(),
  ),
});

/** A report that an earlier `heddle load --report` wrote. */
export type EarlierReport = Readonly<v.InferOutput<typeof reportSchema>>;

function isAscending(samples: readonly PlottedSample[]): boolean {
  return samples.every(({ at_s: at }, place) => at > (samples[place - 1]?.at_s ?? -1));
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

export interface ComparedFigure {
  readonly name: string;
  readonly unit: '/s' | 'ms' | '%' | '';
  readonly before: number;
  readonly now: number;
}

export interface LoadComparison {
  /** When the earlier load began, ISO 8601. */
  readonly started: string;
  /** Differences that may explain those of the figures, such as other settings. */
  readonly warnings: readonly string[];
  readonly figures: readonly ComparedFigure[];
}

export interface LoadReport extends Omit<EarlierReport, 'samples' | 'totals'> {
  readonly description: string;
  /** Duration of the sending phase. */
  readonly sending_s: number;
  /** Duration from the start of sending to the end of the drain. */
  readonly whole_s: number;
  readonly totals: Required<EarlierReport['totals']>;
  readonly samples: readonly LoadSample[];
  /** Outcomes of a random sample of the sealed transactions. */
  readonly sampled_outcomes: Readonly<Record<string, number>>;
  /** Of the sample's reverted transactions, by the name of the error that the contract declares. */
  readonly sampled_errors: Readonly<Record<string, number>>;
  readonly resources: Resources;
  readonly verdict: Verdict;
  /** Differences from an earlier report, if one was named. */
  readonly comparison?: LoadComparison;
}
