import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import {
  csvHeader,
  csvLines,
  rowJson,
  storedUsage,
  summed,
  type UsageRow,
  usageTable,
} from '../../../src/cli/token/usage.js';
import type { TokenDay, UsageReader } from '../../../src/rpc/access/usage/usage.js';

const RANGE = { from: '2026-01-01', to: '2026-12-31' };

function row(changes: Partial<UsageRow>): UsageRow {
  return { day: '2026-11-29', token: 'a', subject: 'ann', method: 'status', calls: 2, units: 3, ...changes };
}

async function* pagesOf(...rows: readonly UsageRow[]): AsyncGenerator<readonly UsageRow[]> {
  for (const each of rows) yield [each];
}

test('CSV quotes names so that a spreadsheet sees neither formulas nor further cells', () => {
  const names = [
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1', 'a,=1', 'a;=1', 'a|=1', 'a";=1', "'=1"],
    ...['line\r\n=1,2,3', '"', '""', ',', 'é', '\u202e=1', ''],
  ];
  for (const name of names) {
    const line = csvLines([row({ token: name, subject: name })], undefined);
    assert.equal(line.split('\n').length, 2, `one line for ${JSON.stringify(name)}`);
    assert.doesNotMatch(line, /(^|[,;|"])\s*[=+\-@＝]/u, JSON.stringify(name));
    const [cells = []] = parse(line) as string[][];
    assert.equal(cells.length, 6);
    assert.deepEqual([cells[0], ...cells.slice(3)], ['2026-11-29', 'status', '2', '3']);
    assert.equal(cells[1]?.replaceAll("'", ''), cells[2]?.replaceAll("'", ''));
  }
  const plain = row({ token: '6f1c1a52-0d5b-4f0e-9c3e-0a1b2c3d4e5f', subject: 'client-1a2b' });
  assert.equal(csvLines([plain], undefined), `2026-11-29,${plain.token},client-1a2b,status,2,3\n`);
  assert.equal(csvHeader(undefined), 'day,token,subject,method,calls,units\n');
  assert.equal(csvHeader('token'), 'token,subject,calls,units\n');
});

test('rows are summed by day, token, subject or method', async () => {
  const rows = [
    row({}),
    row({ method: 'get_logs', units: 20 }),
    row({ day: '2026-11-30', token: 'b' }),
    row({ day: '2026-11-30', token: 'c', subject: 'bob', units: 100 }),
  ];
  const by = async (key: 'day' | 'token' | 'subject' | 'method') =>
    (await summed(pagesOf(...rows), key)).map((sum) => JSON.parse(rowJson(sum, key)) as unknown);
  assert.deepEqual(await by('day'), [
    { day: '2026-11-29', calls: 4, units: 23 },
    { day: '2026-11-30', calls: 4, units: 103 },
  ]);
  assert.deepEqual(await by('token'), [
    { token: 'c', sub: 'bob', calls: 2, units: 100 },
    { token: 'a', sub: 'ann', calls: 4, units: 23 },
    { token: 'b', sub: 'ann', calls: 2, units: 3 },
  ]);
  assert.deepEqual(await by('subject'), [
    { sub: 'bob', calls: 2, units: 100 },
    { sub: 'ann', calls: 6, units: 26 },
  ]);
  assert.deepEqual(await by('method'), [
    { method: 'status', calls: 6, units: 106 },
    { method: 'get_logs', calls: 2, units: 20 },
  ]);
});

test('a table has totals', () => {
  assert.equal(
    usageTable([row({}), row({ day: '2026-11-30', units: 1_234 })], undefined),
    [
      'day         token  subject  method  calls  units',
      '2026-11-29  a      ann      status  2      3',
      '2026-11-30  a      ann      status  2      1,234',
      'total                               4      1,237',
      '',
    ].join('\n'),
  );
});

test('all pages of a store are read', async () => {
  const days: TokenDay[] = Array.from({ length: 4_203 }, (_, at) => ({
    day: '2026-11-29',
    token: String(at).padStart(4, '0'),
    subject: 'ann',
    methods: [{ method: 'status', calls: 1, units: 1 }],
  }));
  const reader: UsageReader = {
    usage: async ({ after, limit }) => {
      const from = days.findIndex(({ token }) => token === after?.token) + 1;
      return days.slice(from, from + limit);
    },
  };
  const rows: UsageRow[] = [];
  for await (const page of storedUsage(reader, RANGE, undefined)) rows.push(...page);
  assert.deepEqual(
    rows.map(({ token }) => token),
    days.map(({ token }) => token),
  );
});
