import type { Benchmark, Part } from '../catalogue/benchmark.js';
import { BENCHMARKS } from '../catalogue.js';
import type { BenchmarkResult, BenchmarkRun } from '../results/run.js';
import {
  type FigureSummary,
  type SeriesSummary,
  summarizeFigure,
  summarizeSeries,
} from '../results/summary.js';

/** The results of a run in the order of the catalogue, as every form of the report shows them. */
export interface Contents {
  readonly run: BenchmarkRun;
  readonly parts: readonly PartContents[];
  readonly missedAims: readonly Missed[];
}

export interface PartContents {
  readonly title: string;
  readonly benchmarks: readonly BenchmarkContents[];
}

export interface BenchmarkContents {
  readonly name: string;
  /** Sentence of the catalogue, with code in backquotes; empty for a benchmark that the catalogue does not have. */
  readonly about: string;
  readonly command: string;
  readonly failure?: string;
  readonly tables: readonly Table<FigureSummary>[];
  readonly series: readonly Table<SeriesSummary>[];
}

/** Rows whose names begin alike. */
export interface Table<Row> {
  /** The common beginning of the names, up to the first colon; empty if the names have no colon. */
  readonly title: string;
  readonly rows: readonly Labelled<Row>[];
}

export type Labelled<Row> = Row & {
  /** The name without the table's title. */
  readonly label: string;
};

export interface Missed {
  readonly benchmark: string;
  readonly summary: FigureSummary | SeriesSummary;
}

const TITLES: Readonly<Record<Part, string>> = {
  micro: 'Hot paths in one thread',
  macro: 'Beside other nodes',
  growth: 'Growth',
  load: 'Under load',
  floods: 'Under flood',
  engine: 'Parts of the node',
};

export function contentsOf(run: BenchmarkRun, catalogue: readonly Benchmark[] = BENCHMARKS): Contents {
  const known = new Map(catalogue.map((benchmark) => [benchmark.name, benchmark]));
  const parts: PartContents[] = [];
  for (const [part, title] of Object.entries(TITLES)) {
    const results = run.benchmarks.filter(({ name }) => known.get(name)?.part === part);
    if (results.length > 0) parts.push({ title, benchmarks: contentsOfAll(results, known) });
  }
  const others = run.benchmarks.filter(({ name }) => !known.has(name));
  if (others.length > 0) parts.push({ title: 'Others', benchmarks: contentsOfAll(others, known) });
  return { run, parts, missedAims: missedIn(parts) };
}

function contentsOfAll(
  results: readonly BenchmarkResult[],
  known: ReadonlyMap<string, Benchmark>,
): BenchmarkContents[] {
  return results.map((result) => {
    const { name, failure, figures, series } = result;
    const benchmark = known.get(name);
    return {
      name,
      about: sentence(benchmark?.about ?? ''),
      command: commandOf(name, result.arguments),
      ...(failure === undefined ? {} : { failure }),
      tables: tablesOf(figures.map(summarizeFigure)),
      series: seriesTables(series.map(summarizeSeries)),
    };
  });
}

function sentence(about: string): string {
  return about === '' ? '' : `${about[0]?.toUpperCase()}${about.slice(1)}.`;
}

/** The command that measures the same again. */
function commandOf(name: string, args: readonly string[]): string {
  const quoted = args.map((arg) =>
    /^[\w./:=,+@%-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`,
  );
  return ['npm run bench --', name, ...quoted].join(' ');
}

function tablesOf<Row extends { readonly name: string }>(rows: readonly Row[]): Table<Row>[] {
  const tables = new Map<string, Labelled<Row>[]>();
  for (const row of rows) {
    const [, title = '', label = row.name] = /^([^:]*): *(.+)$/s.exec(row.name) ?? [];
    const table = tables.get(title) ?? [];
    table.push({ ...row, label });
    tables.set(title, table);
  }
  return [...tables].map(([title, labelled]) => ({ title, rows: labelled }));
}

/** Series in one table share their sizes' meaning too. */
function seriesTables(series: readonly SeriesSummary[]): Table<SeriesSummary>[] {
  const kinds = [...new Set(series.map(({ over }) => over))];
  return kinds.flatMap((kind) => tablesOf(series.filter(({ over }) => over === kind)));
}

function missedIn(parts: readonly PartContents[]): Missed[] {
  return parts.flatMap(({ benchmarks }) =>
    benchmarks.flatMap(({ name: benchmark, tables, series }) => [
      ...tables.flatMap(({ rows }) =>
        rows.filter(({ aim }) => aim?.met === false).map((summary) => ({ benchmark, summary })),
      ),
      ...series.flatMap(({ rows }) =>
        rows.filter(({ met }) => met === false).map((summary) => ({ benchmark, summary })),
      ),
    ]),
  );
}
