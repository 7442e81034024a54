import type { CoverableLine } from './coverage-probes.js';
import { tableText } from './gas-report.js';
import type { HitRecord } from './test-run.js';

/** How often tests ran the lines of a source. */
export interface SourceCoverage {
  readonly source: string;
  /** Executions by line, in order of the lines. Lines without code are absent. */
  readonly hits: ReadonlyMap<number, number>;
}

/** @param lines of the probes, by their number */
export function coverageReport(
  lines: readonly CoverableLine[],
  records: Iterable<HitRecord>,
): readonly SourceCoverage[] {
  const total = lines.map(() => 0);
  for (const { hits } of records) {
    for (const [probe, count] of Object.entries(hits)) {
      total[Number(probe)] = (total[Number(probe)] ?? 0) + count;
    }
  }
  const sources = new Map<string, [line: number, count: number][]>();
  for (const [probe, { source, line }] of lines.entries()) {
    const list = sources.get(source) ?? [];
    list.push([line, total[probe] ?? 0]);
    sources.set(source, list);
  }
  return [...sources]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, list]) => ({ source, hits: new Map(list.sort(([a], [b]) => a - b)) }));
}

/** The report as a table for a terminal. */
export function coverageText(report: readonly SourceCoverage[]): string {
  return tableText([
    ['source', 'lines', 'covered', 'not covered'],
    ...report.map(({ source, hits }) => [
      source,
      `${coveredOf(hits)}/${hits.size}`,
      `${((coveredOf(hits) / hits.size) * 100).toFixed(1)} %`,
      rangesText(hits),
    ]),
  ]);
}

/** The report as lcov's tracefile. Paths are relative to the project's folder. */
export function lcovText(report: readonly SourceCoverage[]): string {
  return report
    .map(({ source, hits }) =>
      [
        'TN:',
        `SF:${source}`,
        ...[...hits].map(([line, count]) => `DA:${line},${count}`),
        `LF:${hits.size}`,
        `LH:${coveredOf(hits)}`,
        'end_of_record\n',
      ].join('\n'),
    )
    .join('');
}

function coveredOf(hits: ReadonlyMap<number, number>): number {
  return [...hits.values()].filter((count) => count > 0).length;
}

/** The lines without executions; lines without code do not interrupt a range. */
function rangesText(hits: ReadonlyMap<number, number>): string {
  const ranges: { from: number; to: number }[] = [];
  let isOpen = false;
  for (const [line, count] of hits) {
    const last = ranges.at(-1);
    if (count > 0) isOpen = false;
    else if (isOpen && last !== undefined) last.to = line;
    else {
      ranges.push({ from: line, to: line });
      isOpen = true;
    }
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
