/** `µs` to `s` are times of one operation, `/s` is a rate, `×` a ratio of two figures. */
export type Unit = 'ns' | 'µs' | 'ms' | 's' | '/s' | '×' | 'MiB' | 'bytes' | 'count';

/** The target of a figure. */
export interface Aim {
  /** `value`: the median of the figure; `ratio`: its median ratio to the baseline. */
  readonly of: 'value' | 'ratio';
  readonly at: 'least' | 'most';
  readonly bound: number;
}

/** Something measured in the same rounds, in turn with the figure. */
export interface Baseline {
  /** Such as `bare uWebSockets.js` or `anvil 1.7.1`. */
  readonly name: string;
  /** One value per round, in the unit of the figure. */
  readonly rounds: readonly number[];
}

/** One measured quantity. */
export interface Figure {
  /**
   * Identifies the figure within its benchmark, in every run: no measured number is part of it. Names of one table
   * share the part before the first colon: `token balance, 16 connections: answers`.
   */
  readonly name: string;
  readonly unit: Unit;
  readonly better: 'lower' | 'higher';
  /** One value per round, at least one. */
  readonly rounds: readonly number[];
  readonly baselines?: readonly Baseline[];
  readonly aim?: Aim;
}

/** A quantity measured at several sizes. */
export interface Series {
  /** Identifies the series within its benchmark, in every run. */
  readonly name: string;
  /** The size, such as `accounts` or `connections`. */
  readonly over: string;
  readonly unit: Unit;
  readonly better: 'lower' | 'higher';
  /** In increasing order of size. */
  readonly points: readonly SeriesPoint[];
  /**
   * The largest exponent of a power law through the points that is no defect: 1.1 for linear cost, 0.1 for cost that
   * must not grow. Absent where no power law is expected, such as throughput by connections.
   */
  readonly largestExponent?: number;
}

export interface SeriesPoint {
  readonly size: number;
  /** One value per round, at least one. */
  readonly rounds: readonly number[];
}

/** A message of a benchmark to the command that started it. */
export type Measured =
  | { readonly kind: 'figure'; readonly figure: Figure }
  | { readonly kind: 'series'; readonly series: Series };
