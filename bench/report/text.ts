import type { Unit } from '../results/figure.js';
import type { PowerLaw } from '../results/power-law.js';
import type { AimResult, FigureSummary, Measurement, SeriesSummary } from '../results/summary.js';

/** A number with three significant digits. */
export function digits(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

export function quantity(value: number, unit: Unit): string {
  if (unit === 'count') return digits(value);
  return unit === '/s' || unit === '×' ? `${digits(value)}${unit}` : `${digits(value)} ${unit}`;
}

/** The median, and in brackets the least and the most round. */
export function measured({ median, least, most, rounds }: Measurement, unit: Unit): string {
  const middle = quantity(median, unit);
  return rounds === 1 ? middle : `${middle} (${digits(least)} to ${digits(most)})`;
}

export function baselineText({ baselines, unit }: FigureSummary): string {
  return baselines.map(({ name, ...rounds }) => `${name}: ${quantity(rounds.median, unit)}`).join('; ');
}

export function ratioText({ baselines }: FigureSummary): string {
  return baselines.map(({ ratio }) => measured(ratio, 'count')).join('; ');
}

/** Such as `at least 2 times anvil: missed`. */
export function aimText({ aim, unit, baselines }: FigureSummary): string {
  if (aim === undefined) return '';
  return `${boundText(aim, unit, baselines[0]?.name)}: ${aim.met ? 'met' : 'missed'}`;
}

function boundText({ of, at, bound }: AimResult, unit: Unit, baseline: string | undefined): string {
  return of === 'value'
    ? `at ${at} ${quantity(bound, unit)}`
    : `at ${at} ${digits(bound)} times ${baseline ?? 'the baseline'}`;
}

/** Such as `1.02 ± 0.01`. */
export function exponentText({ exponent, error }: PowerLaw): string {
  const shown = exponent.toFixed(2).replace(/^-(0\.00)$/, '$1');
  return error === undefined ? shown : `${shown} ± ${error.toFixed(2)}`;
}

/** Such as `at most 1: met`. */
export function largestExponentText({ largestExponent, met }: SeriesSummary): string {
  if (largestExponent === undefined || met === undefined) return '';
  return `at most ${digits(largestExponent)}: ${met ? 'met' : 'missed'}`;
}
