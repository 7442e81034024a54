import type { ByThread } from '../../test/support/floods/longest-ticks.js';
import type { FloodReport } from '../../test/support/floods/run-flood.js';
import { textTable } from '../support/text-table.js';

type Column = readonly [title: string, of: (report: FloodReport) => string];

const ms = (value: number): string =>
  value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`;

const percent = ({ sent, answered }: { readonly sent: number; readonly answered: number }): string =>
  sent === 0 ? '-' : `${Math.floor((100 * answered) / sent)} %`;

const COLUMNS: readonly Column[] = [
  ['flood', ({ flood }) => flood],
  ['status p50', ({ during }) => ms(during.groups.status.p50Ms)],
  ['p99', ({ during }) => ms(during.groups.status.p99Ms)],
  ['reads p99', ({ during }) => ms(during.groups.reads.p99Ms)],
  ['ok', ({ during }) => percent(during.groups.reads)],
  ['proofs p99', ({ during }) => ms(during.groups.proofs.p99Ms)],
  ['calls ok', ({ during }) => percent(during.groups.calls)],
  ['p99', ({ during }) => ms(during.groups.calls.p99Ms)],
  ['submits ok', ({ during }) => percent(during.groups.submits)],
  ['p99', ({ during }) => ms(during.groups.submits.p99Ms)],
  ['blocks p50', ({ blocks }) => ms(blocks.p50Ms)],
  ['max', ({ blocks }) => ms(blocks.maxMs)],
  ['longest turn', ({ turns }) => byThread(turns.lastedMs)],
  ['of processor time', ({ turns }) => byThread(turns.processorMs)],
  ['peak RSS', ({ peakMiB }) => `${Math.round(peakMiB)} MiB`],
  ['back', ({ memoryBackSeconds: after }) => seconds(after)],
  ['as before', ({ recoveredSeconds: after }) => seconds(after)],
  ['SIGTERM', ({ endedMs }) => (endedMs === undefined ? '-' : ms(endedMs))],
];

function seconds(after: number | undefined): string {
  return after === undefined ? 'no' : `${after.toFixed(1)} s`;
}

function byThread(milliseconds: ByThread): string {
  const entries = Object.entries(milliseconds);
  return entries.length === 0 ? '-' : entries.map(([thread, value]) => `${thread} ${ms(value)}`).join(', ');
}

/** A text table with one row per flood. */
export function floodTable(reports: readonly FloodReport[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...reports.map((report) => COLUMNS.map(([, of]) => of(report))),
  ];
  return textTable(rows);
}
