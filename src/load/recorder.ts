import { createHistogram } from 'node:perf_hooks';
import type { Latencies, LoadSample } from './load-report.js';
import { isSnakeName, NameCounts } from './name-counts.js';
import type { SpanUsage } from './resources/usage.js';

export interface SeenBlock {
  readonly transactions: number;
  /** Ratio of gas used to gas limit, 0 to 1. */
  readonly fill: number;
}

type Counts = Recorder['counts'];

/** Number of transactions whose receipts are fetched at the end. */
const SAMPLED_HASHES = 64;

/** Longest recorded duration, in microseconds: one hour. */
const HIGHEST_US = 3_600_000_000;

/** Durations in Node's HDR histogram: constant memory, three significant figures. */
class LatencyHistogram {
  readonly #histogram = createHistogram({ lowest: 1, highest: HIGHEST_US, figures: 3 });

  get count(): number {
    return this.#histogram.count;
  }

  /** @param ms milliseconds; recorded as at least one microsecond */
  record(ms: number): void {
    this.#histogram.record(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1_000))));
  }

  /** The percentile in milliseconds; 0 if nothing was recorded. @param percent 0 < percent ≤ 100 */
  percentile(percent: number): number {
    return this.count === 0 ? 0 : this.#histogram.percentile(percent) / 1_000;
  }

  add(other: LatencyHistogram): void {
    this.#histogram.add(other.#histogram);
  }

  latencies(): Latencies {
    return {
      count: this.count,
      mean: this.count === 0 ? 0 : this.#histogram.mean / 1_000,
      p50: this.percentile(50),
      p90: this.percentile(90),
      p99: this.percentile(99),
      p999: this.percentile(99.9),
      max: this.count === 0 ? 0 : this.#histogram.max / 1_000,
    };
  }
}

class Span {
  readonly accepted = new LatencyHistogram();
  readonly sealed = new LatencyHistogram();
  /** Counts at the start of the span. */
  readonly counts: Counts;
  readonly beganMs: number;

  constructor(counts: Counts, beganMs: number) {
    this.counts = { ...counts };
    this.beganMs = beganMs;
  }
}

/** Counts the events of a load. Memory grows only with the number of samples, not of transactions. */
export class Recorder {
  readonly #accepted = new LatencyHistogram();
  readonly #sealed = new LatencyHistogram();
  readonly #refusals = new NameCounts(isSnakeName);
  readonly samples: LoadSample[] = [];
  /** A uniform random sample of the accepted transactions' hashes. */
  readonly hashes: Uint8Array[] = [];
  readonly counts = { sent: 0, accepted: 0, refused: 0, sealed: 0, blocks: 0, fill: 0 };
  #span = new Span(this.counts, 0);
  /** The span of the last sample. */
  #previous: Span | undefined;
  #blockTransactions = 0;
  #maxTransactions = 0;
  #maxFill = 0;
  #heldBack = 0;
  #heldBackUnsealed = 0;

  sent(): void {
    this.counts.sent++;
  }

  /** @param chance random integer from 0 to the number of previously accepted transactions */
  accepted(latencyMs: number, hash: Uint8Array, chance: number): void {
    this.counts.accepted++;
    this.#accepted.record(latencyMs);
    this.#span.accepted.record(latencyMs);
    if (this.hashes.length < SAMPLED_HASHES) this.hashes.push(hash);
    else if (chance < SAMPLED_HASHES) this.hashes[chance] = hash;
  }

  refused(reason: string): void {
    this.counts.refused++;
    this.#refusals.add(reason, 1);
  }

  /** @param isUnsealed whether too many accepted ones waited for a block; otherwise too many were in flight */
  heldBack(count: number, isUnsealed: boolean): void {
    this.#heldBack += count;
    if (isUnsealed) this.#heldBackUnsealed += count;
  }

  sealed(latencyMs: number): void {
    this.counts.sealed++;
    this.#sealed.record(latencyMs);
    this.#span.sealed.record(latencyMs);
  }

