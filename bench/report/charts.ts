import type { BarGroup } from '../../src/load/page/html.js';
import type { Plot, Tone } from '../../src/load/page/plot.js';
import type { FigureSummary, SeriesSummary } from '../results/summary.js';
import type { Table } from './contents.js';
import { quantity } from './text.js';

/** Colours of the figure, and of the baselines after it. */
const TONES: readonly Tone[] = ['accent', 'muted', 'waiting', 'good', 'bad'];

/** One group for each figure that has baselines: its bar, then theirs. */
export function barsOf({ rows }: Table<FigureSummary>): BarGroup[] {
  return rows
    .filter(({ baselines }) => baselines.length > 0)
    .map(({ label, unit, median, baselines }) => ({
      name: label,
      bars: [{ name: 'Heddle', median }, ...baselines].map((each, place) => ({
        label: each.name,
        tone: TONES[place % TONES.length] ?? 'accent',
        value: each.median,
        text: quantity(each.median, unit),
      })),
    }));
}

/** A series on two logarithmic axes, with its fitted line if it has one. Points without a logarithm are left out. */
export function seriesPlot({ name, over, unit, points, fit }: SeriesSummary): Plot {
  const shown = points.filter(({ size }) => size > 0);
  const positive = (value: number): number | null => (value > 0 ? value : null);
  const valuesOf = (part: 'median' | 'least' | 'most') => shown.map((point) => positive(point[part]));
  return {
    title: name,
    x: { label: over, isLogarithmic: true },
    y: { label: unit, isLogarithmic: true },
    groups: [
      {
        at: shown.map(({ size }) => size),
        lines: [
          { label: 'median', tone: 'accent', values: valuesOf('median') },
          { label: 'least', tone: 'muted', values: valuesOf('least') },
          { label: 'most', tone: 'muted', values: valuesOf('most') },
          ...(fit === undefined
            ? []
            : [
                {
                  label: `${Number(fit.factor.toPrecision(3))} · ${over}^${fit.exponent.toFixed(2)}`,
                  tone: 'bad' as const,
                  shape: 'dashes' as const,
                  values: shown.map(({ size }) => positive(fit.factor * size ** fit.exponent)),
                },
              ]),
        ],
      },
    ],
  };
}
