import type { Aim, Figure, Series, Unit } from './figure.js';
import { fitPowerLaw, type PowerLaw } from './power-law.js';
import { median, roundRatios } from './rounds.js';

/** Rounds in short. */
export interface Measurement {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rounds: number;
}

export interface BaselineSummary extends Measurement {
  readonly name: string;
  /** Figure divided by baseline. */
  readonly ratio: Measurement;
}

export interface AimResult extends Aim {
  readonly met: boolean;
}

export interface FigureSummary extends Measurement {
  readonly name: string;
  readonly unit: Unit;
  readonly baselines: readonly BaselineSummary[];
  readonly aim?: AimResult;
}

export interface SeriesSummary {
  readonly name: string;
  readonly over: string;
  readonly unit: Unit;
  readonly points: readonly (Measurement & { readonly size: number })[];
  /** Absent where no power law is expected or fits. */
  readonly fit?: PowerLaw;
  readonly largestExponent?: number;
  /** Whether the exponent is at most the largest one; absent without a fit. */
  readonly met?: boolean;
}

export function summarizeFigure({ name, unit, rounds, baselines = [], aim }: Figure): FigureSummary {
  const summary = {
    name,
    unit,
    ...measurement(rounds),
    baselines: baselines.map((baseline) => ({
      name: baseline.name,
      ...measurement(baseline.rounds),
      ratio: ratioOf(rounds, baseline.rounds),
    })),
  };
  if (aim === undefined) return summary;
  const reached = aim.of === 'value' ? summary.median : summary.baselines[0]?.ratio.median;
  // A ratio without a baseline cannot be judged: the other program is not installed.
  if (reached === undefined || !Number.isFinite(reached)) return summary;
  const met = aim.at === 'least' ? reached >= aim.bound : reached <= aim.bound;
  return { ...summary, aim: { ...aim, met } };
}

export function summarizeSeries({ name, over, unit, points, largestExponent }: Series): SeriesSummary {
  const summary = {
    name,
    over,
    unit,
    points: points.map(({ size, rounds }) => ({ size, ...measurement(rounds) })),
  };
  if (largestExponent === undefined) return summary;
  const fit = fitPowerLaw(points.flatMap(({ size, rounds }) => rounds.map((value) => ({ size, value }))));
  if (fit === undefined) return { ...summary, largestExponent };
  const met = fit.exponent <= largestExponent;
  return { ...summary, largestExponent, fit, met };
}

function measurement(rounds: readonly number[]): Measurement {
  return {
    median: median(rounds),
    least: Math.min(...rounds),
    most: Math.max(...rounds),
    rounds: rounds.length,
  };
}

/** Round by round, because both ran in turn; of the medians if a side has lost rounds. */
function ratioOf(rounds: readonly number[], baseline: readonly number[]): Measurement {
  return measurement(roundRatios(rounds, baseline) ?? [median(rounds) / median(baseline)]);
}
