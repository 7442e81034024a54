import type { CallRecord } from './test-run.js';

/** Gas of the successful calls of one function. */
export interface MethodGas {
  readonly contract: string;
  readonly method: string;
  readonly calls: number;
  /** Calls that did not succeed; their gas is not counted. */
  readonly failed: number;
  readonly min: number;
  /** Rounded to the nearest whole number. */
  readonly mean: number;
  readonly max: number;
}

/** Sums up calls by contract and function, in order of their names. The order of the calls does not matter. */
export function gasReport(records: Iterable<CallRecord>): readonly MethodGas[] {
  const groups = new Map<string, { contract: string; method: string; failed: number; gas: number[] }>();
  for (const { contract, method, status, gas } of records) {
    const key = `${contract}.${method}`;
    const group = groups.get(key) ?? { contract, method, failed: 0, gas: [] };
    groups.set(key, group);
    if (status === 'success') group.gas.push(gas);
    else group.failed++;
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { contract, method, failed, gas }]) => {
      const sum = gas.reduce((total, each) => total + each, 0);
      return {
        contract,
        method,
        calls: gas.length,
        failed,
        min: gas.reduce((least, each) => Math.min(least, each), gas[0] ?? 0),
        mean: gas.length === 0 ? 0 : Math.round(sum / gas.length),
        max: gas.reduce((most, each) => Math.max(most, each), 0),
      };
    });
}

/** The report as a table for a terminal. */
export function gasReportText(report: readonly MethodGas[]): string {
  const number = new Intl.NumberFormat('en-US');
  const rows = [
    ['method', 'calls', 'failed', 'min gas', 'mean gas', 'max gas'],
    ...report.map(({ contract, method, calls, failed, ...gas }) => [
      `${contract}.${method}`,
      number.format(calls),
      number.format(failed),
      ...[gas.min, gas.mean, gas.max].map((each) => (calls === 0 ? '' : number.format(each))),
    ]),
  ];
  return tableText(rows);
}

/** Aligns columns: the first to the left, the others to the right. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
