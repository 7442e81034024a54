import { count } from '../../base/number-text.js';
import { shownLine } from '../../base/shown-text.js';
import type { TokenRecord } from '../../rpc/access/quota-store.js';
import { textTable } from '../answer.js';

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

export function recordLines(record: TokenRecord, nowMs: number): string {
  const { id, tier, subject, units, left, rate, gas, time, issuedMs, expiresMs, revokedMs } = record;
  const balance = units === undefined ? 'unlimited' : `${count(left)} left of ${count(units)}`;
  return [
    `id       ${shownLine(id)}`,
    `subject  ${shownLine(subject)}`,
    `tier     ${shownLine(tier)}`,
    `state    ${stateOf(record, nowMs)}`,
    `units    ${balance}`,
    `rate     ${rate === undefined ? 'unlimited' : `${count(rate)} units a second`}`,
    `gas      ${gas === undefined ? 'unlimited' : `${count(gas)} a second`}`,
    `time     ${time === undefined ? 'unlimited' : `${count(time)} ms a second`}`,
    ...(issuedMs === undefined ? [] : [`issued   ${date(issuedMs)}`]),
    `expires  ${date(expiresMs)}`,
    ...(revokedMs === undefined ? [] : [`revoked  ${date(revokedMs)}`]),
    '',
  ].join('\n');
}

export function recordTable(records: readonly TokenRecord[], nowMs: number): string {
  if (records.length === 0) return 'no tokens\n';
  // Few tokens have these limits, and the table is wide.
  const limits = (['gas', 'time'] as const).filter((limit) => records.some((record) => record[limit]));
  const rows = textTable([
    ['id', 'tier', 'subject', 'units left', 'rate', ...limits, 'expires', 'state'],
    ...records.map((record) => [
      record.id,
      record.tier,
      record.subject,
      record.units === undefined ? 'unlimited' : count(record.left),
      record.rate === undefined ? 'unlimited' : `${count(record.rate)}/s`,
      ...limits.map((limit) => limitText(limit, record[limit])),
      date(record.expiresMs).slice(0, 16),
      stateOf(record, nowMs),
    ]),
  ]);
  return `${rows.join('\n')}\n`;
}

function limitText(limit: 'gas' | 'time', value: number | undefined): string {
  if (value === undefined) return 'unlimited';
  return limit === 'gas' ? `${count(value)}/s` : `${count(value)} ms/s`;
}

function stateOf({ expiresMs, revokedMs, units, left }: TokenRecord, nowMs: number): string {
  if (revokedMs !== undefined) return 'revoked';
  if (expiresMs <= nowMs) return 'expired';
  return units !== undefined && left === 0 ? 'used up' : 'valid';
}

function date(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
