import { count } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import { textTable } from '../text-table.js';
import type { UsageKey, UsageRow } from './usage-rows.js';

/** The columns before calls and units. */
const COLUMNS: Readonly<Record<UsageKey | 'all', readonly UsageKey[]>> = {
  all: ['day', 'token', 'subject', 'method'],
  day: ['day'],
  token: ['token', 'subject'],
  subject: ['subject'],
  method: ['method'],
};

/** The places at which a spreadsheet may see a formula: the beginning of a cell, or what follows any separator. */
const FORMULA = /(^|[,;|])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

/** Rows by the given key, or all of them, as a table with totals. */
export function usageTable(rows: readonly UsageRow[], by: UsageKey | undefined): string {
  const keys = COLUMNS[by ?? 'all'];
  const sum = (of: 'calls' | 'units') => count(rows.reduce((total, row) => total + row[of], 0));
  const totals = keys.map((_, at) => (at === 0 ? 'total' : ''));
  const table = textTable([
    [...keys, 'calls', 'units'],
    ...rows.map((row) => [...keys.map((key) => row[key]), count(row.calls), count(row.units)]),
    ...(rows.length > 1 ? [[...totals, sum('calls'), sum('units')]] : []),
  ]);
  return `${table.join('\n')}\n`;
}

/** The names of the columns, as a line of CSV. */
export function csvHeader(by: UsageKey | undefined): string {
  return `${[...COLUMNS[by ?? 'all'], 'calls', 'units'].join(',')}\n`;
}

/** Rows as lines of CSV, quoted as in RFC 4180, that no spreadsheet takes for formulas. */
export function csvLines(rows: readonly UsageRow[], by: UsageKey | undefined): string {
  const keys = COLUMNS[by ?? 'all'];
  return rows
    .map((row) => `${[...keys.map((key) => csvCell(row[key])), row.calls, row.units].join(',')}\n`)
    .join('');
}

/** A row as JSON, with the names of `heddle token list --json`. */
export function rowJson(row: UsageRow, by: UsageKey | undefined): string {
  const keys = COLUMNS[by ?? 'all'].map((key) => [key === 'subject' ? 'sub' : key, row[key]]);
  return JSON.stringify({ ...Object.fromEntries(keys), calls: row.calls, units: row.units });
}

function csvCell(text: string): string {
  const cell = shownLine(text).replace(FORMULA, "$1'");
  return /[",;|']/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
