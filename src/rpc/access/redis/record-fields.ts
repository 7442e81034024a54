import type { Tier } from '../../../idl/manifest.js';
import type { TokenRecord } from '../quota-store.js';

export function recordFields(record: TokenRecord): string[] {
  const { subject, tier, rate, gas, time, units, left, issuedMs, expiresMs, revokedMs } = record;
  const fields: readonly (readonly [string, string | number | undefined])[] = [
    ['subject', subject],
    ['tier', tier],
    ['rate', rate],
    ['gas', gas],
    ['time', time],
    ['units', units],
    ['left', left],
    ['issued_ms', issuedMs],
    ['expires_ms', expiresMs],
    ['revoked_ms', revokedMs],
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
}

/** The record in a hash; undefined if there is none. @param fields names and values in turn */
export function recordOf(id: string, fields: readonly string[]): TokenRecord | undefined {
  if (fields.length === 0) return undefined;
  const values = new Map(
    fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]]] : [])) as [string, string][],
  );
  const number = (name: string): number | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : Number(value);
  };
  return {
    id,
    subject: values.get('subject') ?? '',
    // Only `recordFields` writes it.
    tier: (values.get('tier') ?? 'public') as Tier,
    rate: number('rate'),
    gas: number('gas'),
    time: number('time'),
    units: number('units'),
    left: number('left') ?? 0,
    issuedMs: number('issued_ms'),
    expiresMs: number('expires_ms') ?? 0,
    revokedMs: number('revoked_ms'),
  };
}
