import type { Client } from '../../client/client.js';
import type { DayRange } from '../../rpc/access/usage/day-range.js';
import type { TokenDay, UsageReader } from '../../rpc/access/usage/usage.js';

/** Days of tokens in one answer. */
const PAGE = 2_000;

/** What the rows of an answer are told apart by. */
export type UsageKey = 'day' | 'token' | 'subject' | 'method';

/** Calls and compute units; a key is empty where rows are summed over it. */
export type UsageRow = Readonly<Record<UsageKey, string>> & {
  readonly calls: number;
  readonly units: number;
};

/** The usage of one token, or of all, a page at a time. */
export async function* storedUsage(
  reader: UsageReader,
  days: DayRange,
  token: string | undefined,
): AsyncGenerator<readonly UsageRow[]> {
  let after: TokenDay | undefined;
  for (;;) {
    const page = await reader.usage({ ...days, token, after, limit: PAGE });
    yield page.flatMap(rowsOf);
    after = page.at(-1);
    if (after === undefined || page.length < PAGE) return;
  }
}

/** The usage of the client's own token, or of the one with this id, a page at a time. */
export async function* askedUsage(
  client: Client,
  { from, to }: DayRange,
  id: string | undefined,
): AsyncGenerator<readonly UsageRow[]> {
  let cursor: string | undefined;
  do {
    const {
      token,
      subject = '',
      days,
      next_cursor,
    } = await client.token_usage({
      from_day: from,
      to_day: to,
      ...(id !== undefined && { token: id }),
      ...(cursor !== undefined && { cursor }),
    });
    yield days.flatMap(({ day, methods }) =>
      methods.map(({ method, calls, units }) => ({
        day,
        token,
        subject,
        method,
        calls: Number(calls),
        units: Number(units),
      })),
    );
    cursor = next_cursor;
  } while (cursor !== undefined);
}

/** Sums rows by one key, the most units first; by day in the order of the days. */
export async function summed(
  pages: AsyncIterable<readonly UsageRow[]>,
  by: UsageKey,
): Promise<readonly UsageRow[]> {
  const sums = new Map<string, UsageRow>();
  for await (const rows of pages) {
    for (const row of rows) {
      const known = sums.get(row[by]) ?? { day: '', token: '', subject: '', method: '', calls: 0, units: 0 };
      const { calls, units } = known;
      // A token has one subject.
      const keys = by === 'token' ? { token: row.token, subject: row.subject } : { [by]: row[by] };
      sums.set(row[by], { ...known, ...keys, calls: calls + row.calls, units: units + row.units });
    }
  }
  const rows = [...sums.values()];
  return by === 'day' ? rows : rows.sort((a, b) => b.units - a.units || (a[by] < b[by] ? -1 : 1));
}

function rowsOf({ day, token, subject, methods }: TokenDay): readonly UsageRow[] {
  return methods.map((use) => ({ day, token, subject, ...use }));
}
