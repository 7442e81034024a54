import type { FigureSummary, SeriesSummary } from '../results/summary.js';
import type { Labelled, Table } from './contents.js';

/** Colours of the figure, and of the baselines after it. */
const COLORS = ['#2f6fde', '#8a8f98', '#b5652a', '#1d9a5b', '#6b5fc7', '#d64545'] as const;
/** Characters that fit on one line under all groups together, and the fewest under one. */
const CHARACTERS = 150;
const FEWEST_CHARACTERS = 9;
/** Bars at this ratio are no longer comparable on a linear scale. */
const LINEAR_RATIO = 30;

interface Line {
  readonly label: string;
  readonly color: string;
  readonly values: readonly (number | null)[];
}

/** Bars of figures beside those of their baselines. */
export interface BarChart {
  readonly kind: 'bars';
  readonly title: string;
  /** Id of its element. */
  readonly place: string;
  readonly isLogarithmic: boolean;
  readonly unit: string;
  /** The place of each bar. */
  readonly at: readonly number[];
  /** Of each group of bars, at the same place of `ticks`. */
  readonly names: readonly string[];
  /** The names in lines that fit under their groups. */
  readonly labels: readonly string[];
  /** Number of lines of the longest label. */
  readonly labelLines: number;
  readonly ticks: readonly number[];
  readonly lines: readonly Line[];
}

/** A series on two logarithmic axes, with its fitted line if it has one. */
export interface SeriesChart {
  readonly kind: 'series';
  readonly title: string;
  readonly place: string;
  readonly over: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly lines: readonly (Line & { readonly isFit: boolean })[];
}

export type Chart = BarChart | SeriesChart;

/** One chart for each unit; figures without a baseline have none. */
export function barCharts({ title, rows }: Table<FigureSummary>, place: string): BarChart[] {
  const compared = rows.filter(({ baselines }) => baselines.length > 0);
  const units = [...new Set(compared.map(({ unit }) => unit))];
  return units.map((unit) =>
    barChart(
      compared.filter((row) => row.unit === unit),
      { title: title === '' ? unit : `${title}, ${unit}`, place, unit },
    ),
  );
}

function barChart(
  rows: readonly Labelled<FigureSummary>[],
  head: Pick<BarChart, 'title' | 'place' | 'unit'>,
): BarChart {
  const names = [...new Set(rows.flatMap(({ baselines }) => baselines.map(({ name }) => name)))];
  const bars = 1 + names.length;
  // An empty place separates the groups.
  const at = rows.flatMap((_, group) => Array.from({ length: bars }, (_, bar) => group * (bars + 1) + bar));
  const lines = ['Heddle', ...names].map((label, bar) => ({
    label,
    color: COLORS[bar % COLORS.length] ?? COLORS[0],
    values: rows.flatMap((row) =>
      Array.from({ length: bars }, (_, other) => (other === bar ? medianOf(row, names[bar - 1]) : null)),
    ),
  }));
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null);
  const isLogarithmic = Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > LINEAR_RATIO;
  const width = Math.max(FEWEST_CHARACTERS, Math.floor(CHARACTERS / rows.length));
  const labels = rows.map(({ label }) => linesOf(label, width));
  return {
    kind: 'bars',
    ...head,
    isLogarithmic,
    at,
    names: rows.map(({ label }) => label),
    labels: labels.map((lines) => lines.join('\n')),
    labelLines: Math.max(...labels.map(({ length }) => length)),
    ticks: rows.map((_, group) => group * (bars + 1) + (bars - 1) / 2),
    lines,
  };
}

/** Breaks a text into lines of at most `width` characters, except for longer words. */
function linesOf(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The median of a baseline, or without a name that of the figure. */
function medianOf({ median, baselines }: FigureSummary, baseline: string | undefined): number | null {
  if (baseline === undefined) return median;
  return baselines.find(({ name }) => name === baseline)?.median ?? null;
}

/** Points without a logarithm are left out. */
export function seriesChart({ name, over, unit, points, fit }: SeriesSummary, place: string): SeriesChart {
  const shown = points.filter(({ size }) => size > 0);
  const positive = (value: number): number | null => (value > 0 ? value : null);
  const line = (label: string, color: string, values: readonly number[], isFit = false) => ({
    label,
    color,
    values: values.map(positive),
    isFit,
  });
  return {
    kind: 'series',
    title: `${name}, ${unit}`,
    place,
    over,
    unit,
    sizes: shown.map(({ size }) => size),
    lines: [
      line(
        'median',
        COLORS[0],
        shown.map(({ median }) => median),
      ),
      line(
        'least',
        '#9dbdf2',
        shown.map(({ least }) => least),
      ),
      line(
        'most',
        '#9dbdf2',
        shown.map(({ most }) => most),
      ),
      ...(fit === undefined
        ? []
        : [
            line(
              `${Number(fit.factor.toPrecision(3))} · ${over}^${fit.exponent.toFixed(2)}`,
              COLORS[5],
              shown.map(({ size }) => fit.factor * size ** fit.exponent),
              true,
            ),
          ]),
    ],
  };
}