  block({ transactions, fill }: SeenBlock): void {
    this.counts.blocks++;
    this.counts.fill += fill;
    this.#blockTransactions += transactions;
    this.#maxTransactions = Math.max(this.#maxTransactions, transactions);
    this.#maxFill = Math.max(this.#maxFill, fill);
  }

  /** Ends a span. @param atMs milliseconds since the load began */
  sample(atMs: number, unsealed: number, pool: number, usage: SpanUsage = {}): LoadSample {
    const { sent, accepted, refused, sealed, blocks, fill } = this.counts;
    const { counts: last, beganMs } = this.#span;
    const seconds = Math.max(0.001, (atMs - beganMs) / 1_000);
    const rate = (now: number, before: number) => (now - before) / seconds;
    const newBlocks = blocks - last.blocks;
    const sample: LoadSample = {
      at_s: atMs / 1_000,
      sent: rate(sent, last.sent),
      accepted: rate(accepted, last.accepted),
      refused: rate(refused, last.refused),
      sealed: rate(sealed, last.sealed),
      unsealed,
      pool,
      blocks: newBlocks,
      ...(newBlocks > 0 && { fill: (fill - last.fill) / newBlocks }),
      ...(this.#span.accepted.count > 0 && {
        accepted_p50_ms: this.#span.accepted.percentile(50),
        accepted_p99_ms: this.#span.accepted.percentile(99),
      }),
      ...(this.#span.sealed.count > 0 && {
        sealed_p50_ms: this.#span.sealed.percentile(50),
        sealed_p99_ms: this.#span.sealed.percentile(99),
      }),
      ...usage,
    };
    this.samples.push(sample);
    this.#previous = this.#span;
    this.#span = new Span(this.counts, atMs);
    return sample;
  }

  /**
   * Ends the last span. A remainder shorter than half a span is merged into the previous one, because rates over a few
   * milliseconds mean nothing; the usage stays that of the previous one.
   * @param spanMs duration of a full span
   */
  lastSample(
    atMs: number,
    spanMs: number,
    unsealed: number,
    pool: number,
    usage: SpanUsage = {},
  ): LoadSample {
    const previous = this.#previous;
    if (previous !== undefined && atMs - this.#span.beganMs < spanMs / 2) {
      previous.accepted.add(this.#span.accepted);
      previous.sealed.add(this.#span.sealed);
      this.#span = previous;
      const { generator, node } = this.samples.pop() ?? {};
      return this.sample(atMs, unsealed, pool, {
        ...(generator !== undefined && { generator }),
        ...(node !== undefined && { node }),
      });
    }
    return this.sample(atMs, unsealed, pool, usage);
  }

  /** @param unsealed number of transactions accepted but not seen in a block */
  report(sendingMs: number, wholeMs: number, unsealed: number) {
    const { sent, accepted, refused, sealed, blocks, fill } = this.counts;
    const sending = Math.max(0.001, sendingMs / 1_000);
    const whole = Math.max(0.001, wholeMs / 1_000);
    return {
      sending_s: sending,
      whole_s: whole,
      totals: {
        sent,
        accepted,
        refused,
        sealed,
        unsealed,
        held_back: this.#heldBack,
        held_back_unsealed: this.#heldBackUnsealed,
      },
      per_second: { sent: sent / sending, accepted: accepted / sending, sealed: sealed / whole },
      refusals: this.#refusals.toRecord(),
      accepted_ms: this.#accepted.latencies(),
      sealed_ms: this.#sealed.latencies(),
      blocks: {
        count: blocks,
        transactions_mean: blocks === 0 ? 0 : this.#blockTransactions / blocks,
        transactions_max: this.#maxTransactions,
        fill_mean: blocks === 0 ? 0 : fill / blocks,
        fill_max: this.#maxFill,
      },
      samples: this.samples,
    };
  }
}
