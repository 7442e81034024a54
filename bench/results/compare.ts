import type { Figure, Unit } from './figure.js';
import { median, relativeSpread, roundRatios } from './rounds.js';
import type { BenchmarkRun, Machine } from './run.js';

/** Change that rounds of one run cannot rule out: two runs of one build differ by it. */
const LEAST_NOISE = 0.05;
/** Noise of a figure that has one round in both runs. */
const UNKNOWN_NOISE = 0.15;
/** Standard deviations of the difference between two runs that count as noise. */
const DEVIATIONS = 2;
/** Quantities that follow the speed of the machine. */
const FOLLOWS_SPEED: ReadonlySet<Unit> = new Set(['ns', 'µs', 'ms', 's', '/s']);

export type Verdict = 'worse' | 'better' | 'within the noise';

export interface Change {
  /** Name in the catalogue. */
  readonly benchmark: string;
  readonly name: string;
  readonly unit: Unit;
  /** The baseline whose ratio is compared, if both runs have it; otherwise the values are compared. */
  readonly baseline?: string;
  /** Median of values or ratios. */
  readonly before: number;
  readonly after: number;
  /** How many times worse: `after / before` if less is better, otherwise its inverse. */
  readonly factor: number;
  /** Relative change that counts as noise. */
  readonly noise: number;
  readonly verdict: Verdict;
}

export interface Comparison {
  /** Worst first, by the part of the change beyond the noise. */
  readonly changes: readonly Change[];
  /** Names with their benchmark, of figures that only the earlier run has although it ran the benchmark. */
  readonly missing: readonly string[];
  /** Names with their benchmark, of figures that only the later run has. */
  readonly added: readonly string[];
  /** Differences between the runs themselves. */
  readonly differences: readonly string[];
}

/**
 * Compares two runs figure by figure. Where both have a baseline of the same name, their ratios to it are compared,
 * because machines differ. A figure got worse if it changed by more than twice the standard deviation of the
 * difference, estimated from the rounds of both runs, and by at least 5 %. Times and rates without a common baseline
 * also have to change by more than the speed of the machine, which each run measures before and after.
 */
export function compareRuns(before: BenchmarkRun, after: BenchmarkRun): Comparison {
  const changes: Change[] = [];
  const missing: string[] = [];
  const added: string[] = [];
  const drift = speedDrift(before.machine, after.machine);
  for (const { name: benchmark, ...result } of after.benchmarks) {
    const earlier = before.benchmarks.find(({ name }) => name === benchmark);
    const old = new Map((earlier === undefined ? [] : figuresOf(earlier)).map((each) => [each.name, each]));
    for (const figure of figuresOf(result)) {
      const previous = old.get(figure.name);
      old.delete(figure.name);
      if (previous === undefined || previous.unit !== figure.unit) added.push(`${benchmark}: ${figure.name}`);
      else changes.push(change(benchmark, previous, figure, drift));
    }
    missing.push(...[...old.keys()].map((name) => `${benchmark}: ${name}`));
  }
  const beyond = ({ factor, noise }: Change): number => Math.log(factor) - Math.log1p(noise);
  return {
    changes: changes.sort((one, other) => beyond(other) - beyond(one)),
    missing,
    added,
    differences: differencesOf(before, after),
  };
}

/** The figures of a benchmark, and the points of its series as figures. */
function figuresOf({
  figures,
  series,
}: Pick<BenchmarkRun['benchmarks'][number], 'figures' | 'series'>): Figure[] {
  const points = series.flatMap(({ name, over, unit, better, points }) =>
    points.map(({ size, rounds }) => ({ name: `${name}, ${size} ${over}`, unit, better, rounds })),
  );
  return [...figures, ...points];
}

function change(benchmark: string, before: Figure, after: Figure, drift: number): Change {
  const shared = sharedBaseline(before, after);
  const [old, now] = [shared?.before ?? before.rounds, shared?.after ?? after.rounds];
  const [from, to] = [median(old), median(now)];
  const factor = after.better === 'lower' ? to / from : from / to;
  const isDrifting = shared === undefined && FOLLOWS_SPEED.has(after.unit);
  const noise = Math.max(noiseOf(old, now), isDrifting ? drift : 0);
  return {
    benchmark,
    name: after.name,
    unit: after.unit,
    ...(shared === undefined ? {} : { baseline: shared.name }),
    before: from,
    after: to,
    // 0 to 0 is no change.
    factor: Number.isNaN(factor) ? 1 : factor,
    noise,
    verdict: factor > 1 + noise ? 'worse' : factor < 1 / (1 + noise) ? 'better' : 'within the noise',
  };
}

interface SharedBaseline {
  readonly name: string;
  /** Ratios of the figure to it. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function sharedBaseline(before: Figure, after: Figure): SharedBaseline | undefined {
  for (const { name, rounds } of after.baselines ?? []) {
    const earlier = before.baselines?.find((each) => each.name === name);
    if (earlier === undefined) continue;
    const [old, now] = [roundRatios(before.rounds, earlier.rounds), roundRatios(after.rounds, rounds)];
    if (old !== undefined && now !== undefined) return { name, before: old, after: now };
  }
  return undefined;
}

/** The spread of a run with one round is taken from the other. */
function noiseOf(before: readonly number[], after: readonly number[]): number {
  const spreads = [relativeSpread(before), relativeSpread(after)];
  const [old = spreads[1], now = spreads[0]] = spreads;
  if (old === undefined || now === undefined) return UNKNOWN_NOISE;
  return Math.max(LEAST_NOISE, DEVIATIONS * Math.hypot(old, now));
}

/** The largest relative difference between the speeds that two runs found. */
function speedDrift(before: Machine, after: Machine): number {
  const micros = [...before.verificationMicros, ...after.verificationMicros];
  return Math.max(...micros) / Math.min(...micros) - 1;
}

function differencesOf(before: BenchmarkRun, after: BenchmarkRun): string[] {
  const of = ({ machine, quick }: BenchmarkRun): readonly (readonly [string, string])[] => [
    ['processor', machine.processor],
    ['cores', `${machine.cores}`],
    ['memory', `${machine.memoryMiB} MiB`],
    ['Node.js', machine.node],
    ['kernel', machine.kernel],
    ['length', quick ? 'quick' : 'full'],
  ];
  const now = new Map(of(after));
  return of(before).flatMap(([what, old]) =>
    old === now.get(what) ? [] : [`${what}: ${old} before, ${now.get(what)} now`],
  );
}
