import { shownLine } from '../../base/shown-text.js';
import type { TokenRecord } from '../../rpc/access/quota-store.js';

/** The JSON form of a record; members without a value are null. */
export function recordJson(record: TokenRecord, nowMs: number): Readonly<Record<string, unknown>> {
  const { id, tier, subject, units, left, rate, gas, time, issuedMs, expiresMs, revokedMs } = record;
  return {
    id,
    tier,
    sub: subject,
    state: stateOf(record, nowMs),
    units: units ?? null,
    left: units === undefined ? null : left,
    rate: rate ?? null,
    issued_ms: issuedMs ?? null,
    expires_ms: expiresMs,
    revoked_ms: revokedMs ?? null,
    gas: gas ?? null,
    time: time ?? null,
  };
}

/** The lines of `heddle token show`. */
export function recordLines(record: TokenRecord, nowMs: number): string {
  const { id, tier, subject, units, left, rate, gas, time, issuedMs, expiresMs, revokedMs } = record;
  const balance = units === undefined ? 'unlimited' : `${group(left)} left of ${group(units)}`;
  return [
    `id       ${shownLine(id)}`,
    `subject  ${shownLine(subject)}`,
    `tier     ${shownLine(tier)}`,
    `state    ${stateOf(record, nowMs)}`,
    `units    ${balance}`,
    `rate     ${rate === undefined ? 'unlimited' : `${group(rate)} units a second`}`,
    `gas      ${gas === undefined ? 'unlimited' : `${group(gas)} a second`}`,
    `time     ${time === undefined ? 'unlimited' : `${group(time)} ms a second`}`,
    ...(issuedMs === undefined ? [] : [`issued   ${date(issuedMs)}`]),
    `expires  ${date(expiresMs)}`,
    ...(revokedMs === undefined ? [] : [`revoked  ${date(revokedMs)}`]),
    '',
  ].join('\n');
}

/** The table of `heddle token list`. */
export function recordTable(records: readonly TokenRecord[], nowMs: number): string {
  if (records.length === 0) return 'no tokens\n';
  // Few tokens have these limits, and the table is wide.
  const limits = (['gas', 'time'] as const).filter((limit) => records.some((record) => record[limit]));
  const rows = [
    ['id', 'tier', 'subject', 'units left', 'rate', ...limits, 'expires', 'state'],
    ...records.map((record) => [
      record.id,
      record.tier,
      record.subject,
      record.units === undefined ? 'unlimited' : group(record.left),
      record.rate === undefined ? 'unlimited' : `${group(record.rate)}/s`,
      ...limits.map((limit) => limitText(limit, record[limit])),
      date(record.expiresMs).slice(0, 16),
      stateOf(record, nowMs),
    ]),
  ];
  return textTable(rows);
}

/** Rows of text in columns, a line each; the first row has the headings. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(shownLine));
  const widths = cells.reduce<number[]>(
    (most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, cell.length)),
    [],
  );
  return cells
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

function limitText(limit: 'gas' | 'time', value: number | undefined): string {
  if (value === undefined) return 'unlimited';
  return limit === 'gas' ? `${group(value)}/s` : `${group(value)} ms/s`;
}

function stateOf({ expiresMs, revokedMs, units, left }: TokenRecord, nowMs: number): string {
  if (revokedMs !== undefined) return 'revoked';
  if (expiresMs <= nowMs) return 'expired';
  return units !== undefined && left === 0 ? 'used up' : 'valid';
}

function date(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

export function group(value: number): string {
  return value.toLocaleString('en-US');
}
