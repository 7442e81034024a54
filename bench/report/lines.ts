import type { Change, Comparison } from '../results/compare.js';
import type { BenchmarkRun } from '../results/run.js';
import type { FigureSummary, SeriesSummary } from '../results/summary.js';
import type { BenchmarkContents, Contents, Labelled, Missed, Table } from './contents.js';
import {
  aimText,
  baselineText,
  digits,
  exponentText,
  largestExponentText,
  measured,
  quantity,
  ratioText,
} from './text.js';

/** Rows of text; the first is the head. Columns without text below the head are left out. */
export type TextTable = readonly (readonly string[])[];

export function machineRows({ machine, began, commit, quick }: BenchmarkRun): TextTable {
  const [before, after] = machine.verificationMicros;
  return [
    ['machine', ''],
    ['processor', machine.processor],
    ['cores', digits(machine.cores)],
    ['memory', `${machine.memoryMiB.toLocaleString('en')} MiB`],
    ['kernel', machine.kernel],
    ['Node.js', machine.node],
    ['one ed25519 verification', `${digits(before)} µs before the run, ${digits(after)} µs after it`],
    ['date', began.slice(0, 16).replace('T', ' ')],
    ['commit', commit ?? 'unknown'],
    ['length', quick ? 'quick: few and short rounds' : 'full'],
  ];
}

export function figureRows({ title, rows }: Table<FigureSummary>): TextTable {
  const head = [title === '' ? 'what' : title, 'figure', 'baseline', 'ratio to it', 'aim'];
  const lines = rows.map((row) => [
    row.label,
    measured(row, row.unit),
    baselineText(row),
    ratioText(row),
    aimText(row),
  ]);
  return withoutEmptyColumns([head, ...lines]);
}

/** One line for each size, then the exponents. */
export function seriesRows({ rows }: Table<SeriesSummary>): TextTable {
  const sizes = [...new Set(rows.flatMap(({ points }) => points.map(({ size }) => size)))].sort(
    (a, b) => a - b,
  );
  const head = [rows[0]?.over ?? '', ...rows.map(({ label }) => label)];
  const lines = sizes.map((size) => [size.toLocaleString('en'), ...rows.map((row) => pointText(row, size))]);
  const fits = [
    ['exponent', ...rows.map(({ fit }) => (fit === undefined ? '' : exponentText(fit)))],
    ['R²', ...rows.map(({ fit }) => fit?.rSquared?.toFixed(3) ?? '')],
    ['largest exponent', ...rows.map(largestExponentText)],
  ];
  return [head, ...lines, ...fits.filter(([, ...cells]) => cells.some((cell) => cell !== ''))];
}

function pointText({ points, unit }: Labelled<SeriesSummary>, size: number): string {
  const point = points.find((each) => each.size === size);
  return point === undefined ? '' : measured(point, unit);
}

/** A missed aim or a too large exponent, in one line. */
export function missedLine({ benchmark, summary }: Missed): string {
  const name = `${benchmark}: ${summary.name}`;
  if (!('points' in summary)) {
    // An aim is for the ratio to the first baseline.
    const [baseline] = summary.baselines;
    const reached =
      summary.aim?.of === 'ratio' && baseline !== undefined
        ? `${measured(baseline.ratio, 'count')} times`
        : measured(summary, summary.unit);
    return `${name}: ${reached}, aim ${aimText(summary)}`;
  }
  const exponent = summary.fit === undefined ? '' : exponentText(summary.fit);
  return `${name}: exponent ${exponent}, ${largestExponentText(summary)}`;
}

/** Every exponent, in one line each. */
export function exponentLines({ parts }: Contents): string[] {
  const lineOf = (benchmark: BenchmarkContents, series: SeriesSummary): string[] =>
    series.fit === undefined
      ? []
      : [
          `${benchmark.name}: ${series.name}: ${exponentText(series.fit)} over ${series.over}, ${largestExponentText(series)}`,
        ];
  return parts.flatMap(({ benchmarks }) =>
    benchmarks.flatMap((benchmark) =>
      benchmark.series.flatMap(({ rows }) => rows.flatMap((row) => lineOf(benchmark, row))),
    ),
  );
}

/** What changed beyond the noise. */
export function changeRows({ changes }: Comparison): TextTable {
  const beyond = changes.filter(({ verdict }) => verdict !== 'within the noise');
  const head = ['figure', 'before', 'after', 'change', 'noise', 'verdict'];
  return [
    head,
    ...beyond.map((change) => [
      `${change.benchmark}: ${change.name}`,
      comparedText(change, change.before),
      comparedText(change, change.after),
      `${digits(change.after / change.before)}×`,
      `${digits(100 * change.noise)} %`,
      change.verdict,
    ]),
  ];
}

function comparedText({ baseline, unit }: Change, value: number): string {
  return baseline === undefined ? quantity(value, unit) : `${digits(value)} times ${baseline}`;
}

export function comparisonLine({ changes, missing, added, differences }: Comparison): string {
  const count = (wanted: Change['verdict']) => changes.filter(({ verdict }) => verdict === wanted).length;
  return [
    `${count('worse')} worse, ${count('better')} better, ${count('within the noise')} within the noise`,
    ...(missing.length > 0 ? [`no longer measured: ${missing.join(', ')}`] : []),
    ...(added.length > 0 ? [`new: ${added.join(', ')}`] : []),
    ...(differences.length > 0 ? [`the runs differ in ${differences.join(', ')}`] : []),
  ].join('; ');
}

function withoutEmptyColumns(table: TextTable): TextTable {
  const [head = [], ...rows] = table;
  const kept = head.map((_, column) => column === 0 || rows.some((row) => row[column] !== ''));
  return table.map((row) => row.filter((_, column) => kept[column]));
}
